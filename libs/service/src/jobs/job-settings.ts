import { asObject } from '@spooled/data-access';
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
