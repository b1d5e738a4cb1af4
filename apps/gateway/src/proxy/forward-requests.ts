import httpProxy from '@fastify/http-proxy';
import { requestLimits } from '@spooled/contracts';
import { SpooledError, unavailable } from '@spooled/domain';
import type { AppLogger } from '@spooled/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { bodyTooLarge, clientDisconnected, hasDisconnected, proxyTrust, sendError } from '@spooled/service';
import type { GatewaySettings } from '../gateway.config.js';
import { forwardedHeaders } from './forwarded-headers.js';
import { type Readable, Transform } from 'node:stream';

/** A service that callers reach through the gateway. */
interface Upstream {
  /** Used in the error when the service is unavailable. */
  name: string;
  url: string;
  prefixes: string[];
}

const headersTimeoutMs = 30_000;
/** Every open event stream uses one. */
const maxConnections = 20_000;

const proxyOptions = {
  config: { forwarded: true },
  undici: { connections: maxConnections, pipelining: 1, headersTimeout: headersTimeoutMs, bodyTimeout: 0 },
};

/** A route below a forwarded prefix that the gateway serves itself. */
const ownPath = { path: '/api/v1/webhooks/deliveries', method: 'GET' };

/** The upstream services. Without its setting, the paths of a service are 404 here and must be routed by an ingress. */
export const upstreamsOf = ({ REALTIME_URL, WEBHOOKS_URL }: GatewaySettings): Upstream[] => [
  ...(REALTIME_URL
    ? [{ name: 'The realtime service', url: REALTIME_URL, prefixes: ['/api/v1/ws', '/api/v1/events'] }]
    : []),
  ...(WEBHOOKS_URL ? [{ name: 'The webhooks service', url: WEBHOOKS_URL, prefixes: ['/api/v1/webhooks'] }] : []),
];

/**
 * Forwards requests unchanged: bodies byte for byte, so that signatures stay valid, and responses as streams. The upstream service
 * authenticates and rate-limits the caller itself, because an ingress may also call it directly.
 */
export function forwardRequests(fastify: FastifyInstance, settings: GatewaySettings, logger: AppLogger): void {
  const trust = proxyTrust(settings);
  const rewriteRequestHeaders = (request: FastifyRequest, headers: IncomingHttpHeaders) => ({
    ...headers,
    // This server has already sent 100 Continue.
    expect: undefined,
    // The credential in it has become a header, and cookies of other services on this host are not for this one.
    cookie: undefined,
    ...forwardedHeaders(
      { headers: request.headers, remoteAddress: request.socket.remoteAddress ?? '', requestId: request.id },
      trust,
    ),
  });
  for (const { name, url, prefixes } of upstreamsOf(settings)) {
    // The casts are needed because the plugin's types include HTTP/2, which the gateway does not serve.
    const onError = (reply: FastifyReply, { error }: { error: Error }) => sendUpstreamError(name, error, reply, logger);
    const replyOptions = { rewriteRequestHeaders: rewriteRequestHeaders as never, onError: onError as never };
    for (const prefix of prefixes) {
      void fastify.register(async (scope) => {
        // Bodies are not parsed: signed bytes must arrive unchanged.
        scope.removeAllContentTypeParsers();
        scope.addHook('onRequest', refuseOtherMethods);
        limitForwardedBodies(scope, requestLimits.bodyBytes);
        await scope.register(httpProxy, {
          upstream: url,
          prefix,
          rewritePrefix: prefix,
          replyOptions,
          ...proxyOptions,
        });
      });
    }
  }
}

/** Only requests that no route of the gateway matches arrive here, so that one for its own path has another method. */
async function refuseOtherMethods({ url, method }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (url.split('?', 1)[0] !== ownPath.path) return;
  sendError(
    reply.header('allow', ownPath.method),
    new SpooledError('METHOD_NOT_ALLOWED', `${method} is not allowed here`),
  );
}

function sendUpstreamError(name: string, cause: Error, reply: FastifyReply, logger: AppLogger): void {
  if (hasDisconnected(reply.request)) return void reply.status(clientDisconnected).send();
  const ownError = [cause, cause.cause].find((one) => one instanceof SpooledError);
  const error = ownError ?? unavailable(name, 1, cause);
  if (!ownError) logger.warn({ err: cause, dependency: name }, error.message);
  sendError(reply, error);
}

/**
 * Rejects bodies that are too large for the upstream service. The service would close the connection, and its response might be lost.
 * Here the caller keeps its connection and can read the response; the rest of its body is discarded.
 */
function limitForwardedBodies(scope: FastifyInstance, maxBytes: number): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    done(Number(request.headers['content-length'] ?? 0) > maxBytes ? bodyTooLarge() : undefined);
  });
  scope.addHook('preParsing', (request, _reply, payload, done) => {
    const hasUnknownLength = request.headers['transfer-encoding'] !== undefined;
    done(null, hasUnknownLength ? limitBytes(maxBytes, payload as Readable) : payload);
  });
}

function limitBytes(maxBytes: number, payload: Readable): Readable {
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(bodyTooLarge());
      else done(null, chunk);
    },
  });
  payload.once('error', (error) => counter.destroy(error));
  counter.once('error', () => payload.unpipe(counter).resume());
  return payload.pipe(counter);
}
