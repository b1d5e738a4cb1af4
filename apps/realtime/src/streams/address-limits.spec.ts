import { createTestDatabase, startRedis, type TestDatabase, type TestRedis } from '@spooled/testing';
import { startRealtime, OtherServices, type RunningRealtime } from '../realtime.fixture.js';
import { EventStreamClient, WebSocketClient } from '../stream-clients.fixture.js';

const burst = 3;

describe.each([
  ['with Redis', () => startRedis()],
  ['without Redis', () => Promise.resolve(null)],
])('callers without a valid credential, %s', (_, provideRedis) => {
  let database: TestDatabase;
  let redis: TestRedis | null;
  let realtime: RunningRealtime;

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), provideRedis()]);
    realtime = await startRealtime(
      { ...database, redisUrl: redis?.url ?? '' },
      { RATE_LIMIT_REQUESTS_PER_SECOND: '1', RATE_LIMIT_BURST_SIZE: String(burst), TRUSTED_PROXY_HOPS: '1' },
    );
  });
  afterAll(async () => {
    await realtime?.stop();
    await Promise.all([database?.drop(), redis?.close()]);
  });

  const guess = (i: number) => `sk_live_${String(i).padStart(43, 'x')}`;
  const from = (address: string) => ({ 'x-forwarded-for': `198.51.100.1, ${address}` });

  it.each([
    ['/events', '203.0.113.1'],
    ['/events/jobs/01900000-0000-7000-8000-000000000000', '203.0.113.2'],
    ['/events/queues/mail', '203.0.113.3'],
    ['/ws', '203.0.113.4'],
    ['/no-such-route', '203.0.113.5'],
  ])('are refused at %s after too many attempts', async (path, address) => {
    const answers: Response[] = [];
    for (let i = 0; i < 5 * burst && answers.at(-1)?.status !== 429; i++) {
      answers.push(await fetch(`${realtime.url}${path}`, { headers: { ...from(address), 'x-api-key': guess(i) } }));
    }
    const last = answers.at(-1)!;
    expect(answers.length).toBeGreaterThan(burst);
    expect(last.status).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await last.json()).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });

  it('are also refused as WebSockets, while a valid key from the same address is not', async () => {
    const services = new OtherServices({ ...database, redisUrl: redis?.url ?? 'redis://127.0.0.1:1' });
    const tenant = await services.tenant();
    const headers = from('203.0.113.9');
    (await WebSocketClient.open(realtime.url, `?token=${tenant.key}`, { headers })).close();
    const tries = Array.from({ length: 5 * burst }, (_each, i) =>
      WebSocketClient.open(realtime.url, `?token=${guess(100 + i)}`, { headers }).catch((error: unknown) => error),
    );
    expect(await Promise.all(tries)).toContainEqual(expect.objectContaining({ status: 429 }));
    (await WebSocketClient.open(realtime.url, `?token=${tenant.key}`, { headers })).close();
    (await EventStreamClient.open(`${realtime.url}/events`, { ...headers, 'x-api-key': tenant.key })).close();
    await services.close();
  });
});
