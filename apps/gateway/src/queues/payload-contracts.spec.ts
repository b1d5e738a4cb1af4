import { createTenant, eventually, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const send = (method: Method, path: string, body?: object, key = tenant.key) =>
  gateway.request(method, path, key, body);

const order = {
  type: 'object',
  required: ['items'],
  properties: {
    items: { type: 'array', items: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } } },
  },
};
/** Takes 2^60 steps to check. */
const doubling = {
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 61 }, (_, i) => {
      const next = { $ref: `#/$defs/d${i + 1}` };
      return [`d${i}`, i === 60 ? false : { anyOf: [next, next] }];
    }),
  ),
};
const good = { items: [{ sku: 'A' }] };
const bad = { items: [{ sku: 'A' }, { sku: 1 }, {}] };
const details = (path: string) => ({
  [`${path}.items[1].sku`]: 'must be a string',
  [`${path}.items[2].sku`]: 'is required',
});
const route = '/queues/orders/payload-contract';
const versionsRoute = '/queues/orders/payload-contract/versions';
const agree = (body: object = { schema: order }) => send('PUT', route, body);
const refusal = (path: string) => ({
  status: 400,
  body: { code: 'VALIDATION_ERROR', error: 'Validation failed', details: details(path) },
});
const jobsOf = async (queue = 'orders') => (await send('GET', `/jobs?queue_name=${queue}`)).body as { id: string }[];

describe('BX-09 a payload contract', () => {
  it('is violated in at most 20 places that a response names, over all payloads of a request', async () => {
    await agree({ schema: { items: { type: 'string' } } });
    const payload = Array.from({ length: 9 }, (_, i) => i);
    const { status, body } = await send('POST', '/jobs/bulk', {
      queue_name: 'orders',
      jobs: [{ payload }, { payload }, { payload }, { payload }],
    });
    const places = Object.keys(body.details as object);
    expect([status, places.length, places.at(-1)]).toEqual([400, 20, 'jobs[2].payload[1]']);
  });

  it('is stored in versions, which can be read, and deleted', async () => {
    expect((await send('GET', route)).status).toBe(404);
    const { status, body } = await agree();
    expect(status).toBe(200);
    const first = { queue_name: 'orders', version: 1, mode: 'reject', compatibility: 'backward', schema: order };
    expect(body).toEqual({
      ...first,
      created_at: expect.any(String),
      created_by: { kind: 'key', id: expect.any(String), name: 'spec' },
      dry_run: false,
      violations: { count: 0, last_at: null, samples: [] },
      incompatible: [],
      sample: null,
    });
    expect((await agree()).body.version).toBe(1);
    expect((await agree({ schema: { ...order, required: [] }, mode: 'warn' })).body.version).toBe(2);
    expect((await send('GET', route)).body).toMatchObject({ version: 2, mode: 'warn', schema: { required: [] } });
    expect((await send('GET', `${route}?version=1`)).body).toMatchObject(first);
    expect((await send('GET', `${route}?version=3`)).status).toBe(404);
    const stored = { compatibility: 'backward', created_at: expect.any(String), created_by: body.created_by };
    const violations = { count: 0, last_at: null, samples: [] };
    expect((await send('GET', versionsRoute)).body).toEqual({
      versions: [
        { ...stored, version: 2, mode: 'warn', is_current: true, violations },
        { ...stored, version: 1, mode: 'reject', is_current: false, violations },
      ],
    });
    expect((await send('DELETE', route)).status).toBe(204);
    expect(await send('GET', versionsRoute)).toMatchObject({ status: 200, body: { versions: [] } });
    expect((await send('DELETE', route)).status).toBe(404);
    expect((await send('GET', `${route}?version=1`)).status).toBe(404);
  });

  it('keeps the newest fifty of its old versions', async () => {
    for (let i = 1; i <= 53; i++) await agree({ schema: { title: `${i}` } });
    expect((await send('GET', `${route}?version=2`)).status).toBe(404);
    expect((await send('GET', `${route}?version=3`)).body.schema).toEqual({ title: '3' });
    expect((await send('GET', route)).body.version).toBe(53);
  });

  it('gets one version from each of several changes at the same time', async () => {
    const changes = Array.from({ length: 8 }, (_, i) => agree({ schema: { title: `${i}` } }));
    const versions = (await Promise.all(changes)).map(({ body }) => body.version as number);
    expect(versions.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('is refused if it is no schema that can be checked, with the place', async () => {
    for (const [schema, place] of [
      [{ properties: { a: { requried: [] } } }, 'schema.properties.a.requried'],
      [{ $ref: 'https://example.com/schema' }, 'schema.$ref'],
      [{ items: { pattern: '(?<=a)b' } }, 'schema.items.pattern'],
    ] as const) {
      expect(await agree({ schema })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', details: { [place]: expect.any(String) } },
      });
    }
    expect((await agree({ schema: { title: 'x'.repeat(70_000) } })).body.details).toEqual({
      schema: 'must not exceed 64 KB',
    });
    expect((await agree({ schema: {}, mode: 'both' })).status).toBe(400);
    expect((await agree({})).status).toBe(422);
    expect((await send('PUT', '/queues/a b/payload-contract', { schema: {} })).status).toBe(400);
  });

  it('may not refuse what the current version accepts, unless the caller says so', async () => {
    await agree({ schema: { type: 'object', properties: { n: { type: 'number' } } } });
    const tighter = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const expected = { 'schema.properties.n.type': 'no longer allows number', 'schema.required': 'now requires n' };
    expect(await agree({ schema: tighter })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: expected },
    });
    expect((await send('GET', route)).body.version).toBe(1);
    const { status, body } = await agree({ schema: tighter, compatibility: 'none' });
    expect([status, body.version, body.incompatible.length]).toEqual([200, 2, 2]);
  });

  it('can be tried: the newest jobs of the queue are checked, and nothing is stored', async () => {
    await send('POST', '/jobs', { queue_name: 'other', payload: {} });
    await send('POST', '/jobs', { queue_name: 'orders', payload: good });
    const { id } = (await send('POST', '/jobs', { queue_name: 'orders', payload: bad })).body as { id: string };
    const { status, body } = await agree({ schema: order, dry_run: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: 1,
      dry_run: true,
      created_at: null,
      sample: {
        sampled: 2,
        checked: 2,
        refused: 1,
        jobs: [{ id, path: 'payload.items[1].sku', reason: 'must be a string' }],
      },
    });
    expect((await send('GET', route)).status).toBe(404);
  });

  it('is tried with at most 8 MB of payloads', async () => {
    const payload = { text: 'x'.repeat(1_000_000) };
    for (let i = 0; i < 10; i++) await send('POST', '/jobs', { queue_name: 'orders', payload });
    const { body } = await agree({ schema: order, dry_run: true });
    expect(body.sample).toMatchObject({ sampled: 9, checked: 9, refused: 9 });
  });

  it('is tried within the budget of one request', async () => {
    const jobs = Array.from({ length: 20 }, () => ({ payload: {} }));
    await send('POST', '/jobs/bulk', { queue_name: 'orders', jobs });
    const { body } = await agree({ schema: doubling, dry_run: true });
    expect(body.sample).toMatchObject({ sampled: 20, checked: 5, refused: 5 });
  });

  it('belongs to one organization, and keys of other queues neither read nor change it', async () => {
    await agree();
    const other = await createTenant(database.superuserUrl);
    expect((await send('GET', route, undefined, other.key)).status).toBe(404);
    expect((await send('GET', versionsRoute, undefined, other.key)).body).toEqual({ versions: [] });
    expect((await send('POST', '/jobs', { queue_name: 'orders', payload: bad }, other.key)).status).toBe(201);
    const [own, foreign] = [await tenant.keyFor('orders'), await tenant.keyFor('mail')];
    expect((await send('GET', route, undefined, own)).status).toBe(200);
    expect((await send('GET', versionsRoute, undefined, foreign)).status).toBe(403);
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const body = method === 'PUT' ? { schema: {} } : undefined;
      expect((await send(method, route, body, foreign)).status).toBe(403);
    }
  });

  it('counts its queue against the plan, and goes with the queue', async () => {
    const small = await createTenant(database.superuserUrl, { plan: 'free', customLimits: { max_queues: 1 } });
    expect((await send('PUT', route, { schema: {} }, small.key)).status).toBe(200);
    expect((await send('PUT', '/queues/mail/payload-contract', { schema: {} }, small.key)).status).toBe(429);
    await agree();
    expect((await send('DELETE', '/queues/orders')).status).toBe(204);
    expect((await send('GET', route)).status).toBe(404);
    expect((await send('POST', '/jobs', { queue_name: 'orders', payload: bad })).status).toBe(201);
  });
});

describe('BX-09 payloads that violate the contract of their queue', () => {
  beforeEach(() => agree());

  it('are refused by POST /jobs, from the change of the contract on', async () => {
    expect(await send('POST', '/jobs', { queue_name: 'orders', payload: bad })).toMatchObject(refusal('payload'));
    const { body } = await send('POST', '/jobs', { queue_name: 'orders', payload: bad });
    expect(body.message).toBe('payload.items[1].sku: must be a string (payload contract of queue "orders", version 1)');
    expect((await send('POST', '/jobs', { queue_name: 'orders', payload: good })).status).toBe(201);
    await send('DELETE', route);
    expect((await send('POST', '/jobs', { queue_name: 'orders', payload: bad })).status).toBe(201);
  });

  it('are refused by POST /jobs/bulk with all jobs of the request, at most twenty by name', async () => {
    const jobs = [{ payload: good }, { payload: bad }];
    expect(await send('POST', '/jobs/bulk', { queue_name: 'orders', jobs })).toMatchObject(refusal('jobs[1].payload'));
    const many = Array.from({ length: 100 }, () => ({ payload: {} }));
    const { body } = await send('POST', '/jobs/bulk', { queue_name: 'orders', jobs: many });
    expect(Object.keys(body.details)).toHaveLength(20);
    expect(await jobsOf()).toEqual([]);
  });

  it('are refused by POST /workflows, in any of its jobs', async () => {
    const jobs = [
      { key: 'a', queue_name: 'mail', payload: bad },
      { key: 'b', queue_name: 'orders', payload: bad, depends_on: ['a'] },
    ];
    expect(await send('POST', '/workflows', { name: 'w', jobs })).toMatchObject(refusal('jobs[1].payload'));
    expect(await jobsOf('mail')).toEqual([]);
  });

  it('are refused in schedules: when they are created, changed and triggered', async () => {
    const schedule = { name: 's', cron_expression: '0 0 1 1 *', queue_name: 'orders', payload_template: bad };
    expect(await send('POST', '/schedules', schedule)).toMatchObject(refusal('payload_template'));
    const { id } = (await send('POST', '/schedules', { ...schedule, payload_template: good })).body as { id: string };
    expect(await send('PUT', `/schedules/${id}`, { payload_template: bad })).toMatchObject(refusal('payload_template'));
    const elsewhere = (await send('POST', '/schedules', { ...schedule, queue_name: 'mail' })).body as { id: string };
    expect(await send('PUT', `/schedules/${elsewhere.id}`, { queue_name: 'orders' })).toMatchObject(
      refusal('payload_template'),
    );
    expect((await send('POST', `/schedules/${id}/trigger`)).status).toBe(200);
    await agree({ schema: { required: ['customer'] }, compatibility: 'none' });
    expect(await send('POST', `/schedules/${id}/trigger`)).toMatchObject({
      status: 400,
      body: { details: { 'payload_template.customer': 'is required' } },
    });
    // What does not touch the payload stays possible.
    expect((await send('PUT', `/schedules/${id}`, { name: 'renamed' })).status).toBe(200);
  });

  it('are accepted, counted and logged if the mode is warn', async () => {
    await agree({ schema: order, mode: 'warn' });
    const jobs = [{ payload: bad }, { payload: bad }, { payload: good }];
    expect((await send('POST', '/jobs/bulk', { queue_name: 'orders', jobs })).status).toBe(200);
    expect(await jobsOf()).toHaveLength(3);
    expect(await gateway.service.metrics.text()).toContain('spooled_payload_contract_violations_total{mode="warn"} 2');
    const lines = gateway.logs.filter(
      (line) => line.includes('a payload violates its contract') && line.includes(tenant.organizationId),
    );
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      queueName: 'orders',
      version: 2,
      issues: [{ path: 'jobs[0].payload.items[1].sku' }, {}],
    });
  });

  it('are shown to the owner of the contract if the mode is warn, for the version that they violate', async () => {
    await agree({ schema: order, mode: 'warn' });
    await send('POST', '/jobs', { queue_name: 'orders', payload: bad });
    await send('POST', '/jobs', { queue_name: 'orders', payload: {} });
    const versions = async () => (await send('GET', versionsRoute)).body.versions;
    await eventually(async () => expect((await versions())[0].violations.count).toBe(2));
    const sample = { at: expect.any(String), reason: expect.any(String) };
    const samples = [
      { ...sample, path: 'payload.items', reason: 'is required' },
      { ...sample, path: 'payload.items[1].sku', reason: 'must be a string' },
    ];
    const shown = (await send('GET', route)).body.violations;
    expect(shown).toEqual({ count: 2, last_at: expect.any(String), samples });
    await agree({ schema: order, mode: 'reject' });
    expect((await send('POST', '/jobs', { queue_name: 'orders', payload: bad })).status).toBe(400);
    expect((await versions()).map((version: { violations: { count: number } }) => version.violations.count)).toEqual([
      0, 2, 0,
    ]);
  });

  it('are not tried after one that takes too long to check', async () => {
    const jobs = Array.from({ length: 20 }, () => ({ payload: {} }));
    const create = () => send('POST', '/jobs/bulk', { queue_name: 'orders', jobs });
    await agree({ schema: doubling, compatibility: 'none' });
    const details = { 'jobs[0].payload': 'takes too long to check against its contract' };
    expect((await create()).body.details).toEqual(details);
    await agree({ schema: doubling, compatibility: 'none', mode: 'warn' });
    const violations = async () =>
      Number(/violations_total\{mode="warn"\} (\d+)/.exec(await gateway.service.metrics.text())?.[1] ?? 0);
    const before = await violations();
    expect((await create()).status).toBe(200);
    expect((await violations()) - before).toBe(1);
  });
});
