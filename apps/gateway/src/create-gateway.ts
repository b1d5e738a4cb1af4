import fastifyCompress from '@fastify/compress';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { requestLimits } from '@spooled/contracts';
import { addressBlock, clientAddress } from '@spooled/domain';
import { AppLogger, createHttpApp, type BodyOwner } from '@spooled/platform';
import type { FastifyRequest } from 'fastify';
import { constants } from 'node:zlib';
import { admitRequests, RequestAdmission } from './auth/request-admission.js';
import { declareAccess } from './auth/route-access.js';
import { GatewayModule } from './gateway.module.js';
import { proxyTrust } from '@spooled/service';
import { isProduction, type GatewaySettings } from './gateway.config.js';
import { healthBody } from './health/health-body.js';
import { ErrorFilter } from './http/error.filter.js';
import { acceptJsonOnly } from './http/json-body.js';
import { limitHandlers } from './http/handler-limit.js';
import { measureRequests } from './http/request-metrics.js';
import { addResponseHeaders, rejectUnroutable } from './http/response-headers.js';
import { RouteMethods } from './http/route-methods.js';
import { InFlightRequests } from './load/in-flight-requests.js';
import { shedRequests } from './load/shed-requests.js';
import { metricsPath } from './metrics/metrics.controller.js';
import { ApiDescription } from './openapi/api-description.js';
import { forwardRequests } from './proxy/pass-on.js';
import { WebSocketTunnel } from './proxy/websocket-tunnel.js';
import type { GatewayService } from './stores/open-stores.js';

const { bodyBytes: bodyLimitBytes, pathParameterLength: maxParamLength } = requestLimits;
const atRoot = ['health', 'health/live', 'health/ready', 'metrics'];

/** The REST door, ready to listen: the module with the conventions that hold for each of its routes. */
export async function createGateway(service: GatewayService): Promise<NestFastifyApplication> {
  service.answerHealthWith((report) => healthBody(report, service.version));
  const app = await createHttpApp(GatewayModule, service, {
    bodyLimitBytes,
    trustProxy: service.settings.TRUSTED_PROXY_HOPS,
    rejectUnroutable,
    bodies: {
      maxBytes: service.settings.HTTP_MAX_BODY_BYTES_IN_FLIGHT,
      ownerOf: (request) => ownerOfBody(request, service.settings),
      isExempt: ({ routeOptions }) => Boolean((routeOptions.config as { passedOn?: boolean }).passedOn),
    },
  });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.decorateRequest('principal', null);
  fastify.decorateRequest('waitedMs', 0);
  addResponseHeaders(fastify, { hsts: service.settings.ENABLE_HSTS });
  measureRequests(fastify, service.metrics);
  limitHandlers(fastify);
  await compressAnswers(app);
  allowOrigins(app, service.settings);
  // After the headers that let a page of another origin read the refusal.
  shedRequests(fastify, app.get(InFlightRequests));
  declareAccess(app);
  admitRequests(fastify, app.get(RequestAdmission));
  acceptJsonOnly(app, bodyLimitBytes);
  app.useGlobalFilters(new ErrorFilter(app.get(AppLogger), new RouteMethods(fastify, maxParamLength)));
  forwardRequests(fastify, service.settings, service.logger);
  app.setGlobalPrefix('api/v1', { exclude: [...atRoot, metricsPath, `${metricsPath}/prometheus`] });
  app.get(ApiDescription).of(app);
  return app;
}

function ownerOfBody({ principal, headers, socket }: FastifyRequest, settings: GatewaySettings): BodyOwner {
  if (principal) return { name: principal.organizationId, share: 1 / 2 };
  const address = clientAddress(headers, socket.remoteAddress ?? 'unknown', proxyTrust(settings));
  return { name: addressBlock(address), share: 1 / 8 };
}

/** WebSockets lead past Fastify. They are cut before the door closes, or it would wait for them. */
export function openTunnel(app: NestFastifyApplication, { settings, logger, onStop }: GatewayService): void {
  const trust = proxyTrust(settings);
  const tunnel = new WebSocketTunnel({ path: '/api/v1/ws', upstream: settings.REALTIME_URL, trust, logger });
  tunnel.attach(app.getHttpServer());
  onStop('WebSocket tunnels', () => tunnel.close());
}

async function compressAnswers(app: NestFastifyApplication): Promise<void> {
  await app.register(fastifyCompress, {
    globalDecompression: false,
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // The best quality of brotli takes longer than most of our answers do.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
}

/** Any origin while developing; in production only those that the operator names. */
function allowOrigins(app: NestFastifyApplication, settings: GatewaySettings): void {
  app.enableCors({
    origin: isProduction(settings) ? [...settings.CORS_ALLOWED_ORIGINS] : true,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    allowedHeaders: ['authorization', 'content-type', 'x-api-key', 'x-request-id', 'x-admin-key', 'x-organization-id'],
    exposedHeaders: [
      'x-request-id',
      'x-api-version',
      'retry-after',
      'link',
      'x-next-cursor',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
    ],
    maxAge: 600,
  });
}
