import { SpanStatusCode } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppLogger } from '../log/logger.js';
import { resumeLogContext, type LogContext } from '../log/log-context.js';
import { openSpan, type OpenSpan } from '../telemetry/spans.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Leaves the access line to level debug: for answers that come by the thousand and that somebody else sums up. */
    skipAccessLog: boolean;
  }
}

interface Trail {
  context: LogContext;
  span: OpenSpan;
}

function begin(request: FastifyRequest): Trail {
  const route = request.routeOptions.url ?? 'unknown route';
  const traceparent = request.headers.traceparent;
  const span = openSpan(`${request.method} ${route}`, {
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : null,
    attributes: { 'http.request.method': request.method, 'http.route': route },
  });
  return { context: { requestId: request.id }, span };
}

const resume = ({ context, span }: Trail, fn: () => void): void => resumeLogContext(context, () => span.run(fn));

function finish({ span }: Trail, request: FastifyRequest, reply: FastifyReply, logger: AppLogger): void {
  const fields = {
    method: request.method,
    path: request.url,
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    ip: request.ip,
  };
  if (request.skipAccessLog) logger.debug(fields, 'request');
  else if (reply.statusCode >= 500) logger.warn(fields, 'request');
  else if (request.url.startsWith('/health')) logger.debug(fields, 'request');
  else logger.info(fields, 'request');
  span.span.setAttribute('http.response.status_code', reply.statusCode);
  if (reply.statusCode >= 500) span.span.setStatus({ code: SpanStatusCode.ERROR });
  span.span.end();
}

/** Gives each request what it can be found by later: its id in the answer, a span, a log context and an access line. */
export function logRequests(fastify: FastifyInstance, logger: AppLogger): void {
  const trails = new WeakMap<FastifyRequest, Trail>();
  fastify.decorateRequest('quietTrail', false);
  fastify.addHook('onRequest', (request, reply, done) => {
    const trail = begin(request);
    trails.set(request, trail);
    void reply.header('x-request-id', request.id);
    // Fastify itself carries this context over the reading of the body into the handler.
    resume(trail, done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const trail = trails.get(request);
    if (trail) resume(trail, () => finish(trail, request, reply, logger));
    done();
  });
}
