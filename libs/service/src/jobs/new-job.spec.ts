import { type jobSchemas, JsonDocument } from '@spooled/contracts';
import { planLimits } from '@spooled/domain';
import { documentText, newJobs, newJobsOfBulk, utc } from './new-job.js';

const document = (value: unknown) => new JsonDocument(value);

describe('documentText', () => {
  const limits = planLimits('free', {}, { max_payload_size_bytes: 100 });

  it('SP-98 counts bytes of JSON, not characters, and accepts exactly the limit', () => {
    // Two quotes and 49 letters of two bytes each.
    const fits = 'ü'.repeat(49);
    expect(documentText('payload', document(fits), { maxBytes: 1000, limits, byPlan: true })).toBe(`"${fits}"`);
    expect(() => documentText('payload', document(`${fits}x`), { maxBytes: 1000, limits, byPlan: true })).toThrow(
      'payload: 101 bytes exceed the limit of 100 bytes',
    );
  });

  it('limits results by the server setting, not by the plan', () => {
    expect(documentText('result', document('x'.repeat(200)), { maxBytes: 1000, limits, byPlan: false })).toHaveLength(
      202,
    );
    expect(() => documentText('result', document('x'.repeat(999)), { maxBytes: 1000, limits, byPlan: false })).toThrow(
      '1001',
    );
  });
});

describe('a document', () => {
  const own = planLimits('free', {}, { max_payload_size_bytes: 100 });
  const refusal = (bytes: number, maxBytes: number, byPlan = true) => {
    try {
      return documentText('payload', document('x'.repeat(bytes - 2)), { maxBytes, limits: own, byPlan }) && null;
    } catch (error) {
      return (error as { extras: object }).extras;
    }
  };

  it('SP-98 over the limit of the plan is refused with the plan that allows more, and over that of the server without', () => {
    const plan = { error: 'payload_too_large', current: 101, plan: 'free' };
    expect(refusal(101, 1000)).toEqual({ ...plan, limit: 100, upgrade_to: 'starter' });
    expect(refusal(101, 100)).toEqual({ ...plan, limit: 100, upgrade_to: null });
    expect(refusal(101, 100, false)).toEqual({ ...plan, limit: 100, upgrade_to: null });
    expect([refusal(100, 1000), refusal(100, 100), refusal(101, 101, false)]).toEqual([null, null, null]);
  });

  it.each<[string, () => unknown, boolean]>([
    ['half a surrogate pair', () => '\ud83d', true],
    ['the other half in a name', () => ({ 'a\udc00': 1 }), true],
    ['half a pair after a backslash', () => '\\\ud83d', true],
    ['a whole pair', () => '\ud83d\ude00', false],
    ['a backslash before the letters', () => '\\ud83d', false],
  ])('with %s is refused if PostgreSQL cannot hold it', (_, value, isRefused) => {
    const read = () => documentText('payload', document(value()), { maxBytes: 1000, limits: own, byPlan: false });
    if (isRefused) expect(read).toThrow('payload: must not contain half a surrogate pair');
    else expect(read).not.toThrow();
  });
});

describe('new jobs', () => {
  const rules = { maxBytes: 1000, limits: planLimits('enterprise'), policy: { production: true, httpHosts: [] } };
  const body = (more: object = {}) =>
    ({ queue_name: 'mail', payload: document({}), ...more }) as unknown as jobSchemas.CreateJobBody;
  const only = (more: object) => newJobs([body(more)], rules)[0]!.job;
  const fieldsOf = (run: () => unknown): string[] => {
    try {
      run();
      return [];
    } catch (error) {
      return Object.keys((error as { details: object }).details);
    }
  };

  it('have their own ids, and null where the queue decides', () => {
    const [first, second] = newJobs([body(), body()], rules);
    expect(first!.job.id).not.toBe(second!.job.id);
    expect(first!.job).toMatchObject({ priority: 0, maxRetries: null, timeoutSeconds: null, parentJobId: null });
    expect(first!.job).not.toHaveProperty('settings');
  });

  it('SP-98 have payloads within the limit of the plan, and their settings as JSON', () => {
    const free = { ...rules, limits: planLimits('free', {}, { max_payload_size_bytes: 10 }) };
    const large = body({ payload: document('x'.repeat(9)) });
    expect(() => newJobs([body(), large], free)).toThrow('jobs[1].payload: 11 bytes exceed the limit of 10 bytes');
    const callback_url = 'https://hooks.example.com/';
    expect(only({ callback_url })).toMatchObject({ settings: JSON.stringify({ callback_url }) });
  });

  it('have no idempotency key and no secret if these are empty, and the parent in lower case', () => {
    const id = '019AA0E8-0000-7000-8000-00000000000A';
    const empty = only({ idempotency_key: '', completion_webhook_secret: '', parent_job_id: id });
    expect(empty).toMatchObject({ idempotencyKey: null, completionWebhookSecret: null, parentJobId: id.toLowerCase() });
    expect(() => only({ parent_job_id: 'x' })).toThrow('parent_job_id');
  });

  it('SP-57 are refused by the name of the field, with its place among several jobs', () => {
    const wrong = {
      completion_webhook: 'https://10.0.0.1/',
      completion_webhook_secret: 'shh',
      callback_url: 'http://hooks.example.com/',
      callback_timeout_seconds: 1,
    };
    for (const [name, value] of Object.entries(wrong)) {
      expect(fieldsOf(() => only({ [name]: value }))).toEqual([name]);
      expect(fieldsOf(() => newJobs([body(), body({ [name]: value })], rules))).toEqual([`jobs[1].${name}`]);
    }
    const url = 'https://hooks.example.com/';
    expect(only({ completion_webhook: url, completion_webhook_secret: 'shh' })).toMatchObject({
      completionWebhook: url,
      completionWebhookSecret: 'shh',
    });
  });

  it('of a bulk take its defaults where they set nothing themselves, also where that is 0', () => {
    const defaults = { default_priority: 7, default_max_retries: 8, default_timeout_seconds: 9 };
    const own = { priority: 0, max_retries: 0, timeout_seconds: 1 };
    const jobs = [{ payload: document(1) }, { payload: document(2), ...own }];
    const prepared = newJobsOfBulk({ queue_name: 'mail', jobs, ...defaults } as never, rules);
    expect(prepared.map(({ path, queueName }) => [path, queueName])).toEqual([
      ['jobs[0].', 'mail'],
      ['jobs[1].', 'mail'],
    ]);
    expect(prepared.map(({ job }) => [job.priority, job.maxRetries, job.timeoutSeconds])).toEqual([
      [7, 8, 9],
      [0, 0, 1],
    ]);
  });
});

describe('utc', () => {
  it.each([
    ['2026-11-21T12:00:00+02:00', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00.123456789Z', '2026-11-21T10:00:00.123Z'],
    [null, null],
    [undefined, null],
  ])('reads %s as %s', (instant, expected) => {
    expect(utc(instant)).toBe(expected);
  });
});
