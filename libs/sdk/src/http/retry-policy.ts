import { requireAmount, requireKnown } from '../app/known-options.js';
import { NetworkError, RateLimitError, ServerError, SpooledError } from './errors.js';

export interface RetryOptions {
  /** Maximum retries. @default 3 */
  retries?: number;
  /** Delay before the first retry in milliseconds; doubles each time. @default 100 */
  delayMs?: number;
  /** Maximum delay in milliseconds without Retry-After. @default 10000 */
  maxDelayMs?: number;
  /** Maximum Retry-After in milliseconds; if it is longer, the error is thrown. @default 60000 */
  maxRetryAfterMs?: number;
  /**
   * Also retry requests that may have been executed although there was no response. For callers that check the effects themselves.
   * @default false
   */
  retryAll?: boolean;
}

export type RetryPolicy = Required<RetryOptions>;

export const defaultRetries: RetryPolicy = {
  retries: 3,
  delayMs: 100,
  maxDelayMs: 10_000,
  maxRetryAfterMs: 60_000,
  retryAll: false,
};

/**
 * The policy with the defaults of what is not given.
 * @throws TypeError naming a wrong option: with NaN a request would be repeated without end
 */
export function retryPolicyOf(options: RetryOptions = {}): RetryPolicy {
  requireKnown(options, defaultRetries, 'retry.');
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) if (name !== 'retryAll') requireAmount(value, `retry.${name}`);
  return { ...defaultRetries, ...Object.fromEntries(given) };
}

/**
 * The delay before the next attempt in milliseconds; null = do not retry.
 *
 * @param attempt number of failed attempts, from 1
 * @param idempotent whether executing the request twice has the effect of once
 * @param random jitter from 0 to 1
 */
export function nextDelay(
  policy: RetryPolicy,
  error: unknown,
  attempt: number,
  idempotent: boolean,
  random = Math.random(),
): number | null {
  if (attempt > policy.retries || !mayRetry(error, idempotent || policy.retryAll)) return null;
  if (error instanceof SpooledError && error.retryAfter !== null) {
    const wait = error.retryAfter * 1000;
    return wait > policy.maxRetryAfterMs ? null : wait;
  }
  const longest = Math.min(policy.delayMs * 2 ** (attempt - 1), policy.maxDelayMs);
  return longest * (0.5 + random / 2);
}

function mayRetry(error: unknown, idempotent: boolean): boolean {
  // A rate limited request was not executed. Plan limits are another error, which is not retried.
  if (error instanceof RateLimitError) return true;
  return mayHaveRun(error) ? idempotent : error instanceof NetworkError;
}

/** Whether the server may have executed the request although this is the error. */
export const mayHaveRun = (error: unknown): boolean =>
  error instanceof NetworkError ? !error.neverSent : error instanceof ServerError;
