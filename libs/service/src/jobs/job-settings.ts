import { asObject, findPushingQueues, type TenantTransaction } from '@spooled/data-access';
import {
  checkCallbackUrl,
  invalidField,
  jobSettingsOf,
  type CallbackPolicy,
  type JobSettingFields,
  type JobSettings,
} from '@spooled/domain';

/** Stored settings of a job or a schedule. */
export const asJobSettings = (stored: unknown): JobSettings | null =>
  stored === null || stored === undefined ? null : (asObject(stored) as JobSettings);

/**
 * The settings in the fields of a job or a schedule; null without any.
 * @param path of the fields in the body, such as `jobs[3].`
 * @throws SpooledError 400 for a URL that callbacks may not be sent to (SP-57), and for headers, a secret or a timeout without a URL
 */
export function readJobSettings(fields: JobSettingFields, policy: CallbackPolicy, path = ''): JobSettings | null {
  const { callback_url, callback_headers, callback_secret, callback_timeout_seconds, backoff } = fields;
  // Nearly all jobs; looking at each field took 0.6 µs of each.
  const asked = callback_url ?? callback_headers ?? callback_secret ?? callback_timeout_seconds ?? backoff ?? null;
  if (asked === null) return null;
  const own = { callback_headers, callback_secret, callback_timeout_seconds };
  if (callback_url) {
    const reason = checkCallbackUrl(callback_url, policy);
    if (reason) throw invalidField(`${path}callback_url`, reason);
  } else {
    const name = Object.entries(own).find(([, value]) => value !== undefined && value !== null)?.[0];
    if (name) throw invalidField(`${path}${name}`, 'needs a callback_url');
  }
  return jobSettingsOf({ callback_url, ...own, backoff });
}

/** @throws SpooledError 400 if one of these has a callback in a queue whose jobs only workers take */
export async function requirePushingQueues(
  tx: TenantTransaction,
  jobs: { queueName: string; settings: JobSettings | null; path?: string }[],
): Promise<void> {
  const called = jobs.filter(({ settings }) => settings?.callback_url !== undefined);
  if (called.length === 0) return;
  const pushing = await findPushingQueues(tx, [...new Set(called.map(({ queueName }) => queueName))]);
  const wrong = called.find(({ queueName }) => !pushing.has(queueName));
  if (!wrong) return;
  const reason = `queue "${wrong.queueName}" does not push its jobs: set its settings.push or settings.callback_url`;
  throw invalidField(`${wrong.path ?? ''}callback_url`, reason);
}
