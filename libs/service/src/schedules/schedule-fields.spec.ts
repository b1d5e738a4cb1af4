import type { scheduleSchemas } from '@spooled/contracts';
import { changedSchedule, newSchedule } from './schedule-fields.js';

const policy = { production: true, httpHosts: [] };
const created = { name: 'nightly', cron_expression: '0 3 * * *', queue_name: 'reports', payload_template: {} };
const callback = {
  callback_url: 'https://hooks.example.com/a',
  callback_headers: { 'x-token': 'secret' },
  callback_secret: 'shh',
  callback_timeout_seconds: 9,
};
const backoff = { strategy: 'fixed', delay_ms: 5 } as const;
const stored = { retry_strategy: 'fixed', retry_delay_ms: 5 };

const schedule = (more: object = {}) =>
  newSchedule({ ...created, ...more } as unknown as scheduleSchemas.CreateScheduleBody, '{}', policy);
/** The settings of a schedule with a receiver and backoff after an update. */
function settingsAfter(body: object, before = schedule({ ...callback, backoff })): unknown {
  const { settings } = changedSchedule(before, body as scheduleSchemas.UpdateScheduleBody, null, policy);
  return settings === null ? null : JSON.parse(settings);
}

describe('the receiver of a schedule', () => {
  it('stays with an update that does not name it', () => {
    expect(settingsAfter({ name: 'daily' })).toEqual({ ...callback, ...stored });
    expect(settingsAfter({ callback_timeout_seconds: 8 })).toEqual({
      ...callback,
      ...stored,
      callback_timeout_seconds: 8,
    });
    expect(settingsAfter({ callback_url: callback.callback_url, callback_secret: 'new' })).toEqual({
      ...callback,
      ...stored,
      callback_secret: 'new',
    });
    expect(settingsAfter({ name: 'daily' }, schedule())).toBeNull();
  });

  it('does not get the headers and the secret of the one before it', () => {
    const other = { callback_url: 'https://evil.test/a' };
    expect(settingsAfter(other)).toEqual({ ...other, ...stored });
    expect(settingsAfter({ ...other, callback_secret: 'own' })).toEqual({
      ...other,
      callback_secret: 'own',
      ...stored,
    });
    expect(settingsAfter({ callback_url: null })).toEqual(stored);
    expect(settingsAfter({ callback_url: null, backoff: null })).toBeNull();
  });

  it('loses a part that is null', () => {
    const { callback_headers: _, ...rest } = callback;
    expect(settingsAfter({ callback_headers: null })).toEqual({ ...rest, ...stored });
    expect(settingsAfter({ backoff: null })).toEqual(callback);
  });

  it.each([
    ['callback_url', { callback_url: 'http://hooks.example.com' }],
    ['callback_headers', { callback_url: null, callback_headers: { a: 'b' } }],
    ['callback_secret', { callback_url: null, callback_secret: 'shh' }],
    ['callback_timeout_seconds', { callback_url: null, callback_timeout_seconds: 1 }],
  ])('is refused by the name of its field: %s', (field, body) => {
    for (const attempt of [() => settingsAfter(body), () => schedule(body)])
      expect(attempt).toThrow(expect.objectContaining({ status: 400, details: { [field]: expect.any(String) } }));
  });
});
