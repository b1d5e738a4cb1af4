import { checkCallbackHeaders } from './callback-headers.js';
import { checkRetrySettings, retrySettingNames } from './backoff.js';
import { causeReportSettingNames, checkCauseReportSettings } from './cause-reports.js';
import { checkCallbackUrl, type CallbackPolicy } from './callback-url.js';
import { knownNameLike } from './misspelt-name.js';

/** Where the jobs of a push queue are sent (MQ-03, MQ-10). */
export interface PushTarget {
  /** Null: the queue has no receiver of its own, only its jobs do. */
  url: string | null;
  /** Secret that signs every call. */
  secret: string | null;
  /** Sent with every call, and not to other origins that the receiver redirects to. */
  headers: Record<string, string>;
  /** Timeout of a call; null = the job's own timeout. */
  timeoutSeconds: number | null;
  /** Maximum concurrent jobs: over all workers and replicas if the queue sets it, else per replica. */
  concurrency: number;
}

/** Default concurrency of a push queue: enough to keep a receiver busy without overloading it. */
export const defaultPushConcurrency = 10;
const maxConcurrency = 10_000;
const maxTimeoutSeconds = 3_600;
const maxSecretLength = 255;

const isWhole = (value: unknown, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max;
const isSecret = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= maxSecretLength;

/** The push target of a queue, or null when workers claim its jobs. Invalid settings count as absent. */
export const pushTargetOf = (settings: Record<string, unknown>): PushTarget | null =>
  typeof settings.callback_url === 'string' || settings.push === true ? targetIn(settings) : null;

/** The receiver that settings of a queue or a job name. */
export function targetIn(settings: Record<string, unknown>): PushTarget {
  const { callback_url, callback_headers, callback_secret, callback_timeout_seconds, concurrency } = settings;
  return {
    url: typeof callback_url === 'string' ? callback_url : null,
    secret: isSecret(callback_secret) ? callback_secret : null,
    headers: checkCallbackHeaders(callback_headers) === null ? (callback_headers as Record<string, string>) : {},
    timeoutSeconds: isWhole(callback_timeout_seconds, maxTimeoutSeconds) ? callback_timeout_seconds : null,
    concurrency: isWhole(concurrency, maxConcurrency) ? concurrency : defaultPushConcurrency,
  };
}

/** @internal The settings that this product interprets. The SDK has their types. */
export const queueSettingNames: readonly string[] = [
  'push',
  'callback_url',
  'callback_headers',
  'callback_secret',
  'callback_timeout_seconds',
  'concurrency',
  ...retrySettingNames,
  ...causeReportSettingNames,
];

/** A setting that is almost one of ours; stored, it would have no effect. */
function findMisspelt(settings: Record<string, unknown>): { field: string; reason: string } | null {
  for (const name in settings) {
    if (settings[name] === null || queueSettingNames.includes(name)) continue;
    const meant = knownNameLike(name, queueSettingNames);
    if (meant !== null) return { field: name, reason: `is unknown: use ${meant}` };
  }
  return null;
}

/**
 * The problem with the settings that this product interprets, or null. Other settings are the caller's own, unless their names are
 * almost known; null removes a setting.
 */
export function checkQueueSettings(
  settings: Record<string, unknown>,
  policy: CallbackPolicy,
): { field: string; reason: string } | null {
  const { push, callback_url, callback_headers, callback_secret, callback_timeout_seconds, concurrency } = settings;
  const wrong = (field: string, reason: string) => ({ field: `settings.${field}`, reason });
  if (callback_url != null) {
    const reason = typeof callback_url === 'string' ? checkCallbackUrl(callback_url, policy) : 'must be a string';
    if (reason) return wrong('callback_url', reason);
  }
  if (push != null && typeof push !== 'boolean') return wrong('push', 'must be true or false');
  if (callback_headers != null) {
    const reason = checkCallbackHeaders(callback_headers);
    if (reason) return wrong('callback_headers', reason);
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
  // Stored without effect, it would make callers believe that payloads are checked (BX-09).
  if (settings.payload_schema != null) {
    return wrong('payload_schema', 'is no setting: send the schema to PUT /api/v1/queues/{name}/payload-contract');
  }
  const problem = checkRetrySettings(settings) ?? checkCauseReportSettings(settings) ?? findMisspelt(settings);
  return problem && wrong(problem.field, problem.reason);
}
