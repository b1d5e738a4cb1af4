import { jobTypeSchemas } from '@spooled/contracts';
import { sampleJobTypes, type TenantTransaction } from '@spooled/data-access';
import { createTenant, eventually, openConnections, useSuperuser, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const superuser = useSuperuser(database);
const tenant = useTenantForEach(database);

async function post(path: string, body: object = {}) {
  const { status, body: answer } = await gateway.request('POST', path, tenant.key, body);
  expect([status < 300, answer]).toEqual([true, answer]);
  return answer;
}

async function jobTypes(query = '', key = tenant.key): Promise<jobTypeSchemas.JobTypes> {
  const { status, body } = await gateway.request('GET', `/job-types${query}`, key);
  expect([status, body]).toEqual([200, body]);
  return jobTypeSchemas.jobTypes.parse(body);
}

const create = (queue_name: string, job_type: string, more: object = {}) =>
  post('/jobs', { queue_name, payload: { job_type }, ...more });

/** Takes the next job of a queue as a worker of this version, and ends it. */
async function work(queue_name: string, version: string, error?: string): Promise<void> {
  const worker_id = `${queue_name}-${version}`;
  await post('/workers/register', { queue_name, hostname: 'h', worker_id, version });
  const { jobs } = await post('/jobs/claim', { queue_name, worker_id, limit: 1 });
  const { id, lease_id } = jobs[0] as { id: string; lease_id: string };
  await post(`/jobs/${id}/${error ? 'fail' : 'complete'}`, { worker_id, lease_id, error });
}

/** Completed jobs of other ages than requests could make: each waited 10 ms for each number before it and ran for 20. */
const fill = (queue: string, type: string, count: number, secondsApart: number) =>
  superuser.query(
    `WITH q AS (INSERT INTO queues (organization_id, queue_name) VALUES ($1, $2) ON CONFLICT DO NOTHING)
     INSERT INTO jobs (id, organization_id, created_at, updated_at, started_at, completed_at, outcome, timeout_seconds, priority, max_retries,
       queue_name, job_type, payload)
     SELECT uuidv7(created - now()), $1, created, created, created + n * interval '10 ms', created + n * interval '10 ms' + interval '20 ms',
       'completed', 300, 0, 3, $2, $3, '{}'
     FROM (SELECT n, now() - make_interval(secs => n * $5::double precision) AS created FROM generate_series(1, $4::integer) AS n)`,
    [tenant.organizationId, queue, type, count, secondsApart],
  );

/** The same figures, counted over all jobs of the tenant. */
async function truth(minutes = 60) {
  const { rows } = await superuser.query(
    `WITH of AS (
       SELECT * FROM jobs WHERE organization_id = $1 AND created_at > now() - make_interval(mins => $2)
     )
     SELECT queue_name, nullif(job_type, '') AS job_type, count(*)::int AS created,
       count(*) FILTER (WHERE outcome = 'completed')::int AS completed, count(*) FILTER (WHERE outcome = 'deadletter')::int AS dead_lettered,
       count(*) FILTER (WHERE outcome = 'cancelled')::int AS cancelled,
       (SELECT count(*)::int FROM job_history h JOIN of o ON o.id = h.job_id
        WHERE h.error IS NOT NULL AND (o.queue_name, o.job_type) = (of.queue_name, of.job_type)) AS failed_attempts
     FROM of GROUP BY queue_name, job_type ORDER BY 3 DESC, 1, 2`,
    [tenant.organizationId, minutes],
  );
  return rows as object[];
}

const counts = ({ types }: jobTypeSchemas.JobTypes) =>
  types.map(({ queue_name, job_type, created, completed, dead_lettered, cancelled, failed_attempts }) => ({
    ...{ queue_name, job_type, created, completed, dead_lettered, cancelled, failed_attempts },
  }));

describe('BX-25 GET /api/v1/job-types', () => {
  it('BX-25 counts the jobs of each type and their attempts as SQL does, by version of the worker', async () => {
    for (const version of ['1.0', '1.0', '1.1']) {
      await create('mail', 'welcome');
      await work('mail', version);
    }
    await create('mail', 'welcome', { max_retries: 0 });
    await work('mail', '1.1', 'HTTP 500');
    await create('mail', 'invoice', { max_retries: 5 });
    await work('mail', '1.1', 'HTTP 503');
    const { id } = await create('mail', 'digest', { scheduled_at: new Date(4e12).toISOString() });
    await gateway.request('DELETE', `/jobs/${id}`, tenant.key);
    await post('/jobs', { queue_name: 'else', payload: {} });
    const found = await jobTypes();
    expect(counts(found)).toEqual(await truth());
    expect(counts(found).map(({ failed_attempts }) => failed_attempts)).toEqual([1, 0, 0, 1]);
    const [welcome, plain, digest, invoice] = found.types;
    expect(welcome).toMatchObject({
      queue_name: 'mail',
      job_type: 'welcome',
      created: 4,
      failure_share: 0.25,
      is_cut: false,
    });
    expect(welcome!.last_minute).toEqual({ created: 4, completed: 3, failed_attempts: 1, covered_seconds: 60 });
    expect(welcome!.versions).toEqual([
      { version: '1.0', completed: 2, failed_attempts: 0, run_p95_ms: expect.any(Number) },
      { version: '1.1', completed: 1, failed_attempts: 1, run_p95_ms: expect.any(Number) },
    ]);
    expect(plain).toMatchObject({ job_type: null, failure_share: null, wait_ms: null, run_ms: null, versions: [] });
    expect(digest).toMatchObject({ cancelled: 1 });
    expect(invoice).toMatchObject({ failure_share: 1, dead_lettered: 0 });
  });

  it('BX-25 counts attempts that failed before a retry by hand', async () => {
    const { id } = await create('mail', 'welcome', { max_retries: 0 });
    await work('mail', '1', 'HTTP 500');
    await post(`/jobs/${id}/retry`);
    await work('mail', '1');
    expect((await jobTypes()).types).toMatchObject([
      { completed: 1, dead_lettered: 0, failed_attempts: 1, failure_share: 0.5 },
    ]);
  });

  it('BX-25 gives percentiles and a trend of the period that was asked for', async () => {
    await fill('mail', 'welcome', 100, 30);
    const [all] = (await jobTypes()).types;
    expect(all!.wait_ms).toEqual({ p50: 500, p95: 950, p99: 990, jobs: 100 });
    expect(all!.run_ms).toEqual({ p50: 20, p95: 20, p99: 20, jobs: 100 });
    expect(all!.trend.map((part) => part!.completed).reduce((sum, count) => sum + count)).toBe(100);
    expect(all!.trend.map((part) => part!.completed).slice(3, 11)).toEqual([10, 10, 10, 10, 10, 10, 10, 10]);
    const { from, to, types } = await jobTypes('?minutes=10');
    expect(Date.parse(to) - Date.parse(from)).toBe(600_000);
    expect(types).toMatchObject([{ created: 19, wait_ms: { p99: 190 } }]);
    for (const query of ['minutes=0', 'minutes=61']) {
      expect([query, (await gateway.request('GET', `/job-types?${query}`, tenant.key)).status]).toEqual([query, 400]);
    }
  });

  it('BX-25 of a flood covers a shorter period whole, and leaves the other types theirs', async () => {
    await fill('flood', 'a', 20_000, 0.01);
    await fill('quiet', 'b', 300, 10);
    const [flood, quiet] = (await jobTypes()).types;
    expect(flood).toMatchObject({ job_type: 'a', created: 5_000, is_cut: true });
    const seconds = msBetween(flood!.from, (await jobTypes()).to) / 1_000;
    expect([seconds >= 49, seconds < 300]).toEqual([true, true]);
    expect(flood!.trend.slice(0, 10)).toEqual(Array(10).fill(null));
    expect(quiet).toMatchObject({ job_type: 'b', created: 300, is_cut: false });
  });

  it('BX-25 of a flood that began this very moment has a rate of one second', async () => {
    // Such as jobs that are created while the figures are read.
    await fill('flood', 'a', 20_000, -0.001);
    await fill('quiet', 'b', 1, 10);
    const [flood] = (await jobTypes()).types;
    expect(flood).toMatchObject({ is_cut: true, last_minute: { created: 5_000, covered_seconds: 1 } });
  });

  it('BX-25 reads a bounded number of rows', async () => {
    await fill('flood', 'a', 40_000, 0.01);
    await superuser.query('VACUUM (ANALYZE) jobs, job_history, queues');
    const db = openConnections(database);
    const read = await db.withTenant(tenant.organizationId, async (tx) => {
      await tx.query('SET LOCAL max_parallel_workers_per_gather = 0');
      const before = await rowsRead(tx);
      await sampleJobTypes(tx, null, 60);
      return (await rowsRead(tx)) - before;
    });
    await db.close();
    // 10,000 records and their index entries.
    expect(read).toBeLessThan(40_000);
  });

  it('BX-25 of thousands of types looks at the newest jobs, and says how many are not listed', async () => {
    await superuser.query(
      `WITH q AS (INSERT INTO queues (organization_id, queue_name) VALUES ($1, 'varied'))
       INSERT INTO jobs (id, organization_id, created_at, updated_at, started_at, completed_at, outcome, timeout_seconds, priority, max_retries,
         assigned_worker_id, queue_name, job_type, payload)
       SELECT uuidv7(), $1, now() - n * interval '0.3 s', now(), now(), now(), 'completed', 300, 0, 3, 'w' || n % 8, 'varied',
         'type-' || n, '{}'
       FROM generate_series(1, 9000) AS n`,
      [tenant.organizationId],
    );
    await superuser.query('ANALYZE jobs');
    await fill('mail', 'welcome', 3, 1);
    const { types, more } = await jobTypes();
    // With joins over all types it took ten times as long as production gives a read.
    const db = openConnections(database);
    await eventually(() =>
      db.withTenant(tenant.organizationId, (tx) => sampleJobTypes(tx, null, 60), { timeoutMs: 2_000 }),
    );
    await db.close();
    expect([types.length, more]).toEqual([100, 8_901]);
    expect(types[0]).toMatchObject({ queue_name: 'mail', job_type: 'welcome', created: 3, is_cut: false });
  });

  it('BX-25 BX-01 shows the queues of the key only, and nothing of other organizations and deleted queues', async () => {
    await create('secret', 'a');
    await create('open', 'b');
    const names = async (key: string, query = '') =>
      (await jobTypes(query, key)).types.map(({ queue_name }) => queue_name);
    const scoped = await tenant.keyFor('open');
    expect(await names(scoped)).toEqual(['open']);
    expect(await names(scoped, '?queue=secret')).toEqual([]);
    expect(await names(tenant.key, '?queue=secret')).toEqual(['secret']);
    expect(await names((await createTenant(database.superuserUrl)).key)).toEqual([]);
    expect((await gateway.request('DELETE', '/queues/secret?delete_jobs=true', tenant.key)).status).toBeLessThan(300);
    expect(await names(tenant.key)).toEqual(['open']);
  });
});

const msBetween = (from: string, to: string): number => Date.parse(to) - Date.parse(from);

/** Rows that this session has read from the tables and indexes of jobs and their history. Other sessions may not have counted theirs yet. */
async function rowsRead(tx: TenantTransaction): Promise<number> {
  const [row] = await tx.query<{ read: number }>(
    `SELECT sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::int AS read
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname LIKE 'job%'`,
  );
  return row!.read;
}
