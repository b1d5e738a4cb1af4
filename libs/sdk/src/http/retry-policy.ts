import { NetworkError, RateLimitError, ServerError, SpooledError } from './errors.js';

export interface RetryOptions {
  /** Further tries after the first. @default 3 */
  retries?: number;
  /** Wait before the first retry in ms; doubles each time. @default 100 */
  delayMs?: number;
  /** Longest wait between two tries in ms, where the server does not ask for one. @default 10000 */
  maxDelayMs?: number;
  /** Longest wait in ms that a server may ask for; when it asks for more, its error is thrown. @default 60000 */
  maxRetryAfterMs?: number;
  /**
   * Also repeat requests that may have been carried out although no answer came. For callers that check outcomes
   * themselves. @default false
   */
  repeatAll?: boolean;
}

export type RetryPolicy = Required<RetryOptions>;

export const defaultRetries: RetryPolicy = {
  retries: 3,
  delayMs: 100,
  maxDelayMs: 10_000,
  maxRetryAfterMs: 60_000,
  repeatAll: false,
};

/**
 * Ms to wait before the next try; null = give up.
 *
 * @param attempt failed tries so far, from 1
 * @param repeatable whether carrying the request out twice is as good as once
 * @param random from 0 to 1: spreads clients that failed together
 */
export function nextDelay(
  policy: RetryPolicy,
  error: unknown,
  attempt: number,
  repeatable: boolean,
  random = Math.random(),
): number | null {
  if (attempt > policy.retries || !mayRepeat(error, repeatable || policy.repeatAll)) return null;
  if (error instanceof SpooledError && error.retryAfter !== null) {
    const wait = error.retryAfter * 1000;
    return wait > policy.maxRetryAfterMs ? null : wait;
  }
  const longest = Math.min(policy.delayMs * 2 ** (attempt - 1), policy.maxDelayMs);
  return longest * (0.5 + random / 2);
}

function mayRepeat(error: unknown, repeatable: boolean): boolean {
  // What was limited was not carried out. A limit of the plan is another error, and stays.
  if (error instanceof RateLimitError) return true;
  if (error instanceof NetworkError) return repeatable || error.neverSent;
  return error instanceof ServerError && repeatable;
}
