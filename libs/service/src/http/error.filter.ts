import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { SpooledError } from '@spooled/domain';
import { AppLogger } from '@spooled/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientDisconnected, hasDisconnected, logFailure, sendError, toSpooledError } from './error-response.js';
import { RouteMethods } from './route-methods.js';

/** These are returned on unknown routes as well: probing for routes is limited. */
const isOverLimit = (thrown: unknown): boolean =>
  thrown instanceof SpooledError && (thrown.status === 429 || thrown.status === 503);

/** Converts errors to HTTP responses, and logs each 5xx. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: AppLogger,
    private readonly routes: RouteMethods,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent) return this.logger.debug({ err: thrown }, 'handler failed after the response was sent');
    const request = http.getRequest<FastifyRequest>();
    if (hasDisconnected(request)) return void reply.status(clientDisconnected).send();
    const error = request.is404 && !isOverLimit(thrown) ? this.noRoute(request, reply) : toSpooledError(thrown);
    if (!request.skipAccessLog) logFailure(this.logger, error, 'request failed');
    sendError(reply, error);
  }

  private noRoute(request: FastifyRequest, reply: FastifyReply): SpooledError {
    const allowed = this.routes.of(request.url);
    if (allowed.length === 0) return new SpooledError('NOT_FOUND', 'Route not found');
    void reply.header('allow', allowed.join(', '));
    return new SpooledError('METHOD_NOT_ALLOWED', `${request.method} is not allowed here`);
  }
}
