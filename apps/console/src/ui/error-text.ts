import { NetworkError, ServerError, SpooledError } from '@spooled/sdk/browser';

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

/** Whether the server may have done an act that failed: no answer arrived, or none that says so. */
export const mayBeDone = (error: unknown): boolean =>
  error instanceof NetworkError ||
  error instanceof ServerError ||
  (error instanceof SpooledError && error.code === 'FOREIGN_RESPONSE');

/** What a user can read of an act that failed. */
export const explainFailedAct = (error: unknown): string =>
  mayBeDone(error)
    ? `${explainError(error).replace(/\.$/, '')}. It is not known whether this was done: look before you repeat it.`
    : explainError(error);
