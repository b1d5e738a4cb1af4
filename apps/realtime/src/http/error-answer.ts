import { HttpException } from '@nestjs/common';
import { badRequest, internalError, notFound, SpooledError } from '@spooled/domain';
import type { AppLogger } from '@spooled/platform';

/** An error as the contract's HTTP answer. */
export interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown> & { code: string; message: string };
}

/** Turns whatever was thrown into an answer. Failures of ours are logged here, once, with their cause. */
export function toErrorResponse(thrown: unknown, logger: AppLogger): ErrorResponse {
  const error = toSpooledError(thrown);
  const { code, status, message, details, extras, retryAfterSeconds } = error;
  if (status >= 500) logger.error({ err: error, code }, 'a stream could not be opened');
  return {
    status,
    headers: {
      'x-api-version': '1',
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
    body: { code, message, ...(details && { details }), ...extras },
  };
}

/** Nest's and Fastify's own refusals carry an HTTP status; everything else that is not ours is a bug. */
function toSpooledError(thrown: unknown): SpooledError {
  if (thrown instanceof SpooledError) return thrown;
  const status = thrown instanceof HttpException ? thrown.getStatus() : Number(Object(thrown).statusCode);
  if (status === 404) return notFound('Route');
  if (status >= 400 && status < 500) return badRequest((thrown as Error).message);
  return internalError(thrown);
}
