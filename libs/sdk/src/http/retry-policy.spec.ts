import { NetworkError, QuotaExceededError, RateLimitError, ServerError } from './errors.js';
import { defaultRetries, nextDelay, retryPolicyOf } from './retry-policy.js';

const server = new ServerError('away', 503, 'SERVICE_UNAVAILABLE');
const limited = (retryAfter: number | null) =>
  Object.assign(new RateLimitError('slow down', 429, 'RATE_LIMIT_EXCEEDED'), { retryAfter });
const refused = new NetworkError('no', new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }));
const broken = new NetworkError('no', new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }));

describe('retries', () => {
  it('have an exponential backoff with jitter and a maximum', () => {
    const delays = [1, 2, 3].map((attempt) => nextDelay(defaultRetries, server, attempt, true, 1));
    expect(delays).toEqual([100, 200, 400]);
    expect(nextDelay(defaultRetries, server, 1, true, 0)).toBe(50);
    expect(nextDelay({ ...defaultRetries, retries: 99 }, server, 50, true, 1)).toBe(10_000);
    expect(nextDelay(defaultRetries, server, 4, true)).toBeNull();
  });

  it('end by default, also when their number is undefined', () => {
    const policy = retryPolicyOf({ retries: undefined, delayMs: undefined, maxDelayMs: 200 });
    expect([1, 2, 3, 4].map((attempt) => nextDelay(policy, server, attempt, true, 1))).toEqual([100, 200, 200, null]);
  });

  it('happen only for idempotent requests if the first attempt may have been executed', () => {
    expect(nextDelay(defaultRetries, server, 1, false)).toBeNull();
    expect(nextDelay(defaultRetries, broken, 1, false)).toBeNull();
    expect(nextDelay(defaultRetries, broken, 1, true)).not.toBeNull();
    expect(nextDelay(defaultRetries, refused, 1, false)).not.toBeNull();
    expect(nextDelay({ ...defaultRetries, retryAll: true }, server, 1, false)).not.toBeNull();
  });

  it('follow Retry-After of rate limits, and do not happen for plan limits', () => {
    expect(nextDelay(defaultRetries, limited(7), 1, false)).toBe(7_000);
    expect(nextDelay(defaultRetries, limited(61), 1, false)).toBeNull();
    expect(nextDelay(defaultRetries, limited(null), 1, false, 1)).toBe(100);
    expect(nextDelay(defaultRetries, new QuotaExceededError('full', 429, 'QUOTA_EXCEEDED'), 1, true)).toBeNull();
  });
});
