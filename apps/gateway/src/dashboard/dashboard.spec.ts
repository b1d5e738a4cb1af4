import { dashboardSchemas } from '@spooled/contracts';
import { createTenant, type TestTenant, useSuperuser } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

let tenant: TestTenant;

const { database, gateway } = useGateway();
const superuser = useSuperuser(database);
beforeEach(async () => {
  await superuser.query('TRUNCATE series_samples');
  tenant = await createTenant(database.superuserUrl);
});

async function dashboard(key = tenant.key): Promise<dashboardSchemas.Dashboard> {
  const { status, body } = await gateway.request('GET', '/dashboard', key);
  expect([status, body]).toEqual([200, body]);
  return dashboardSchemas.dashboard.parse(body);
}

/** Jobs of an hour: `created` and a third of them completed, 100 ms of waiting in all. */
const hour = (hoursAgo: number, created: number, queue = 'mail') =>
  superuser.query(
    `INSERT INTO job_stats (organization_id, hour, slot, queue_name, created, completed, wait_ms, run_ms)
     VALUES ($1, date_trunc('hour', now()) - make_interval(hours => $2), 9, $3, $4::integer, $4::integer / 3, 100, 200)`,
    [tenant.organizationId, hoursAgo, queue, created],
  );

/** Each minute of the last two hours, of which those of the hour before have `each` created jobs. */
const minutes = (each: number, queue: string, leftOut = 0) =>
  superuser.query(
    `WITH minutes AS (
       SELECT date_trunc('minute', now()) - n * interval '1 minute' AS at FROM generate_series(1, 120) AS n
     ), marked AS (
       INSERT INTO series_samples SELECT 60, at, at, at + interval '1 minute', 60, true FROM minutes ON CONFLICT DO NOTHING
     )
     INSERT INTO queue_series (organization_id, step, queue_name, at, created, started, completed, retried, deadlettered, cancelled,
       wait_ms, run_ms, pending, scheduled, processing, oldest_ms, left_out)
     SELECT $1, 60, $2, at, $3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $4 FROM minutes`,
    [tenant.organizationId, queue, each, leftOut],
  );

/** Minutes of the hour before that are within the last hour. */
async function minutesBefore(): Promise<number> {
  const { rows } = await superuser.query<{ n: number }>(`SELECT 60 - extract(minute FROM now())::int AS n`);
  return rows[0]!.n;
}

/** The created jobs of the last hour and the minutes of the hour before within it, of one moment: the next minute may begin between both. */
async function createdLately(key?: string): Promise<{ created: number; minutes: number }> {
  for (;;) {
    const minutes = await minutesBefore();
    const created = (await dashboard(key)).recent_activity.jobs_created_1h;
    if ((await minutesBefore()) === minutes) return { created, minutes };
  }
}

describe('BX-25 GET /api/v1/dashboard', () => {
  it('BX-25 counts the last hour from its minutes, and only without them from the hours', async () => {
    await hour(0, 30);
    await hour(1, 60_000);
    const interpolated = (await dashboard()).recent_activity.jobs_created_1h;
    expect(interpolated).toBeGreaterThanOrEqual(30);
    await minutes(2, '');
    const all = await createdLately();
    expect(all.created).toBe(30 + 2 * all.minutes);
    await minutes(1, 'mail');
    const scoped = await tenant.keyFor('mail');
    const own = await createdLately(scoped);
    expect(own.created).toBe(30 + own.minutes);
    // While the queue may have been left out of some minutes, they do not count.
    await superuser.query(`UPDATE queue_series SET left_out = 1 WHERE queue_name = ''`);
    const unknown = await createdLately(scoped);
    expect(unknown.created).not.toBe(30 + unknown.minutes);
  });

  it('BX-25 rounds averages to a millisecond', async () => {
    await hour(0, 21);
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
