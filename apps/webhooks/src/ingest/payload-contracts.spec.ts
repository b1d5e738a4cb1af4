import { createHmac } from 'node:crypto';
import { type Database, deleteContracts, insertContract } from '@spooled/data-access';
import { createTestDatabase, eventually, openConnections, type TestDatabase, unixSeconds } from '@spooled/testing';
import { Tenant } from '../deliver/tenant.fixture.js';
import { type RunningService, startService } from '../service.fixture.js';

const secret = 'the secret of this spec';
let store: TestDatabase;
let db: Database;
let service: RunningService;

beforeAll(async () => {
  store = await createTestDatabase();
  db = openConnections(store);
  service = await startService({
    DATABASE_URL: store.appUrl,
    DATABASE_SYSTEM_URL: store.systemUrl,
    GITHUB_WEBHOOK_SECRET: secret,
    STRIPE_WEBHOOK_SECRET: secret,
  });
});
afterAll(async () => {
  await service?.stop();
  await db?.close();
  await store?.drop();
});

const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex');

async function post(path: string, body: object, headers: (json: string) => Record<string, string>) {
  const json = JSON.stringify(body);
  const response = await fetch(`${service.url}/api/v1/webhooks/${path}`, {
    method: 'POST',
    body: json,
    headers: { 'content-type': 'application/json', ...headers(json) },
  });
  const text = await response.text();
  return { status: response.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : null };
}

const stripeTime = unixSeconds();
const senders = {
  custom: (org: string, payload: object) =>
    post(`${org}/custom`, { queue_name: 'orders', payload }, () => ({ 'x-webhook-token': 'token' })),
  github: (org: string, payload: object) =>
    post(`${org}/github`, payload, (json) => ({
      'x-github-event': 'push',
      'x-hub-signature-256': `sha256=${sign(json)}`,
    })),
  stripe: (org: string, payload: object) =>
    post(`${org}/stripe`, { id: 'evt_1', type: 'charge.created', data: { object: payload } }, (json) => ({
      'stripe-signature': `t=${stripeTime},v1=${sign(`${stripeTime}.${json}`)}`,
    })),
};
const queues = { custom: 'orders', github: 'github-push', stripe: 'stripe-charge-created' };
const schema = JSON.stringify({ required: ['sku'], properties: { sku: { type: 'string' } } });

describe.each(['custom', 'github', 'stripe'] as const)(
  'BX-09 a payload contract of a queue with webhooks of %s',
  (source) => {
    it('is checked before the job is created, from its creation to its deletion', async () => {
      const tenant = await Tenant.create(db, { settings: { webhook_token: 'token' } });
      const org = tenant.organizationId;
      const send = (payload: object) => senders[source](org, payload);
      expect((await send({ sku: 1 })).status).toBe(200);
      const contract = { mode: 'reject', compatibility: 'none', schema, createdBy: null } as const;
      await db.withTenant(org, (tx) => insertContract(tx, queues[source], 1, contract));
      // Changes reach other processes within a second or so.
      await eventually(async () => expect((await send({ sku: 2 })).status).toBe(400));
      expect(await send({ sku: 3 })).toMatchObject({
        body: { code: 'VALIDATION_ERROR', details: { 'payload.sku': 'must be a string' } },
      });
      const payloads = (await tenant.query<{ payload: { sku: unknown } }>('SELECT payload FROM job_records')).map(
        (row) => JSON.stringify(row.payload),
      );
      expect(payloads.join()).not.toContain('3');
      expect((await send({ sku: 'A' })).status).toBe(200);
      await db.withTenant(org, async (tx) => (await tx.run(deleteContracts, { queueName: queues[source] })).length > 0);
      await eventually(async () => expect((await send({ sku: 4 })).status).toBe(200));
    });
  },
);
