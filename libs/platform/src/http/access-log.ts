import { SpanStatusCode } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppLogger } from '../log/logger.js';
import { resumeLogContext, type LogContext } from '../log/log-context.js';
import { openSpan, type OpenSpan } from '../telemetry/spans.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Logs the request at level debug only: for refusals under load, which are logged in sum. */
    skipAccessLog: boolean;
  }
}

interface RequestContext {
  context: LogContext;
  span: OpenSpan;
}

function begin(request: FastifyRequest): RequestContext {
  const route = request.routeOptions.url ?? 'unknown route';
  const traceparent = request.headers.traceparent;
  const span = openSpan(`${request.method} ${route}`, {
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : null,
    attributes: { 'http.request.method': request.method, 'http.route': route },
  });
  return { context: { requestId: request.id }, span };
}

const resume = ({ context, span }: RequestContext, fn: () => void): void =>
  resumeLogContext(context, () => span.run(fn));

function finish({ span }: RequestContext, request: FastifyRequest, reply: FastifyReply, logger: AppLogger): void {
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

/** Gives each request an id in its response, a span, a log context and an access log line. */
export function logRequests(fastify: FastifyInstance, logger: AppLogger): void {
  const contexts = new WeakMap<FastifyRequest, RequestContext>();
  fastify.decorateRequest('skipAccessLog', false);
  fastify.addHook('onRequest', (request, reply, done) => {
    const context = begin(request);
    contexts.set(request, context);
    void reply.header('x-request-id', request.id);
    // Fastify keeps this context while it reads the body, up to the handler.
    resume(context, done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const context = contexts.get(request);
    if (context) resume(context, () => finish(context, request, reply, logger));
    done();
  });
}
