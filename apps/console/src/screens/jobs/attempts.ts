import type { JobSummary } from '@spooled/sdk/browser';

/** A job in one of these has had an attempt that was no failure, or that was not retried. */
const ended: ReadonlySet<JobSummary['status']> = new Set(['processing', 'completed', 'failed', 'deadletter']);

/** How many attempts of a job have begun, with the running one. The server counts the retries. */
export const attemptsOf = ({ status, attempt, maxRetries }: JobSummary): number =>
  ended.has(status) ? Math.min(attempt, maxRetries) + 1 : attempt;
