/** How long a failed job waits before its next attempt. All times in milliseconds. */
export interface RetryPolicy {
  strategy: 'exponential' | 'linear' | 'fixed';
  baseMs: number;
  /** Growth of the exponential strategy per attempt; at least 1. */
  factor: number;
  /** No delay is longer than this, jitter included. */
  capMs: number;
  /** Added evenly from 0 up to this, so that jobs which failed together do not come back together. */
  jitterMs: number;
  /** Relative jitter: 0.3 means ±30 % (MQ-21). */
  jitterRatio: number;
}

const day = 86_400_000;

/** SP-26, SP-27: 1, 2, 4, 8 … seconds plus 0-500 ms, at most one hour. */
export const defaultRetryPolicy: Readonly<RetryPolicy> = Object.freeze({
  strategy: 'exponential',
  baseMs: 1_000,
  factor: 2,
  capMs: 3_600_000,
  jitterMs: 500,
  jitterRatio: 0,
});

const strategies: readonly unknown[] = ['exponential', 'linear', 'fixed'];

/** The bounds of the settings that are numbers. */
const bounds = {
  retry_delay_ms: { min: 0, max: 30 * day },
  backoff_multiplier: { min: 1, max: 100 },
  max_retry_delay_ms: { min: 0, max: 30 * day },
  retry_jitter_ms: { min: 0, max: day },
  retry_jitter_ratio: { min: 0, max: 1 },
} as const;

const isWithin = (value: unknown, { min, max }: { min: number; max: number }): value is number =>
  typeof value === 'number' && value >= min && value <= max;

/** The settings of a queue that `retryPolicyOf` reads. */
export const retrySettingNames = ['retry_strategy', ...Object.keys(bounds)];

/** The problem with the retry settings of a queue, or null. Absent and null members take the default. */
export function checkRetrySettings(settings: Record<string, unknown>): { field: string; reason: string } | null {
  const { retry_strategy: strategy } = settings;
  if (strategy !== undefined && strategy !== null && !strategies.includes(strategy)) {
    return { field: 'retry_strategy', reason: `must be ${strategies.join(', ')}` };
  }
  for (const [field, bound] of Object.entries(bounds)) {
    const value = settings[field];
    if (value === undefined || value === null || isWithin(value, bound)) continue;
    return { field, reason: `must be a number from ${bound.min} to ${bound.max}` };
  }
  return null;
}

/**
 * The policy that a queue's settings ask for. `retry_delay_ms`, `backoff_multiplier` and `max_retry_delay_ms` are
 * written by the published dashboard; `retry_strategy`, `retry_jitter_ms` and `retry_jitter_ratio` are our own.
 * Settings are checked when they are written; an older invalid member counts as absent, because it must not fail a job.
 */
export function retryPolicyOf(settings: Record<string, unknown> | null): RetryPolicy {
  if (settings === null) return { ...defaultRetryPolicy };
  const { strategy, baseMs, factor, capMs, jitterMs, jitterRatio } = defaultRetryPolicy;
  const given = (name: keyof typeof bounds, fallback: number) => {
    const value = settings[name];
    return isWithin(value, bounds[name]) ? value : fallback;
  };
  return {
    strategy: strategies.includes(settings.retry_strategy)
      ? (settings.retry_strategy as RetryPolicy['strategy'])
      : strategy,
    baseMs: given('retry_delay_ms', baseMs),
    factor: given('backoff_multiplier', factor),
    capMs: given('max_retry_delay_ms', capMs),
    jitterMs: given('retry_jitter_ms', jitterMs),
    jitterRatio: given('retry_jitter_ratio', jitterRatio),
  };
}

/**
 * Whole milliseconds until the next attempt.
 * @param retryCount retries before this failure: 0 when the first attempt failed
 * @param random01 a uniform random number in [0, 1)
 */
export function retryDelayMs(policy: RetryPolicy, retryCount: number, random01: number): number {
  const plain = Math.min(growth(policy, retryCount), policy.capMs);
  const jittered = plain * (1 + policy.jitterRatio * (2 * random01 - 1)) + policy.jitterMs * random01;
  return Math.round(Math.min(Math.max(jittered, 0), policy.capMs));
}

function growth({ strategy, baseMs, factor }: RetryPolicy, retryCount: number): number {
  switch (strategy) {
    case 'fixed':
      return baseMs;
    case 'linear':
      return baseMs * (retryCount + 1);
    case 'exponential':
      // 0 · ∞ would be NaN: a base of zero never waits, however often the job failed.
      return baseMs === 0 ? 0 : baseMs * factor ** retryCount;
  }
}
