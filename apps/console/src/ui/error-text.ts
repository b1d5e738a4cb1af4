import { NetworkError, SpooledError } from '@spooled/sdk/browser';

/** What a user can read of an error, with the request's id for the operator's log. */
export function explainError(error: unknown): string {
  if (error instanceof NetworkError) return 'The server cannot be reached.';
  if (!(error instanceof SpooledError)) return error instanceof Error ? error.message : String(error);
  const details = Object.entries(error.details)
    .map(([field, problem]) => `${field}: ${String(problem)}`)
    // Most messages name the fields themselves.
    .filter((detail) => !error.message.includes(detail));
  const request = error.status >= 500 && error.requestId ? ` (request ${error.requestId})` : '';
  return [error.message + request, ...details].join(' · ');
}
