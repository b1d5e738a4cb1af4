import { TimeLimitError } from '@spooled/platform';

/** Why a call was refused by our rules, in words for the receiver's owner. */
export class CallbackError extends Error {
  override readonly name = 'CallbackError';
}

/** Whether the call failed because of our rules, not because of a missing response. */
export const isCallbackError = (error: unknown): boolean => rootOf(error) instanceof CallbackError;

/** The reason of a failed request, shown to the receiver's owner. */
export function reasonOf(error: unknown): string {
  const cause = rootOf(error);
  if (cause instanceof CallbackError) return cause.message;
  if (cause instanceof TimeLimitError) return 'The receiver did not respond in time';
  const { code } = cause as NodeJS.ErrnoException;
  return [code, cause.message].filter(Boolean).join(': ') || cause.name;
}

/** The reason of a failed request for programs: a code of Node or undici, `timeout`, `not_allowed` or `failed`. */
export function codeOf(error: unknown): string {
  const cause = rootOf(error);
  if (cause instanceof CallbackError) return 'not_allowed';
  if (cause instanceof TimeLimitError) return 'timeout';
  return (cause as NodeJS.ErrnoException).code ?? 'failed';
}

/** Sockets that tried several addresses aggregate their errors; the first one is representative. */
function rootOf(error: unknown): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return error instanceof Error ? error : new Error(String(error));
}
