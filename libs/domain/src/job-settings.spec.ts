import { retryDelayMs, retryPolicyOf } from './backoff.js';
import { fieldsOfJobSettings, jobSettingsOf, targetOfJob, visibleJobSettings, originOf } from './job-settings.js';
import { targetIn } from './queue-settings.js';

const fields = {
  callback_url: 'https://job.example',
  callback_headers: { 'X-Key': 'value' },
  callback_secret: 'shh',
  backoff: { strategy: 'fixed', delay_ms: 5_000, jitter_ms: 0 },
};

describe('settings of one job', () => {
  it('MQ-04 are stored under the names of queue settings, and nothing is stored for none', () => {
    expect(jobSettingsOf({})).toBeNull();
    expect(jobSettingsOf({ callback_url: null, backoff: { delay_ms: null } })).toBeNull();
    const stored = jobSettingsOf(fields)!;
    expect(stored).toEqual({
      callback_url: 'https://job.example',
      callback_headers: { 'X-Key': 'value' },
      callback_secret: 'shh',
      retry_strategy: 'fixed',
      retry_delay_ms: 5_000,
      retry_jitter_ms: 0,
    });
    expect(retryDelayMs(retryPolicyOf({ retry_delay_ms: 1, ...stored }), 3, 0.5)).toBe(5_000);
    expect(jobSettingsOf(fieldsOfJobSettings(stored))).toEqual(stored);
  });

  it('are shown without secret and values of headers', () => {
    const shown = visibleJobSettings(jobSettingsOf(fields));
    expect(shown).toEqual({
      callback_url: 'https://job.example',
      callback_header_names: ['X-Key'],
      callback_timeout_seconds: null,
      backoff: fields.backoff,
    });
    const none = { callback_url: null, callback_header_names: [], callback_timeout_seconds: null, backoff: null };
    expect(visibleJobSettings(null)).toEqual(none);
  });

  it('MQ-10 lead to the receiver of the job, which gets neither the headers nor the secret of its queue', () => {
    const queue = targetIn({
      callback_url: 'https://queue.example',
      callback_headers: { 'X-Queue': 'secret' },
      callback_secret: 'of the queue',
      callback_timeout_seconds: 7,
      concurrency: 3,
    });
    expect(targetOfJob(queue, null)).toBe(queue);
    expect(targetOfJob(queue, { retry_delay_ms: 1 })).toBe(queue);
    expect(['https://job.example:8443/a?b', 'no URL'].map(originOf)).toEqual(['https://job.example:8443', 'no URL']);
    const own = { url: 'https://job.example', headers: {}, secret: null, timeoutSeconds: 7, concurrency: 3 };
    expect(targetOfJob(queue, { callback_url: 'https://job.example' })).toEqual(own);
    const whole = jobSettingsOf({ ...fields, callback_timeout_seconds: 2 });
    expect(targetOfJob(queue, whole as Record<string, unknown>)).toEqual({
      ...own,
      headers: { 'X-Key': 'value' },
      secret: 'shh',
      timeoutSeconds: 2,
    });
  });
});
