import { checkCallbackUrl, type CallbackPolicy } from './callback-url.js';

/** Where the jobs of a push queue are sent (MQ-03, MQ-10). */
export interface PushTarget {
  url: string;
  /** Signs every call. */
  secret: string | null;
  /** How long a call may take; null = as long as the job's own timeout says. */
  timeoutSeconds: number | null;
  /** Jobs under way at once: over all workers and replicas when the queue says it, else for each replica. */
  concurrency: number;
}

/** What a push queue gets that does not say: enough to keep a receiver busy, too little to hurt one. */
export const defaultPushConcurrency = 10;
const maxConcurrency = 10_000;
const maxTimeoutSeconds = 3_600;
const maxSecretLength = 255;

const isWhole = (value: unknown, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max;
const isSecret = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= maxSecretLength;

/** Where a queue's jobs are pushed to, or null when workers fetch them. What makes no sense counts as absent. */
export function pushTargetOf(settings: Record<string, unknown>): PushTarget | null {
  const { callback_url, callback_secret, callback_timeout_seconds, concurrency } = settings;
  if (typeof callback_url !== 'string') return null;
  return {
    url: callback_url,
    secret: isSecret(callback_secret) ? callback_secret : null,
    timeoutSeconds: isWhole(callback_timeout_seconds, maxTimeoutSeconds) ? callback_timeout_seconds : null,
    concurrency: isWhole(concurrency, maxConcurrency) ? concurrency : defaultPushConcurrency,
  };
}

/** Settings that are nobody's business but the queue's owner's: they are stored and never shown. */
export const secretQueueSettings = ['callback_secret'] as const;

/**
 * What is wrong with those settings of a queue that we act on, or null. The others are the caller's own; null takes a setting away.
 */
export function checkQueueSettings(
  settings: Record<string, unknown>,
  policy: CallbackPolicy,
): { field: string; reason: string } | null {
  const { callback_url, callback_secret, callback_timeout_seconds, concurrency } = settings;
  const wrong = (field: string, reason: string) => ({ field: `settings.${field}`, reason });
  if (callback_url != null) {
    const reason = typeof callback_url === 'string' ? checkCallbackUrl(callback_url, policy) : 'must be a string';
    if (reason) return wrong('callback_url', reason);
  }
  if (callback_secret != null && !isSecret(callback_secret)) {
    return wrong('callback_secret', `must be a string of 1 to ${maxSecretLength} characters`);
  }
  if (callback_timeout_seconds != null && !isWhole(callback_timeout_seconds, maxTimeoutSeconds)) {
    return wrong('callback_timeout_seconds', `must be a whole number from 1 to ${maxTimeoutSeconds}`);
  }
  if (concurrency != null && !isWhole(concurrency, maxConcurrency)) {
    return wrong('concurrency', `must be a whole number from 1 to ${maxConcurrency}`);
  }
  return null;
}
