import { createHmac, randomUUID } from 'node:crypto';
import { type Database, listInboundRefusals } from '@spooled/data-access';
import { createTestDatabase, eventually, openConnections, type TestDatabase } from '@spooled/testing';
import { Tenant } from '../deliver/tenant.fixture.js';
import { type RunningService, startService } from '../service.fixture.js';
import { type Refusal, RefusalLog } from './refusal-log.js';

let store: TestDatabase;
let db: Database;
let service: RunningService;
let tenant: Tenant;
const warnings: unknown[] = [];

const githubSecret = 'the secret of all';
/** What comes later than a moment after the first refusal is written 10 s after it. */
const patient = { timeoutMs: 30_000 };

beforeAll(async () => {
  store = await createTestDatabase();
  db = openConnections(store, { maxConnections: 2 });
  service = await startService({
    DATABASE_URL: store.appUrl,
    DATABASE_SYSTEM_URL: store.systemUrl,
    GITHUB_WEBHOOK_SECRET: githubSecret,
  });
});
beforeEach(async () => {
  tenant = await Tenant.create(db, { settings: { webhook_token: 'whk_right' } });
});
afterEach(() => expect(warnings.splice(0)).toEqual([]));
afterAll(async () => {
  await service?.stop();
  await db?.close();
  await store?.drop();
});

const newLog = () => new RefusalLog(db, { warn: (...line: unknown[]) => void warnings.push(line) });
const refusal = (more: Partial<Refusal> = {}): Refusal => ({
  ...{ provider: 'github', eventType: 'push', code: 'AUTHENTICATION_FAILED', reason: 'Invalid webhook signature' },
  address: '203.0.113.7',
  ...more,
});
const rows = (limit = 2_000) =>
  db.withTenant(tenant.organizationId, (tx) => listInboundRefusals(tx, { since: null, limit, offset: 0, after: null }));
const ofAddress = (index: number) => `203.0.113.${index}`;

async function post(source: string, body: string, headers: Record<string, string>, to = tenant.organizationId) {
  const url = `${service.url}/api/v1/webhooks/${to}/${source}`;
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return response.status;
}

describe('refused webhooks', () => {
  it('BX-12 are recorded with the reason, and without body, signature or token', async () => {
    const signature = `sha256=${createHmac('sha256', 'forged').update('{"hidden":1}').digest('hex')}`;
    const right = { 'x-webhook-token': 'whk_right' };
    expect([
      await post('github', '{"hidden":1}', { 'x-github-event': 'push', 'x-hub-signature-256': signature }),
      await post('custom', '{"hidden":2}', { 'x-webhook-token': 'whk_wrong' }),
      await post('custom', '{"hidden"', right),
      await post('custom', '{"queue_name":"q"}', right),
      await post('custom', '{"queue_name":"q","payload":1}', right),
      await post('custom', '{}', {}, randomUUID()),
    ]).toEqual([401, 401, 400, 422, 200, 404]);
    const found = await eventually(async () => {
      const all = await rows();
      expect(all).toHaveLength(4);
      return all;
    }, patient);
    expect(found.map(({ provider, event_type, code, reason }) => [provider, event_type, code, reason]).sort()).toEqual([
      ['custom', 'custom', 'AUTHENTICATION_FAILED', 'Invalid webhook token'],
      ['custom', 'custom', 'INVALID_JSON', expect.any(String)],
      ['custom', 'custom', 'VALIDATION_ERROR', 'payload: is required'],
      ['github', 'push', 'AUTHENTICATION_FAILED', 'Invalid webhook signature'],
    ]);
    expect(found.every(({ calls, address }) => calls === 1 && address === '127.0.0.1')).toBe(true);
    expect(JSON.stringify(found)).not.toMatch(/hidden|whk_|sha256|[0-9a-f]{64}/);
  });

  it('BX-12 cost little in a flood: equal ones are one row, and an address and an organization have few', async () => {
    const log = newLog();
    for (let i = 0; i < 10_000; i++) log.record(tenant.organizationId, refusal());
    for (let i = 0; i < 100; i++) log.record(tenant.organizationId, refusal({ eventType: `forged-${i}` }));
    for (let i = 0; i < 100; i++) log.record(tenant.organizationId, refusal({ address: ofAddress(i + 10) }));
    await log.stop();
    const found = await rows();
    expect(found).toHaveLength(20);
    expect(found.filter(({ address }) => address === refusal().address)).toHaveLength(5);
    expect(found.find(({ event_type, address }) => event_type === 'push' && address === refusal().address)?.calls).toBe(
      10_000,
    );
  });

  it('BX-12 are kept up to the newest 1,000', async () => {
    await tenant.query(
      `INSERT INTO inbound_refusals (organization_id, provider, event_type, code, reason, address, calls, created_at)
       SELECT $1, 'custom', n::text, 'X', 'old', '10.0.0.1', 1, now() - n * interval '1 minute' FROM generate_series(1, 1000) AS n`,
      [tenant.organizationId],
    );
    const log = newLog();
    log.record(tenant.organizationId, refusal());
    log.record(tenant.organizationId, refusal({ address: ofAddress(1) }));
    await log.stop();
    const found = await rows();
    expect(found).toHaveLength(1_000);
    expect(found.slice(0, 3).map(({ event_type }) => event_type)).toEqual(['push', 'push', '1']);
    expect(found.at(-1)!.event_type).toBe('998');
  });

  it('BX-12 of texts that PostgreSQL cannot store do not take others with them', async () => {
    const log = newLog();
    log.record(tenant.organizationId, refusal({ eventType: 'nul\u0000\ud800', reason: `half ${'x'.repeat(494)}😀` }));
    log.record(tenant.organizationId, refusal());
    await log.stop();
    expect((await rows()).map(({ event_type }) => event_type).sort()).toEqual(['nul \ufffd', 'push']);
  });

  it('BX-12 of an organization that is deleted meanwhile are dropped', async () => {
    const log = newLog();
    const gone = randomUUID();
    log.record(gone, refusal());
    await log.stop();
    const [{ count }] = (await tenant.query<{ count: string }>('SELECT count(*) FROM inbound_refusals')) as [
      { count: string },
    ];
    expect(Number(count)).toBe(0);
  });
});
