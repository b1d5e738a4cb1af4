import fastifyCompress from '@fastify/compress';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { requestLimits } from '@spooled/contracts';
import {
  AddressLimits,
  admitRequests,
  createHttpService,
  proxyTrust,
  rateCostHeader,
  rateHeaders,
  serveConsole,
  UnsentBytes,
} from '@spooled/service';
import type { FastifyInstance } from 'fastify';
import { constants } from 'node:zlib';
import { identifyCallers } from './audit/identify-callers.js';
import { limitAnonymousBodies, RequestAdmission } from './auth/request-admission.js';
import { RequestLimits } from './auth/request-limits.js';
import { declareAccess, type RouteAccess } from './auth/route-access.js';
import type { GatewayService } from './gateway.config.js';
import { authenticateConsole } from './console/authenticate-console.js';
import { ConsoleSessions } from './console/console-sessions.service.js';
import { GatewayModule } from './gateway.module.js';
import { GrpcServer } from './grpc-server/grpc-server.js';
import { enforceHandlerTimeout } from './http/handler-timeout.js';
import { acceptJsonOnly } from './http/json-body.js';
import { measureRequests } from './http/request-metrics.js';
import { replicaLagHeader } from './http/stale-read.js';
import { InFlightRequests } from './load/in-flight-requests.js';
import { ownerOfRequest } from './load/share-owner.js';
import { shedRequests } from './load/shed-requests.js';
import { limitUnsentResponses } from './load/unsent-responses.js';
import { metricsPath } from './metrics/metrics.controller.js';
import { forwardRequests } from './proxy/forward-requests.js';
import { warmUpGateway } from './warm-up.js';
import { WebSocketTunnel } from './proxy/websocket-tunnel.js';

const { bodyBytes: bodyLimitBytes } = requestLimits;
const atRoot = ['health', 'health/live', 'health/ready', 'metrics'];

const cors = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  allowedHeaders: [
    'authorization',
    'cache-control',
    'content-type',
    'idempotency-key',
    'x-api-key',
    'x-request-id',
    'x-admin-key',
    'x-organization-id',
  ],
  exposedHeaders: [
    'x-request-id',
    'x-api-version',
    'retry-after',
    'link',
    'x-next-cursor',
    'x-has-more',
    replicaLagHeader,
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'x-ratelimit-scope',
    rateCostHeader,
  ],
};

/** Creates the REST server, ready to listen, with the conventions of all routes. */
export async function createGateway(service: GatewayService): Promise<NestFastifyApplication> {
  const app = await createHttpService(GatewayModule, service, {
    bodyLimitBytes,
    trustProxy: service.settings.TRUSTED_PROXY_HOPS,
    cors,
    webSockets: true,
    bodies: {
      maxBytes: service.settings.HTTP_MAX_BODY_BYTES_IN_FLIGHT,
      ownerOf: (request) => ownerOfRequest(request, service.settings),
      isExempt: ({ routeOptions }) => Boolean((routeOptions.config as { forwarded?: boolean }).forwarded),
      onRefused: () => service.metrics.requestsShed.inc({ protocol: 'rest', reason: 'body_bytes' }),
    },
  });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.decorateRequest('principal', null);
  fastify.decorateRequest('checks', null);
  fastify.decorateRequest('waitedMs', 0);
  fastify.decorateRequest('isMeasured', false);
  authenticateConsole(fastify, app.get(ConsoleSessions), service.settings);
  measureRequests(fastify, service.metrics);
  enforceHandlerTimeout(fastify);
  limitUnsentResponses(fastify, {
    unsent: app.get(UnsentBytes),
    ownerOf: (request) => ownerOfRequest(request, service.settings),
    unreadMs: service.settings.UNREAD_TIMEOUT_SECS * 1000,
    logger: service.logger,
    onRefused: () => service.metrics.requestsShed.inc({ protocol: 'rest', reason: 'unsent_bytes' }),
  });
  // After that: it counts responses as they are made.
  await compressResponses(app);
  // After CORS, so that browsers can read the refusal.
  shedRequests(fastify, app.get(InFlightRequests), (request) => ownerOfRequest(request, service.settings));
  declareAccess(app);
  limitAnonymousBodies(fastify);
  const [admission, limits] = [app.get(RequestAdmission), app.get(RequestLimits)];
  admitRequests(fastify, app.get(AddressLimits), {
    policy: (request, reply) => admission.admit(request, reply),
    refuseUnknown: (request, reply) => limits.checkAddress(request, reply),
    lastKnown: ({ principal, routeOptions }) =>
      isUnlimited(routeOptions.config as Partial<RouteAccess> | undefined) ? null : limits.lastKnown(principal),
  });
  acceptJsonOnly(app, bodyLimitBytes);
  identifyCallers(fastify, service.settings);
  forwardRequests(fastify, service.settings, service.logger);
  if (service.settings.CONSOLE_ENABLED) addConsole(fastify, service);
  app.setGlobalPrefix('api/v1', { exclude: [...atRoot, metricsPath, `${metricsPath}/prometheus`] });
  return app;
}

/** The console's files, without credential and rate limit. */
function addConsole(fastify: FastifyInstance, { logger }: GatewayService): void {
  const config: object = { access: 'unlimited' } satisfies Partial<RouteAccess>;
  if (serveConsole(fastify, { config })) return;
  logger.warn('the console is not built, /console is not served; "npm run build" builds it');
}

const isUnlimited = (config: Partial<RouteAccess> | undefined): boolean => config?.access === 'unlimited';

/** Starts the WebSocket tunnel and the gRPC server. Both stop before the REST server. */
export async function openProtocols(app: NestFastifyApplication, service: GatewayService): Promise<void> {
  await warmUpGateway(app, service);
  openTunnel(app, service);
  const grpc = app.get(GrpcServer);
  service.onStop('gRPC', () => grpc.close());
  await grpc.listen();
}

/** Forwards WebSockets outside of Fastify. They are closed before the server, which would otherwise wait for them. */
export function openTunnel(app: NestFastifyApplication, { settings, logger, onStop }: GatewayService): void {
  const trust = proxyTrust(settings);
  const addresses = app.get(AddressLimits);
  const headers = () => rateHeaders(addresses.uncounted());
  const unreadMs = settings.UNREAD_TIMEOUT_SECS * 1000;
  const upstream = settings.REALTIME_URL;
  const tunnel = new WebSocketTunnel({ path: '/api/v1/ws', upstream, trust, unreadMs, logger, headers });
  tunnel.attach(app.getHttpServer());
  onStop('WebSocket tunnels', () => tunnel.close());
}

async function compressResponses(app: NestFastifyApplication): Promise<void> {
  await app.register(fastifyCompress, {
    globalDecompression: false,
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // The default quality of brotli takes longer than most responses.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
}
