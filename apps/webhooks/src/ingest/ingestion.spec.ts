import { createHmac, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { eventually, unixSeconds } from '@spooled/testing';
import { parseShards, RedisCredentialCache, RedisShards } from '@spooled/transport';
import { Tenant } from '../deliver/tenant.fixture.js';
import { startService } from '../service.fixture.js';
import { githubSecret, IngestionFixture, sign } from './ingestion.fixture.js';

const signStripe = (body: string, at = unixSeconds()) =>
  `t=${at},v1=${createHmac('sha256', 'whsec').update(`${at}.${body}`).digest('hex')}`;

let fixture: IngestionFixture;
let redis: IngestionFixture['redis'];
let db: IngestionFixture['db'];
let environment: IngestionFixture['environment'];
let post: IngestionFixture['post'];
let github: IngestionFixture['github'];

beforeAll(async () => {
  fixture = await IngestionFixture.open();
  ({ redis, db, environment, post, github } = fixture);
});
afterAll(() => fixture?.close());

const jobsOf = (tenant: Tenant) =>
  tenant.query<{ id: string; queue_name: string; payload: string; idempotency_key: string | null; priority: number }>(
    'SELECT id, queue_name, payload, idempotency_key, priority FROM job_records ORDER BY id',
  );

describe('GitHub', () => {
  it('SP-52 SP-54 turns every payload example of GitHub into a job with exactly its bytes', async () => {
    const tenant = await Tenant.create(db);
    const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as {
      name: string;
      examples: object[];
    }[];
    const sent = examples
      .slice(0, 25)
      .map(({ name, examples: [first] }) => ({ name, body: JSON.stringify(first, null, 2) }));
    for (const { name, body } of sent) {
      const answer = await github(tenant.organizationId, body, { 'x-github-event': name });
      expect({ name, status: answer.status, text: answer.text }).toEqual({ name, status: 200, text: '' });
    }
    const jobs = await jobsOf(tenant);
    expect(jobs.map(({ queue_name, payload }) => [queue_name, payload])).toEqual(
      sent.map(({ name, body }) => [`github-${name}`, body]),
    );
  });

  it('SP-52 creates one job from a repeated delivery', async () => {
    const tenant = await Tenant.create(db);
    const delivery = { 'x-github-delivery': randomUUID() };
    expect((await github(tenant.organizationId, '{"n":1}', delivery)).status).toBe(200);
    expect((await github(tenant.organizationId, '{"n":1}', delivery)).status).toBe(200);
    expect(await jobsOf(tenant)).toEqual([
      expect.objectContaining({ idempotency_key: delivery['x-github-delivery'], payload: '{"n":1}' }),
    ]);
  });

  it('SP-54 refuses a changed body and unsigned calls', async () => {
    const { organizationId } = await Tenant.create(db);
    const signature = sign('{"n":1}');
    const refused = [
      await post(organizationId, 'github', {
        body: '{"n":2}',
        headers: { 'x-github-event': 'push', 'x-hub-signature-256': signature },
      }),
      await post(organizationId, 'github', { body: '{"n":1} ', headers: { 'x-hub-signature-256': signature } }),
      await post(organizationId, 'github', { body: '{"n":1}' }),
      await post(organizationId, 'github', { body: 'not even JSON' }),
    ];
    for (const { status, json } of refused) {
      expect({ status, json }).toEqual({
        status: 401,
        json: { code: 'AUTHENTICATION_FAILED', message: expect.stringContaining('webhook signature') },
      });
    }
  });

  it('SP-54 is verified with the organization’s own secret, and a new one applies at once in every process', async () => {
    const tenant = await Tenant.create(db, { settings: { github_webhook_secret: 'their own' } });
    const send = (secret: string) => github(tenant.organizationId, '{}', { 'x-hub-signature-256': sign('{}', secret) });
    expect((await send(githubSecret)).status).toBe(401);
    expect((await send('their own')).status).toBe(200);

    await tenant.query(`UPDATE organizations SET settings = '{"github_webhook_secret": "a new one"}'`);
    const other = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log: silent });
    const cache = new RedisCredentialCache(other, silent);
    await eventually(() => expect(other.connected).toBe(true));
    await cache.invalidate({ kind: 'organization', organizationId: tenant.organizationId, hashes: [] });
    await eventually(async () => expect((await send('a new one')).status).toBe(200));
    expect((await send('their own')).status).toBe(401);
    await other.close();
  });

  it('SP-54 a new secret applies in every process even without an invalidation message', async () => {
    const tenant = await Tenant.create(db, { settings: { github_webhook_secret: 'their own' } });
    const send = (secret: string) => github(tenant.organizationId, '{}', { 'x-hub-signature-256': sign('{}', secret) });
    expect((await send('their own')).status).toBe(200);
    await tenant.query(`UPDATE organizations SET settings = '{"github_webhook_secret": "a new one"}'`);
    await eventually(async () => expect((await send('their own')).status).toBe(401), { timeoutMs: 6_000 });
    expect((await send('a new one')).status).toBe(200);
  });

  it('BX-37 is verified with either of two secrets while they change, and with no empty one', async () => {
    const tenant = await Tenant.create(db, { settings: { github_webhook_secret: ['new', 'old', ''] } });
    const send = (secret: string) => github(tenant.organizationId, '{}', { 'x-hub-signature-256': sign('{}', secret) });
    expect((await send('new')).status).toBe(200);
    expect((await send('old')).status).toBe(200);
    for (const secret of ['', githubSecret, '["new", "old", ""]']) expect((await send(secret)).status).toBe(401);
  });

  it('BX-37 is verified with the previous secret of the installation as well', async () => {
    const rotated = await startService({
      ...environment(),
      GITHUB_WEBHOOK_SECRET: 'a new one',
      GITHUB_WEBHOOK_SECRET_PREVIOUS: githubSecret,
    });
    const tenants = [await Tenant.create(db), await Tenant.create(db, { settings: { github_webhook_secret: 'own' } })];
    const send = ({ organizationId }: Tenant, secret: string) => {
      const headers = { 'x-github-event': 'push', 'x-hub-signature-256': sign('{}', secret) };
      return post(organizationId, 'github', { body: '{}', headers, to: rotated });
    };
    expect((await send(tenants[0]!, 'a new one')).status).toBe(200);
    expect((await send(tenants[0]!, githubSecret)).status).toBe(200);
    expect((await send(tenants[1]!, githubSecret)).status).toBe(401);
    await rotated.stop();
  });

  it('SP-54 rejects everything while no secret is configured, instead of skipping the check', async () => {
    const bare = await startService({ ...environment(), GITHUB_WEBHOOK_SECRET: undefined });
    const { organizationId } = await Tenant.create(db);
    const headers = { 'x-github-event': 'push', 'x-hub-signature-256': sign('{}', '') };
    expect(await post(organizationId, 'github', { body: '{}', headers, to: bare })).toMatchObject({ status: 401 });
    await bare.stop();
  });

  it('SP-52 names the content type that a sender of forms must be set to, once its signature is verified', async () => {
    const tenant = await Tenant.create(db);
    const { organizationId } = tenant;
    for (const type of ['application/x-www-form-urlencoded', 'Multipart/Form-Data; boundary=b']) {
      const form = { 'content-type': type };
      const send = (to: string, more = {}) => github(to, 'payload=%7B%22n%22%3A1%7D', { ...form, ...more });
      const reason = expect.stringContaining('application/json');
      expect(await send(organizationId)).toMatchObject({
        status: 415,
        json: { code: 'UNSUPPORTED_MEDIA_TYPE', message: reason, details: { 'content-type': reason } },
      });
      expect((await send(organizationId, { 'x-hub-signature-256': sign('{}') })).status).toBe(401);
      expect((await send(randomUUID())).status).toBe(404);
      expect((await github(organizationId, '{"n":1}', form)).status).toBe(200);
    }
    expect(await github(organizationId, '{', { 'content-type': 'text/plain' })).toMatchObject({ status: 400 });
  });

  it('does not require a token from GitHub, but refuses a wrong one', async () => {
    const { organizationId } = await Tenant.create(db, { settings: { webhook_token: 'whk_right' } });
    expect((await github(organizationId, '{}')).status).toBe(200);
    expect((await github(organizationId, '{}', { 'x-webhook-token': 'whk_right' })).status).toBe(200);
    expect((await github(organizationId, '{}', { 'x-webhook-token': 'whk_wrong' })).status).toBe(401);
  });

  it('refuses a signed body that is too slow to parse or too deeply nested with a 4xx', async () => {
    const tenant = await Tenant.create(db);
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const wide = `[${Array.from({ length: 300_000 }, () => '{}').join()}]`;
    for (const [body, reason] of [
      [deep, 'nested deeper than 500 levels'],
      [wide, 'more than 250000 members and elements'],
    ] as const) {
      expect(await github(tenant.organizationId, body)).toMatchObject({
        status: 400,
        json: { code: 'INVALID_JSON', message: expect.stringContaining(reason) },
      });
    }
  });
});

describe('Stripe', () => {
  const event = JSON.stringify({
    id: 'evt_1',
    type: 'customer.subscription.trial_will_end',
    data: { object: { id: 'sub_1', amount: 5 } },
  });

  it('SP-52 SP-55 creates a job from the event’s object, once', async () => {
    const tenant = await Tenant.create(db);
    for (const _time of ['first', 'again']) {
      const headers = { 'stripe-signature': signStripe(event) };
      expect(await post(tenant.organizationId, 'stripe', { body: event, headers })).toMatchObject({
        status: 200,
        text: '',
      });
    }
    expect(await jobsOf(tenant)).toEqual([
      expect.objectContaining({
        queue_name: 'stripe-customer-subscription-trial_will_end',
        payload: '{"id":"sub_1","amount":5}',
        idempotency_key: 'evt_1',
      }),
    ]);
  });

  it('SP-55 refuses a call that is replayed after five minutes', async () => {
    const tenant = await Tenant.create(db);
    const headers = { 'stripe-signature': signStripe(event, unixSeconds(-301)) };
    expect(await post(tenant.organizationId, 'stripe', { body: event, headers })).toMatchObject({ status: 401 });
    expect(await jobsOf(tenant)).toEqual([]);
  });
});

describe('custom', () => {
  const body = { queue_name: 'orders', payload: { job_type: 'ship', n: 1 }, priority: 7, idempotency_key: 'k1' };

  it('SP-56 creates a job with the sent fields, and returns it', async () => {
    const tenant = await Tenant.create(db);
    const first = await post(tenant.organizationId, 'custom', { body });
    const [job] = await jobsOf(tenant);
    expect(first).toMatchObject({
      status: 200,
      json: { job_id: job!.id, queue_name: 'orders', status: 'pending', created: true },
    });
    expect(job).toMatchObject({ queue_name: 'orders', payload: '{"job_type":"ship","n":1}', priority: 7 });
    const again = await post(tenant.organizationId, 'custom', { body });
    expect(again.json).toEqual({ job_id: job!.id, queue_name: 'orders', status: 'pending', created: false });
    expect(await jobsOf(tenant)).toHaveLength(1);
  });

  it('SP-56 requires the token of an organization that has one', async () => {
    const { organizationId } = await Tenant.create(db, { settings: { webhook_token: 'whk_right' } });
    const send = (headers: Record<string, string>) => post(organizationId, 'custom', { body, headers });
    expect((await send({})).json).toEqual({ code: 'AUTHENTICATION_FAILED', message: 'Missing webhook token' });
    expect((await send({ 'x-webhook-token': 'whk_wrong' })).status).toBe(401);
    expect((await send({ 'x-webhook-token': 'whk_right' })).status).toBe(200);
  });

  it.each([
    ['not JSON', '{', 400, { code: 'INVALID_JSON' }],
    ['an empty body', '', 400, { code: 'INVALID_JSON' }],
    ['broken UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, { code: 'INVALID_JSON' }],
    ['no payload', { queue_name: 'q' }, 422, { details: { payload: 'is required' } }],
    ['a wrong type', { queue_name: 7, payload: {} }, 422, { details: { queue_name: expect.any(String) } }],
    ['a reserved queue', { queue_name: 'admin', payload: {} }, 400, { details: { queue_name: 'is a reserved name' } }],
    ['dots', { queue_name: 'a..b', payload: {} }, 400, { details: { queue_name: expect.any(String) } }],
    [
      'a priority out of bounds',
      { queue_name: 'q', payload: 1, priority: 101 },
      400,
      { details: { priority: expect.any(String) } },
    ],
  ])('refuses %s and names the field', async (_what, bad, status, json) => {
    const { organizationId } = await Tenant.create(db);
    expect(await post(organizationId, 'custom', { body: bad })).toMatchObject({ status, json });
  });
});

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
