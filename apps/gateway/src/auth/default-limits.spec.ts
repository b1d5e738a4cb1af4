import { randomUUID } from 'node:crypto';
import { newApiKeyText } from '@spooled/data-access';
import { createTenant, useDatabase, useRedis } from '@spooled/testing';
import { type TestGateway, untilBurstFitsMinute, useSharedGateways } from '../gateway.fixture.js';

const database = useDatabase();
const redis = useRedis();
const open = useSharedGateways(database, redis);

describe('rate limits without settings', () => {
  const ask = async (gateway: TestGateway, address: string, method: 'GET' | 'POST', path: string, payload?: object) => {
    const headers = { 'x-forwarded-for': address };
    const response = await gateway.app.inject({ method, url: `/api/v1${path}`, headers, payload });
    return response.statusCode;
  };
  /** How many of so many calls at once are not refused: calls of the minute before count less with each second of the next one. */
  const allowed = async (call: () => Promise<number>, calls: number) => {
    const statuses = await Promise.all(Array.from({ length: calls }, call));
    return statuses.filter((status) => status !== 429).length;
  };
  const behindProxy = { TRUSTED_PROXY_HOPS: '1', RATE_LIMIT_BURST_SIZE: '10000' };

  it.each<[string, number, 'GET' | 'POST', string, () => object]>([
    [
      'PB-08 10 failed attempts to authenticate',
      10,
      'POST',
      '/auth/login',
      () => ({ api_key: newApiKeyText({ live: false }) }),
    ],
    ['PB-09 60 changes', 60, 'POST', '/organizations/generate-slug', () => ({ name: 'a name' })],
  ])('PB-12 an address without a credential may make %s a minute', async (_what, limit, method, path, payload) => {
    const gateway = await open(behindProxy);
    const address = `203.0.113.${limit + path.length}`;
    await untilBurstFitsMinute();
    expect(await allowed(() => ask(gateway, address, method, path, payload()), limit + 2)).toBe(limit);
    expect(await ask(gateway, '198.51.100.1', method, path, payload())).not.toBe(429);
  });

  it('PB-10 an address without a credential may read 300 times a minute', async () => {
    const gateway = await open(behindProxy);
    const { headers } = await gateway.app.inject({
      url: '/api/v1/openapi.json',
      headers: { 'x-forwarded-for': '203.0.113.7' },
    });
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '299' });
  });

  it('PB-08 logins and registrations that succeed are not counted, nor checks of tokens', async () => {
    const gateway = await open(behindProxy);
    const address = '203.0.113.250';
    for (let i = 0; i < 12; i++) {
      const { key } = await createTenant(database.superuserUrl);
      expect(await ask(gateway, address, 'POST', '/auth/login', { api_key: key })).toBe(200);
      const organization = { name: 'Some name', slug: `slug-${randomUUID()}` };
      expect(await ask(gateway, address, 'POST', '/organizations', organization)).toBe(201);
      expect(await ask(gateway, address, 'POST', '/auth/validate', { token: 'no token' })).toBe(200);
    }
  });

  it('PB-09 PB-11 a key has the rate of its plan, also for changes and for the calls of workers', async () => {
    const gateway = await open();
    const tenant = await createTenant(database.superuserUrl);
    const claim = { queue_name: 'mail', worker_id: 'w' };
    for (let i = 0; i < 70; i++) {
      expect((await gateway.request('POST', '/jobs/claim', tenant.key, claim)).status).toBe(200);
      expect((await gateway.request('PUT', '/queues/mail/config', tenant.key, {})).status).toBe(200);
    }
  });
});
