import { type PushTarget, targetIn } from './queue-settings.js';

/**
 * Settings of one job, under the names of queue settings: they take precedence over those of its queue. Stored with the job, and with
 * the schedule that creates it.
 */
export interface JobSettings {
  callback_url?: string;
  callback_headers?: Record<string, string>;
  callback_secret?: string;
  callback_timeout_seconds?: number;
  retry_strategy?: string;
  retry_delay_ms?: number;
  backoff_multiplier?: number;
  max_retry_delay_ms?: number;
  retry_jitter_ms?: number;
  retry_jitter_ratio?: number;
}

/** The fields of a job or a schedule that callers send; null and absent mean none. */
export interface JobSettingFields {
  callback_url?: string | null;
  callback_headers?: Record<string, string> | null;
  callback_secret?: string | null;
  callback_timeout_seconds?: number | null;
  backoff?: BackoffFields | null;
}

/** How long a failed job waits; times in milliseconds. */
export interface BackoffFields {
  strategy?: string | null;
  delay_ms?: number | null;
  multiplier?: number | null;
  max_delay_ms?: number | null;
  jitter_ms?: number | null;
  jitter_ratio?: number | null;
}

const backoffNames = {
  strategy: 'retry_strategy',
  delay_ms: 'retry_delay_ms',
  multiplier: 'backoff_multiplier',
  max_delay_ms: 'max_retry_delay_ms',
  jitter_ms: 'retry_jitter_ms',
  jitter_ratio: 'retry_jitter_ratio',
} as const;
const backoffFields = Object.entries(backoffNames) as [keyof BackoffFields, string][];

/** What is stored of these fields; null when they set nothing. */
export function jobSettingsOf({ backoff, ...callback }: JobSettingFields): JobSettings | null {
  const given = [
    ...Object.entries(callback),
    ...backoffFields.map(([field, name]) => [name, backoff?.[field]] as const),
  ].filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0 ? null : (Object.fromEntries(given) as JobSettings);
}

/** The fields that these settings came from. */
export function fieldsOfJobSettings(settings: JobSettings | null): JobSettingFields {
  const { callback_url, callback_headers, callback_secret, callback_timeout_seconds } = settings ?? {};
  return {
    callback_url,
    callback_headers,
    callback_secret,
    callback_timeout_seconds,
    backoff: visibleJobSettings(settings).backoff,
  };
}

/** The receiver of calls to a URL: scheme, host and port. */
export const originOf = (callbackUrl: string): string => URL.parse(callbackUrl)?.origin ?? callbackUrl;

/** What callers may see: neither the secret nor the values of headers, which may hold secrets too. */
export interface VisibleJobSettings {
  callback_url: string | null;
  callback_header_names: string[];
  callback_timeout_seconds: number | null;
  backoff: BackoffFields | null;
}

export function visibleJobSettings(settings: JobSettings | null): VisibleJobSettings {
  const stored = (settings ?? {}) as Record<string, unknown>;
  const backoff = backoffFields.filter(([, name]) => name in stored).map(([field, name]) => [field, stored[name]]);
  return {
    callback_url: settings?.callback_url ?? null,
    callback_header_names: Object.keys(settings?.callback_headers ?? {}),
    callback_timeout_seconds: settings?.callback_timeout_seconds ?? null,
    backoff: backoff.length === 0 ? null : (Object.fromEntries(backoff) as BackoffFields),
  };
}

/**
 * Where one job is sent: to its own receiver if it names one, else to its queue's. The queue's secret and headers never go to a job's
 * receiver, because a key that may create jobs must not read them.
 */
export function targetOfJob(queue: PushTarget, settings: Record<string, unknown> | null): PushTarget {
  if (settings === null || typeof settings.callback_url !== 'string') return queue;
  const own = targetIn(settings);
  return { ...own, timeoutSeconds: own.timeoutSeconds ?? queue.timeoutSeconds, concurrency: queue.concurrency };
}
