import { useDatabase, useRedis } from '@spooled/testing';
import { type TestGateway, untilBurstFitsMinute, useGateways } from '../gateway.fixture.js';

const adminKey = 'the key of this administrator';
const database = useDatabase();
const redis = useRedis();
const start = useGateways(database, redis);

async function ask({ app }: TestGateway, key: string | undefined, remoteAddress?: string) {
  const headers = key === undefined ? {} : { 'x-admin-key': key };
  const response = await app.inject({ url: '/api/v1/admin/plans', headers, remoteAddress });
  return { status: response.statusCode, body: response.json() as Record<string, unknown>, headers: response.headers };
}

describe('administration routes', () => {
  it('report what is wrong with the key', async () => {
    const [configured, not] = [await start({ ADMIN_API_KEY: adminKey }, ''), await start({}, '')];
    expect((await ask(configured, adminKey)).status).toBe(200);
    for (const [gateway, key, error] of [
      [not, adminKey, 'admin_not_configured'],
      [configured, undefined, 'missing_admin_key'],
      [configured, '', 'missing_admin_key'],
      [configured, 'an-administratör-key', 'invalid_header'],
      [configured, `${adminKey}.`, 'invalid_admin_key'],
      [configured, `${adminKey}, ${adminKey}`, 'invalid_admin_key'],
    ] as const) {
      const { status, body } = await ask(gateway, key);
      expect([key, status, body]).toEqual([
        key,
        401,
        { code: 'UNAUTHORIZED', error, message: expect.any(String) as unknown },
      ]);
    }
  });

  it.each([
    ['with', adminKey, '192.0.2.8'],
    ['without', 'guessed', '192.0.2.9'],
  ])('PB-01 accept 60 requests per address and minute %s the key', async (_, key, address) => {
    const gateway = await start({ ADMIN_API_KEY: adminKey });
    await untilBurstFitsMinute();
    const responses = await Promise.all(Array.from({ length: 61 }, () => ask(gateway, key, address)));
    const limited = responses.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(1);
    expect(limited[0]).toMatchObject({ body: { code: 'RATE_LIMIT_EXCEEDED', limit: 60 } });
    expect(Number(limited[0]!.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask(gateway, adminKey, '192.0.2.7')).status).toBe(200);
    expect((await ask(gateway, key === adminKey ? 'guessed' : adminKey, address)).status).not.toBe(429);
  });
});
