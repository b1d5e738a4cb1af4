import { JsonDocument, type scheduleSchemas } from '@spooled/contracts';
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

describe('the fields of a schedule', () => {
  const document = (value: unknown) => new JsonDocument(value);
  const own = {
    ...{
      name: 'daily',
      description: 'text',
      cron_expression: '0 4 * * *',
      timezone: 'Europe/Zurich',
      queue_name: 'mail',
    },
    ...{ priority: 0, max_retries: 0, timeout_seconds: 7 },
  };
  const documents = { tags: '["a"]', metadata: '{"b":1}' };
  const given = { ...own, tags: document(['a']), metadata: document({ b: 1 }) };
  const changed = (body: object, before = schedule(given)) =>
    changedSchedule(before, body as scheduleSchemas.UpdateScheduleBody, null, policy);
  const defaults = {
    ...{ description: null, timezone: 'UTC', priority: 0, max_retries: 3, timeout_seconds: 300 },
    ...{ is_active: true, tags: null, metadata: null, settings: null, payload_template: '{}' },
  };

  it('are those that were given, or defaults', () => {
    const { payload_template: _, ...rest } = created;
    expect(schedule()).toEqual({ ...rest, ...defaults });
    expect(schedule(given)).toEqual({ ...defaults, ...own, ...documents });
  });

  it('are changed alone, and stay where nothing is given', () => {
    const before = schedule(given);
    expect(changed({}, before)).toEqual(before);
    for (const [name, value] of Object.entries({ ...own, priority: 3, is_active: false }))
      expect(changed({ [name]: value }, schedule())).toEqual({ ...schedule(), [name]: value });
    expect(changedSchedule(before, {}, '[1]', policy)).toEqual({ ...before, payload_template: '[1]' });
  });

  it('are cleared by null if they are optional, and stay if they are not', () => {
    const cleared = changed({ description: null, tags: null, metadata: null, timezone: null, priority: null });
    expect(cleared).toEqual({ ...schedule(given), description: null, tags: null, metadata: null });
    expect(changed({ tags: document([]), metadata: document({}) })).toMatchObject({ tags: '[]', metadata: '{}' });
  });
});

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
