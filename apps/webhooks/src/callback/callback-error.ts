import { TimeLimitError } from '@spooled/platform';

/** Why a receiver was not reached, in words that its owner may read. */
export class CallbackError extends Error {
  override readonly name = 'CallbackError';
}

/** Whether the call was given up by our rules, and not for want of an answer. */
export const isCallbackError = (error: unknown): boolean => rootOf(error) instanceof CallbackError;

/** What the owner of a receiver is told about a failed request. */
export function reasonOf(error: unknown): string {
  const cause = rootOf(error);
  if (cause instanceof CallbackError) return cause.message;
  if (cause instanceof TimeLimitError) return 'The receiver did not answer in time';
  const { code } = cause as NodeJS.ErrnoException;
  return [code, cause.message].filter(Boolean).join(': ') || cause.name;
}

/** Sockets that tried several addresses bundle their errors; the first one tells the story. */
function rootOf(error: unknown): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return error instanceof Error ? error : new Error(String(error));
}
