import { adminSchemas } from '@spooled/contracts';
import { useSuperuser, useTenant } from '@spooled/testing';
import { randomAddress, type TestResponse, useGateway } from '../gateway.fixture.js';

const adminKey = 'an administrator key of these specs';
const { database, gateway } = useGateway({
  ADMIN_API_KEY: adminKey,
  TRUSTED_PROXY_HOPS: '1',
  // One test holds a lock for which a check waits.
  DATABASE_QUERY_TIMEOUT_MS: '60000',
});
const superuser = useSuperuser(database);
const tenant = useTenant(database);

/** From an address of its own each time: requests of administrators are limited by address. */
async function ask(method: 'GET' | 'POST', path: string, more: object = {}): Promise<TestResponse> {
  const url = `/api/v1${path}`;
  const headers = { 'x-admin-key': adminKey, 'x-forwarded-for': randomAddress(), ...more };
  const response = await gateway.app.inject({ method, url, headers });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}
const check = async () => adminSchemas.isolationCheck.parse((await ask('POST', '/admin/isolation-checks')).body);
const latest = async () => {
  const services = await gateway.app.inject({ url: '/api/v1/admin/services', headers: { 'x-admin-key': adminKey } });
  return adminSchemas.serviceList.parse(services.json()).latest_isolation_check;
};

beforeEach(() => superuser.query('DELETE FROM isolation_checks'));

describe('/api/v1/admin/isolation-checks', () => {
  it('BX-25 SP-59 is empty before the first check, and shows each check with the newest first', async () => {
    expect(await ask('GET', '/admin/isolation-checks')).toMatchObject({ status: 200, body: [] });
    expect(await latest()).toBeNull();
    const first = await ask('POST', '/admin/isolation-checks');
    expect(first).toMatchObject({
      status: 201,
      body: { passed: true, findings: [], tables_not_checked: [], version: 'spec' },
    });
    const second = await check();
    expect(second.tables_checked).toBeGreaterThan(20);
    expect((await ask('GET', '/admin/isolation-checks')).body).toEqual([second, first.body]);
    const page = await ask('GET', '/admin/isolation-checks?limit=1&cursor=');
    expect(page.body).toMatchObject({ data: [{ id: second.id }], has_more: true });
    const next = await ask('GET', `/admin/isolation-checks?limit=1&cursor=${page.body.next_cursor}`);
    expect(next.body).toMatchObject({ data: [{ id: first.body.id }], has_more: false });
    expect(await latest()).toEqual({ passed: true, finished_at: second.finished_at });
  });

  it('SP-59 BX-25 names the table with what is wrong, and logs an error', async () => {
    await superuser.query(
      'ALTER TABLE schedules NO FORCE ROW LEVEL SECURITY; DROP POLICY maintenance ON webhook_deliveries',
    );
    const { passed, findings } = await check();
    await superuser.query(`ALTER TABLE schedules FORCE ROW LEVEL SECURITY;
      CREATE POLICY maintenance ON webhook_deliveries TO spooled_system USING (true) WITH CHECK (true)`);
    expect([passed, findings]).toEqual([
      false,
      [
        { table: 'schedules', problem: 'row-level security is not forced, so it does not apply to the owner' },
        { table: 'webhook_deliveries', problem: 'the policy maintenance is missing' },
      ],
    ]);
    expect(gateway.logs.join('')).toContain('tenants are not isolated: schedules, webhook_deliveries');
    expect(await latest()).toMatchObject({ passed: false });
    expect(await check()).toMatchObject({ passed: true });
  });

  it('BX-25 refuses a second check while one runs', async () => {
    // The first check waits for this lock when it records its result.
    const blocker = await superuser.connect();
    try {
      await blocker.query('BEGIN; LOCK TABLE isolation_checks IN ACCESS EXCLUSIVE MODE');
      const all = [0, 1, 2].map(() => ask('POST', '/admin/isolation-checks'));
      expect(await Promise.race(all)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      await blocker.query('COMMIT');
      expect((await Promise.all(all)).map(({ status }) => status)).toContain(201);
    } finally {
      blocker.release();
    }
    expect((await ask('POST', '/admin/isolation-checks')).status).toBe(201);
  });

  it('BX-25 refuses unknown parameters, and callers other than the administrator', async () => {
    expect(await ask('GET', '/admin/isolation-checks?passed=false')).toMatchObject({ status: 400 });
    expect(await ask('GET', '/admin/isolation-checks?cursor=nonsense')).toMatchObject({ status: 400 });
    const asTenant = { 'x-admin-key': '', authorization: `Bearer ${tenant.key}` };
    for (const method of ['GET', 'POST'] as const)
      expect(await ask(method, '/admin/isolation-checks', asTenant)).toMatchObject({ status: 401 });
  });
});
