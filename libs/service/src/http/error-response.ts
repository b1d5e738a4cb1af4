import { HttpException } from '@nestjs/common';
import { toDatabaseError } from '@spooled/data-access';
import { internalError, notFound, SpooledError, type ErrorShape, type ErrorCode } from '@spooled/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Errors of Node, Fastify and Nest by status. */
const frameworkErrors: Record<number, readonly [ErrorCode, string]> = {
  400: ['BAD_REQUEST', 'The request is malformed'],
  404: ['NOT_FOUND', 'Route not found'],
  405: ['METHOD_NOT_ALLOWED', 'Method not allowed'],
  408: ['REQUEST_TIMEOUT', 'The request took too long'],
  413: ['PAYLOAD_TOO_LARGE', 'The body is too large'],
  // The router's status for a path parameter that is longer than any id or name, so it is unknown.
  414: ['NOT_FOUND', 'Not found'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json'],
};

interface Coded {
  code?: unknown;
  severity?: unknown;
  statusCode?: unknown;
}

/** Converts any thrown value to the product's error. Unexpected errors become a 500 with the cause for the log. */
export function toSpooledError(thrown: unknown): SpooledError {
  if (thrown instanceof SpooledError) return thrown;
  const { code, severity, statusCode } = (thrown ?? {}) as Coded;
  if (code === 'FST_ERR_HANDLER_TIMEOUT') return ofFramework(408, thrown);
  if (thrown instanceof HttpException) return ofFramework(thrown.getStatus(), thrown);
  if (severity !== undefined) return toDatabaseError(thrown);
  // Of Fastify, and of plugins, such as the proxy's for a path that escapes its prefix.
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return ofFramework(statusCode, thrown);
  return internalError(thrown);
}

function ofFramework(status: number, cause: unknown): SpooledError {
  const known = frameworkErrors[status];
  if (!known) return status >= 500 ? internalError(cause) : notFound('Route');
  return new SpooledError(known[0], known[1], { cause, ...(status === 413 && { extras: tooLarge }) });
}

export const bodyTooLarge = (): SpooledError => ofFramework(413, undefined);

const tooLarge = { error: 'payload_too_large', current: null, limit: null, plan: null, upgrade_to: null };

/** nginx's status for a caller that disconnects before its request is complete; not an error of the server. */
export const clientDisconnected = 499;
export const hasDisconnected = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** An error as an HTTP response. */
export interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

export const toErrorResponse = (error: SpooledError): ErrorResponse => ({
  status: error.status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(error.retryAfterSeconds) }),
  },
  body: errorBody(error),
});

export function sendError(reply: FastifyReply, error: SpooledError): void {
  const { status, headers, body } = toErrorResponse(error);
  void reply.status(status).headers(headers).send(body);
}

/** The body of an error response. */
export const errorBody = ({ code, message, details, extras }: ErrorShape) => ({
  code,
  message,
  ...(details && { details }),
  ...extras,
});

interface ErrorLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Logs the cause of a 5xx, which callers do not see. A route that is not supported is no failure. A refusal that no error caused, such as
 * one for load, has no stack: the first one in 10 s would cost 40 ms or more (`SourcePositions`), and callers can provoke it.
 */
export function logFailure(log: ErrorLog, error: SpooledError, message: string): void {
  if (error.status < 500 || error.code === 'NOT_IMPLEMENTED') return;
  if (error.code === 'SERVICE_UNAVAILABLE') log.warn(error.cause === undefined ? {} : { err: error }, error.message);
  else log.error({ err: error }, message);
}
