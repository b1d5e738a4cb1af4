import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { badRequest, internalError, notFound, SpooledError } from '@spooled/domain';
import { AppLogger } from '@spooled/platform';
import type { FastifyReply } from 'fastify';

/** The one place where errors become HTTP, and where a 5xx is logged. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: AppLogger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = toSpooledError(thrown);
    if (error.code === 'SERVICE_UNAVAILABLE') this.logger.warn({ err: error }, error.message);
    else if (error.status >= 500) this.logger.error({ err: error }, 'request failed');
    const { code, status, message, details, extras, retryAfterSeconds } = error;
    if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
    void reply.status(status).send({ code, message, ...(details && { details }), ...extras });
  }
}

/** Nest's and Fastify's own refusals carry an HTTP status; everything else that is not ours is a bug. */
function toSpooledError(thrown: unknown): SpooledError {
  if (thrown instanceof SpooledError) return thrown;
  const status = thrown instanceof HttpException ? thrown.getStatus() : Number(Object(thrown).statusCode);
  if (status === 404) return notFound('Route');
  if (status === 413) return new SpooledError('PAYLOAD_TOO_LARGE', 'The body is too large', { extras: tooLarge });
  if (status >= 400 && status < 500) return badRequest('The request is malformed');
  return internalError(thrown);
}

const tooLarge = { error: 'payload_too_large', current: null, limit: null, plan: null, upgrade_to: null };
