import httpProxy from '@fastify/http-proxy';
import { requestLimits } from '@spooled/contracts';
import { SpooledError, unavailable } from '@spooled/domain';
import type { AppLogger } from '@spooled/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { proxyTrust } from '@spooled/service';
import type { GatewaySettings } from '../gateway.config.js';
import { hasDisconnected, clientDisconnected, sendError } from '../http/error-response.js';
import { forwardedHeaders } from './forwarded-headers.js';
import { limitForwardedBodies } from './passed-on-bodies.js';

/** A service that callers reach through us. */
interface Upstream {
  /** As callers are told when it is away. */
  name: string;
  url: string;
  prefixes: string[];
}

const headersTimeoutMs = 30_000;
/** Every open event stream holds one. */
const maxConnections = 20_000;

const transparent = {
  config: { passedOn: true },
  undici: { connections: maxConnections, pipelining: 1, headersTimeout: headersTimeoutMs, bodyTimeout: 0 },
};

/** The services behind this door; without a setting its paths are unknown here, and an ingress leads to them. */
export const upstreamsOf = ({ REALTIME_URL, WEBHOOKS_URL }: GatewaySettings): Upstream[] => [
  ...(REALTIME_URL
    ? [{ name: 'The realtime service', url: REALTIME_URL, prefixes: ['/api/v1/ws', '/api/v1/events'] }]
    : []),
  ...(WEBHOOKS_URL ? [{ name: 'The webhooks service', url: WEBHOOKS_URL, prefixes: ['/api/v1/webhooks'] }] : []),
];

/**
 * Passes requests on as they are: bodies byte for byte, answers as they come, so that signatures hold and event streams
 * flow. Who is asking and how often is checked by the service itself, which an ingress may also reach directly.
 */
export function forwardRequests(fastify: FastifyInstance, settings: GatewaySettings, logger: AppLogger): void {
  const trust = proxyTrust(settings);
  const rewriteRequestHeaders = (request: FastifyRequest, headers: IncomingHttpHeaders) => ({
    ...headers,
    // Answered by this server: the body is on its way.
    expect: undefined,
    ...forwardedHeaders(
      { headers: request.headers, remoteAddress: request.socket.remoteAddress ?? '', requestId: request.id },
      trust,
    ),
  });
  for (const { name, url, prefixes } of upstreamsOf(settings)) {
    // The plugin's types think of HTTP/2 too, which is not what we serve: hence the casts.
    const onError = (reply: FastifyReply, { error }: { error: Error }) => answerFor(name, error, reply, logger);
    const replyOptions = { rewriteRequestHeaders: rewriteRequestHeaders as never, onError: onError as never };
    for (const prefix of prefixes) {
      void fastify.register(async (scope) => {
        // Here nothing is parsed: what a signature covers must arrive byte for byte.
        scope.removeAllContentTypeParsers();
        limitForwardedBodies(scope, requestLimits.bodyBytes);
        await scope.register(httpProxy, { upstream: url, prefix, rewritePrefix: prefix, replyOptions, ...transparent });
      });
    }
  }
}

function answerFor(name: string, cause: Error, reply: FastifyReply, logger: AppLogger): void {
  if (hasDisconnected(reply.request)) return void reply.status(clientDisconnected).send();
  const refusal = [cause, cause.cause].find((one) => one instanceof SpooledError);
  const error = refusal ?? unavailable(name, 1, cause);
  if (refusal) return sendError(reply, error);
  logger.warn({ err: cause, dependency: name }, error.message);
  sendError(reply, error);
}
