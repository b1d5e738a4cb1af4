import { randomUUID } from 'node:crypto';
import { moveClock, msUntil, useSuperuser, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

// Requests that are made at once wait for each other.
const { database, gateway } = useGateway({ DATABASE_ACQUIRE_TIMEOUT_SECS: '60' });
const tenant = useTenantForEach(database);
const superuser = useSuperuser(database);
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
/** A value whose numbers are sent as they are written. */
const exact = (json: string): unknown =>
  JSON.parse(json, (_, value: unknown, context?: { source: string }) =>
    typeof value === 'number' ? rawJSON(context!.source) : value,
  );

const api = {
  post: (path: string, body: object = {}, key = tenant.key) => gateway.request('POST', path, key, body),
  get: (path: string, key = tenant.key) => gateway.request('GET', path, key),
};
const create = (more: object = {}, key = tenant.key) =>
  api.post('/jobs', { queue_name: 'mail', payload: {}, ...more }, key);
const bulk = (count: number, key = tenant.key, more: object = {}) =>
  api.post(
    '/jobs/bulk',
    { queue_name: 'mail', jobs: Array.from({ length: count }, () => ({ payload: {}, ...more })) },
    key,
  );
const throttle = (body: object, key = tenant.key) =>
  api.post('/throttles', { per_second: 0.01, expires_in_seconds: 1_800, ...body }, key);
const pending = async () => (await api.get('/jobs/stats')).body.pending as number;

describe('a throttle', () => {
  it('BX-15 of a key counts its jobs, not its requests, on every way in, and nobody else', async () => {
    const flooding = await tenant.keyAs('worker');
    const keys = (await api.get('/api-keys')).body as { id: string; role: string }[];
    const api_key_id = keys.find(({ role }) => role === 'worker')!.id;
    const { status, body } = await throttle({ api_key_id });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        api_key_id,
        api_key_name: expect.any(String),
        queue_name: null,
        tag: null,
        per_second: 0.01,
        created_at: expect.any(String),
        created_by: { kind: 'key', id: expect.any(String), name: 'spec' },
        expires_at: expect.any(String),
      },
    ]);
    // It is created at the begin of its transaction, and lasts from a later moment.
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBeGreaterThanOrEqual(1_800_000);
    expect(msUntil(body.expires_at)).toBeLessThanOrEqual(1_800_000);
    expect((await bulk(60, flooding)).status).toBe(200);
    const refused = await bulk(60, flooding);
    expect([refused.status, refused.headers['retry-after'], refused.body]).toMatchObject([
      429,
      '60',
      {
        code: 'THROTTLED',
        error: 'throttled',
        message: expect.stringContaining('0.01 per second'),
        throttle_id: body.id,
        per_second: 0.01,
        expires_at: body.expires_at,
        retry_after_secs: 60,
      },
    ]);
    const jobs = Array.from({ length: 19 }, (_, i) => ({ key: `k${i}`, queue_name: 'mail', payload: {} }));
    expect((await api.post('/workflows', { name: 'w', jobs }, flooding)).status).toBe(200);
    const batch = `/batches/${(await api.post('/batches', {}, flooding)).body.id}/jobs`;
    const members = { queue_name: 'mail', jobs: Array.from({ length: 20 }, () => ({ payload: {} })) };
    expect((await api.post(batch, members, flooding)).status).toBe(200);
    expect((await api.post(batch, members, flooding)).body.code).toBe('THROTTLED');
    expect((await create({}, flooding)).status).toBe(201);
    expect((await create({}, flooding)).body.code).toBe('THROTTLED');
    expect((await bulk(100)).status).toBe(200);
    expect(await pending()).toBe(200);
    expect((await api.get('/throttles')).body).toEqual({ throttles: [body] });
    const { problems } = (await api.get('/problems')).body;
    expect(problems.find(({ code }: { code: string }) => code === 'throttled')).toMatchObject({
      severity: 'info',
      places: [
        {
          queue: null,
          condition: { until: body.expires_at, details: { throttle_id: body.id, api_key_id, limit_per_second: 0.01 } },
          request: { method: 'DELETE', path: `/api/v1/throttles/${body.id}` },
        },
      ],
    });

    expect((await gateway.request('DELETE', `/throttles/${body.id}`, tenant.key)).status).toBe(204);
    expect((await gateway.request('DELETE', `/throttles/${body.id}`, tenant.key)).status).toBe(404);
    expect((await create({}, flooding)).status).toBe(201);
    expect((await api.get('/throttles')).body).toEqual({ throttles: [] });
  });

  it('BX-15 of a queue and a value of a tag counts only such jobs', async () => {
    await throttle({ queue_name: 'mail', tag: { name: 'customer', value: 'acme' } });
    await create();
    const { status, problems } = (await api.get('/queues/mail/explain')).body;
    expect(problems.filter(({ code }: { code: string }) => code === 'throttled')).toMatchObject([
      { details: { tag: { name: 'customer', value: 'acme' } }, message: expect.stringContaining('customer=acme') },
    ]);
    expect(status).toBe('stopped');
    await create({ queue_name: 'bills' });
    expect((await api.get('/queues/bills/explain')).body.problems).not.toContainEqual(
      expect.objectContaining({ code: 'throttled' }),
    );
    expect((await bulk(100, tenant.key, { tags: { customer: 'acme' } })).status).toBe(200);
    expect((await create({ tags: { customer: 'acme' } })).body.code).toBe('THROTTLED');
    expect((await create({ tags: { customer: 'acme' }, queue_name: 'bills' })).status).toBe(201);
    for (const tags of [{ customer: 'other' }, ['customer'], undefined])
      expect((await create(tags && { tags })).status).toBe(201);
  });

  it.each([
    '12345678901234567890',
    '1.50',
    '1.5e3',
    '15e-3',
    '-0.0',
    '1e200',
    'true',
    '"a:b=c %\\u202e"',
    '{"bb":1,"a":[1.0,"ü\\n\\u007f"],"ä":{}}',
  ])('BX-15 of the value %s of a tag counts the jobs that its preview counts', async (json) => {
    const tags = { customer: exact(json) };
    const { rows } = await superuser.query<{ value: string }>('SELECT $1::jsonb ->> 0 AS value', [`[${json}]`]);
    const tag = { name: 'customer', value: rows[0]!.value };
    const { status } = await throttle({ tag });
    expect([status, (await bulk(100, tenant.key, { tags })).status]).toEqual([201, 200]);
    expect((await throttle({ tag, dry_run: true })).body).toMatchObject({ created: 100 });
    expect((await create({ tags })).body.code).toBe('THROTTLED');
  });

  it('BX-15 does not count jobs that are refused for another reason', async () => {
    await throttle({ queue_name: 'mail' });
    for (let i = 0; i < 3; i++) {
      const { status } = await create({ parent_job_id: randomUUID() });
      expect(status).toBe(400);
    }
    expect((await bulk(100)).status).toBe(200);
    expect((await create()).status).toBe(429);
  });

  it('BX-15 takes nothing for jobs that another throttle refuses', async () => {
    const tag = await throttle({ tag: { name: 'customer' } });
    await throttle({ queue_name: 'mail' });
    const jobs = Array.from({ length: 100 }, () => ({ payload: {}, tags: { customer: 'acme' } }));
    expect((await api.post('/jobs/bulk', { queue_name: 'bills', jobs })).status).toBe(200);
    for (let i = 0; i < 3; i++)
      expect((await create({ tags: { customer: 'acme' } })).body.throttle_id).toBe(tag.body.id);
    expect((await bulk(100)).status).toBe(200);
    expect((await create()).status).toBe(429);
  });

  it('BX-15 ends by itself', async () => {
    await throttle({ queue_name: 'mail', expires_in_seconds: 3_600 });
    await moveClock(database, '50 minutes');
    expect((await api.get('/throttles')).body.throttles).toHaveLength(1);
    await moveClock(database, '61 minutes');
    expect((await api.get('/throttles')).body.throttles).toEqual([]);
    expect((await bulk(100)).status).toBe(200);
    expect((await create()).status).toBe(201);
  });

  it('BX-15 is previewed from the jobs of the last ten minutes', async () => {
    await bulk(100);
    await bulk(100);
    await create({ queue_name: 'bills' });
    const { status, body } = await throttle({ queue_name: 'mail', dry_run: true });
    expect([status, body]).toMatchObject([
      200,
      { dry_run: true, is_cut: false, created: 200, admitted: 100, refused: 100 },
    ]);
    const own = (await api.get('/api-keys')).body[0].id as string;
    expect((await throttle({ api_key_id: own, per_second: 1_000, dry_run: true })).body).toMatchObject({
      created: 201,
      admitted: 201,
      refused: 0,
    });
    expect((await throttle({ tag: { name: 'none' }, dry_run: true })).body).toMatchObject({ created: 0 });
    expect((await api.get('/throttles')).body.throttles).toEqual([]);
    expect((await bulk(100)).status).toBe(200);
  });

  it('BX-15 is set and released by operators, within the queues of their key, and refused when it does not say for what', async () => {
    const problem = async (body: object) => {
      const response = await throttle(body);
      return [response.status, Object.keys(response.body.details ?? {})];
    };
    expect(await problem({})).toEqual([400, ['api_key_id']]);
    expect(await problem({ queue_name: null, tag: null })).toEqual([400, ['api_key_id']]);
    expect(await problem({ queueName: 'mail' })).toEqual([400, ['queueName', 'api_key_id']]);
    expect(await problem({ queue_name: 'mail', apiKeyId: randomUUID() })).toEqual([400, ['apiKeyId']]);
    expect(await problem({ queue_name: 'mail', tag: { nam: 'x' } })).toEqual([422, ['tag.name', 'tag.nam']]);
    for (const dry_run of [false, true])
      expect(await problem({ api_key_id: randomUUID(), dry_run })).toEqual([400, ['api_key_id']]);
    expect(await problem({ queue_name: 'mail', per_second: 0 })).toEqual([400, ['per_second']]);
    for (const expires_in_seconds of [0, 86_401])
      expect(await problem({ queue_name: 'mail', expires_in_seconds })).toEqual([400, ['expires_in_seconds']]);
    expect(await problem({ queue_name: 'mail', expires_in_seconds: undefined })).toEqual([422, ['expires_in_seconds']]);

    for (const role of ['viewer', 'worker'] as const)
      expect((await throttle({ queue_name: 'mail' }, await tenant.keyAs(role))).status).toBe(403);
    const scoped = await tenant.keyFor('mail');
    expect((await throttle({ tag: { name: 'x' } }, scoped)).status).toBe(403);
    expect((await throttle({ queue_name: 'bills' }, scoped)).status).toBe(403);
    const mine = await throttle({ queue_name: 'mail' }, scoped);
    const other = await throttle({ tag: { name: 'x' } });
    expect([mine.status, other.status]).toEqual([201, 201]);
    expect((await api.get('/throttles', scoped)).body.throttles).toEqual([mine.body]);
    expect((await gateway.request('DELETE', `/throttles/${other.body.id}`, scoped)).status).toBe(404);
    const operator = await tenant.keyAs('operator');
    for (const { body } of [mine, other])
      expect((await gateway.request('DELETE', `/throttles/${body.id}`, operator)).status).toBe(204);
  });

  it('is one of at most 50, however many are set at once', async () => {
    const set = Array.from({ length: 60 }, (_, n) => throttle({ queue_name: `q${n}` }));
    const statuses = (await Promise.all(set)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(50);
    expect(statuses.filter((status) => status === 409)).toHaveLength(10);
  });
});
