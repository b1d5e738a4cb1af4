import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Database } from '@spooled/data-access';
import {
  createTestDatabase,
  fromNow,
  msUntil,
  openConnections,
  startRedis,
  type TestDatabase,
  type TestRedis,
} from '@spooled/testing';
import { Tenant } from '../deliver/tenant.fixture.js';
import { startService, type RunningService } from '../service.fixture.js';

const burst = 3;
const secret = 'the secret of all';
const sign = (body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

describe.each([
  ['with Redis', () => startRedis()],
  ['without Redis', () => Promise.resolve(null)],
])('senders without a proof, %s', (_, provideRedis) => {
  let store: TestDatabase;
  let redis: TestRedis | null;
  let db: Database;
  let service: RunningService;
  let tenant: Tenant;

  beforeAll(async () => {
    [store, redis] = await Promise.all([createTestDatabase(), provideRedis()]);
    db = openConnections(store);
    tenant = await Tenant.create(db, { settings: { webhook_token: 'whk_right' } });
    service = await startService({
      DATABASE_URL: store.appUrl,
      DATABASE_SYSTEM_URL: store.systemUrl,
      REDIS_URL: redis?.url,
      GITHUB_WEBHOOK_SECRET: secret,
      STRIPE_WEBHOOK_SECRET: secret,
      RATE_LIMIT_REQUESTS_PER_SECOND: '1',
      RATE_LIMIT_BURST_SIZE: String(burst),
      TRUSTED_PROXY_HOPS: '1',
    });
  });
  afterAll(async () => {
    await service?.stop();
    await db?.close();
    await Promise.all([redis?.close(), store?.drop()]);
  });

  const post = (address: string, path: string, headers: Record<string, string> = {}, body = '{}') =>
    fetch(`${service.url}/api/v1/webhooks/${path}`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `198.51.100.1, ${address}`,
        'cf-connecting-ip': `192.0.2.${Math.floor(Math.random() * 255)}`,
        ...headers,
      },
    });

  it.each([
    ['custom', { 'x-webhook-token': 'wrong' }, '203.0.113.1'],
    ['github', { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }, '203.0.113.2'],
    ['stripe', { 'stripe-signature': 't=1,v1=0' }, '203.0.113.3'],
    ['no-such-source', {}, '203.0.113.4'],
  ])('are refused at %s after too many tries', async (source, headers, address) => {
    const answers: Response[] = [];
    for (let i = 0; i < 5 * burst && answers.at(-1)?.status !== 429; i++) {
      answers.push(await post(address, `${tenant.organizationId}/${source}`, headers));
    }
    expect(answers.length).toBeGreaterThan(burst);
    expect(answers.at(-1)!.status).toBe(429);
    expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('are refused when they try many organizations', async () => {
    const began = fromNow(0);
    const tries = Array.from({ length: 4 * burst }, (_each, i) =>
      post('203.0.113.5', `01900000-0000-7000-8000-0000000000${10 + i}/custom`),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
    const refilled = -msUntil(began) / 1_000;
    expect(statuses.filter((status) => status === 404).length).toBeLessThan(2 * burst + refilled);
  });

  it('are not counted for authenticated senders, of whom many may share an address', async () => {
    const address = '203.0.113.6';
    for (let i = 0; i < 3 * burst; i++) {
      const body = JSON.stringify({ n: i });
      const signed = { 'x-github-event': 'push', 'x-hub-signature-256': sign(body) };
      expect((await post(address, `${tenant.organizationId}/github`, signed, body)).status).toBe(200);
      const custom = JSON.stringify({ queue_name: 'q', payload: {} });
      const token = { 'x-webhook-token': 'whk_right' };
      expect((await post(address, `${tenant.organizationId}/custom`, token, custom)).status).toBe(200);
    }
  });

  it('are refused before the body is read', async () => {
    const { hostname, port } = new URL(service.url.replace('[::1]', '127.0.0.1'));
    const ask = async (source: string, header: string) => {
      const socket = connect(Number(port), hostname);
      const start = [
        `POST /api/v1/webhooks/${tenant.organizationId}/${source} HTTP/1.1`,
        'host: spooled',
        'x-forwarded-for: 203.0.113.7',
        'content-length: 4500000',
        header,
      ];
      socket.write(`${start.join('\r\n')}\r\n\r\n{`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return answer.toString().split('\r\n', 1)[0];
    };
    expect(await ask('custom', 'x-webhook-token: wrong')).toBe('HTTP/1.1 401 Unauthorized');
    expect(await ask('github', 'x-github-event: push')).toBe('HTTP/1.1 401 Unauthorized');
  });
});
