import { dashboardSchemas } from '@spooled/contracts';
import { createTenant, type TestTenant, useSuperuser } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

let tenant: TestTenant;

const { database, gateway } = useGateway();
const superuser = useSuperuser(database);
beforeEach(async () => void (tenant = await createTenant(database.superuserUrl)));

async function dashboard(key = tenant.key): Promise<dashboardSchemas.Dashboard> {
  const { status, body } = await gateway.request('GET', '/dashboard', key);
  expect([status, body]).toEqual([200, body]);
  return dashboardSchemas.dashboard.parse(body);
}

/** Jobs of this hour: `created` and a third of them completed, 100 ms of waiting in all. */
const hour = (created: number) =>
  superuser.query(
    `INSERT INTO job_stats (organization_id, hour, slot, queue_name, created, completed, wait_ms, run_ms)
     VALUES ($1, date_trunc('hour', now()), 9, 'mail', $2::integer, $2::integer / 3, 100, 200)`,
    [tenant.organizationId, created],
  );

describe('BX-25 GET /api/v1/dashboard', () => {
  it('BX-25 rounds averages to a millisecond', async () => {
    await hour(21);
    expect((await dashboard()).jobs).toMatchObject({ avg_wait_time_ms: 14, avg_processing_time_ms: 29 });
  });

  it('BX-25 counts offline workers', async () => {
    for (const worker_id of ['a', 'b', 'c']) {
      await gateway.request('POST', '/workers/register', tenant.key, { queue_name: 'mail', hostname: 'h', worker_id });
    }
    await gateway.request('POST', '/workers/a/deregister', tenant.key, {});
    await gateway.request('POST', '/workers/b/drain', tenant.key, {});
    expect((await dashboard()).workers).toEqual({ total: 3, healthy: 1, unhealthy: 2, offline: 1 });
  });
});
