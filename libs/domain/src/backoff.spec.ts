import fc from 'fast-check';
import { checkRetrySettings, defaultRetryPolicy, retryDelayMs, retryPolicyOf, type RetryPolicy } from './backoff.js';

const policies: fc.Arbitrary<RetryPolicy> = fc.record({
  strategy: fc.constantFrom('exponential', 'linear', 'fixed'),
  baseMs: fc.nat(100_000),
  factor: fc.double({ min: 1, max: 10, noNaN: true }),
  capMs: fc.nat(10_000_000),
  jitterMs: fc.nat(5_000),
  jitterRatio: fc.double({ min: 0, max: 1, noNaN: true }),
});
const random01 = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const retries = fc.nat(2_000);

describe('retry delay', () => {
  it('SP-26 SP-27 MQ-18 waits 1, 2, 4, 8, 16 s and so on up to an hour, plus at most 500 ms', () => {
    const delays = [0, 1, 2, 3, 4, 11, 12, 500].map((n) => retryDelayMs(defaultRetryPolicy, n, 0));
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 2_048_000, 3_600_000, 3_600_000]);
    expect(retryDelayMs(defaultRetryPolicy, 0, 0.999999)).toBe(1_500);
  });

  it('MQ-19 MQ-20 grows by the attempt when linear and not at all when fixed', () => {
    const linear: RetryPolicy = { ...defaultRetryPolicy, strategy: 'linear' };
    const fixed: RetryPolicy = { ...defaultRetryPolicy, strategy: 'fixed' };
    expect([0, 1, 2].map((n) => retryDelayMs(linear, n, 0))).toEqual([1_000, 2_000, 3_000]);
    expect([0, 1, 2].map((n) => retryDelayMs(fixed, n, 0))).toEqual([1_000, 1_000, 1_000]);
  });

  it('SP-26 never waits with a base of zero, also after so many attempts that the growth has no number', () => {
    expect(retryDelayMs({ ...defaultRetryPolicy, baseMs: 0, jitterMs: 0 }, 2_000, 0)).toBe(0);
  });

  it('SP-26 MQ-21 never shrinks from one attempt to the next and never passes the cap', () => {
    fc.assert(
      fc.property(policies, retries, random01, (policy, retryCount, random) => {
        const delay = retryDelayMs(policy, retryCount, random);
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(policy.capMs);
        expect(retryDelayMs(policy, retryCount + 1, random)).toBeGreaterThanOrEqual(delay);
      }),
    );
  });

  it('MQ-21 reaches from below to above the plain delay by the relative jitter', () => {
    const policy: RetryPolicy = { ...defaultRetryPolicy, strategy: 'fixed', jitterMs: 0, jitterRatio: 0.3 };
    expect([0, 0.5, 0.999999].map((random) => retryDelayMs(policy, 0, random))).toEqual([700, 1_000, 1_300]);
  });

  it('MQ-21 stays within the jitter', () => {
    fc.assert(
      fc.property(policies, retries, random01, (policy, retryCount, random) => {
        const plain = retryDelayMs({ ...policy, jitterMs: 0, jitterRatio: 0 }, retryCount, 0);
        const delay = retryDelayMs(policy, retryCount, random);
        expect(delay).toBeGreaterThanOrEqual(Math.floor(plain * (1 - policy.jitterRatio)) - 1);
        expect(delay).toBeLessThanOrEqual(Math.ceil(plain * (1 + policy.jitterRatio) + policy.jitterMs) + 1);
      }),
    );
  });
});

describe('retry policy of a queue', () => {
  it('SP-26 takes what the settings say', () => {
    const settings = { retry_strategy: 'linear', retry_delay_ms: 50, max_retry_delay_ms: 900, retry_jitter_ms: 0 };
    expect(retryPolicyOf(settings)).toEqual({
      ...defaultRetryPolicy,
      strategy: 'linear',
      baseMs: 50,
      capMs: 900,
      jitterMs: 0,
    });
  });

  it('falls back member by member where a setting makes no sense', () => {
    const nonsense = {
      retry_strategy: 'often',
      retry_delay_ms: '5',
      backoff_multiplier: 0.5,
      max_retry_delay_ms: -1,
      retry_jitter_ms: Infinity,
    };
    expect(retryPolicyOf(nonsense)).toEqual(defaultRetryPolicy);
    expect(retryPolicyOf({ ...nonsense, backoff_multiplier: 3 }).factor).toBe(3);
    expect(retryPolicyOf(null)).toEqual(defaultRetryPolicy);
  });

  it('SP-26 accepts the ends of each range, and says what is wrong beyond them', () => {
    expect(checkRetrySettings({ retry_delay_ms: 2_592_000_000, retry_jitter_ratio: 0 })).toBeNull();
    expect(checkRetrySettings({ backoff_multiplier: 100.5 })).toEqual({
      field: 'backoff_multiplier',
      reason: 'must be a number from 1 to 100',
    });
    expect(checkRetrySettings({ retry_strategy: 'often' })).toEqual({
      field: 'retry_strategy',
      reason: 'must be exponential, linear, fixed',
    });
  });
});
