import { problemSchemas } from '@spooled/contracts';
import { createTenant, createTestDatabase, type TestTenant } from '@spooled/testing';
import pg from 'pg';
import { ExplainFixture } from '../explain/explain.fixture.js';
import { startGateway } from '../gateway.fixture.js';

let fixture: ExplainFixture;
let tenant: TestTenant;

beforeAll(async () => {
  fixture = await ExplainFixture.open();
});
beforeEach(async () => {
  tenant = await createTenant(fixture.database.superuserUrl);
});
afterAll(() => fixture?.close());

const send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown, key = tenant.key) =>
  fixture.send(method, path, body, key);
const create = (queue_name: string, more: object = {}) => send('POST', '/jobs', { queue_name, payload: {}, ...more });
const register = (queue_name: string) =>
  send('POST', '/workers/register', { queue_name, hostname: 'h', worker_id: queue_name });
const problems = async (key = tenant.key): Promise<problemSchemas.Problems> =>
  problemSchemas.problems.parse(await send('GET', '/problems', undefined, key));
const codes = async (key?: string) => (await problems(key)).problems.map(({ code, queue }) => [code, queue]);
const age = (queue: string, seconds: number) =>
  fixture.sql(
    `UPDATE job_queue SET created_at = created_at - make_interval(secs => $3) WHERE organization_id = $1 AND queue_name = $2`,
    tenant.organizationId,
    queue,
    seconds,
  );
const attempts = (table: string, queue: string, hoursAgo: number, completed: number, retried: number) =>
  fixture.sql(
    table === 'job_stats'
      ? `INSERT INTO job_stats (organization_id, hour, slot, queue_name, completed, retried)
         VALUES ($1, date_trunc('hour', now()) - make_interval(hours => $3), 9, $2, $4, $5)`
      : `INSERT INTO series_counters (organization_id, hour, queue_name, created, completed, retried, deadlettered, cancelled, wait_ms, run_ms)
         VALUES ($1, date_trunc('hour', now()) - make_interval(hours => $3), $2, 0, $4, $5, 0, 0, 0, 0)`,
    tenant.organizationId,
    queue,
    hoursAgo,
    completed,
    retried,
  );
/** Jobs of a queue that waited or ran as long as a bucket of the histograms says, 5 minutes or 5 hours ago. */
const durations = (queue: string, when: 'recent' | 'before', wait: [number, number], run: [number, number]) =>
  fixture.sql(
    `INSERT INTO queue_series (organization_id, step, queue_name, at, created, started, completed, retried, deadlettered, cancelled,
       wait_ms, run_ms, pending, scheduled, processing, oldest_ms, wait_buckets, wait_jobs, run_buckets, run_jobs)
     VALUES ($1, $3::int, $2, now() - make_interval(secs => 5 * $3::int), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ARRAY[$4::int], ARRAY[$5::int],
       ARRAY[$6::int], ARRAY[$7::int])`,
    tenant.organizationId,
    queue,
    when === 'recent' ? 60 : 3_600,
    ...wait,
    ...run,
  );

describe('BX-25 GET /api/v1/problems', () => {
  it('BX-25 is empty for an organization where everything moves', async () => {
    await register('mail');
    await create('mail');
    expect(await problems()).toMatchObject({ problems: [], not_checked: [] });
  });

  it('BX-25 a paused queue with waiting jobs, since when, why, and how to resume it', async () => {
    await register('mail');
    await send('PUT', '/queues/mail/config', {});
    await send('POST', '/queues/mail/pause', { reason: 'stock-taking' });
    expect((await problems()).problems).toEqual([]);
    await create('mail');
    const { problems: found } = await problems();
    expect(found).toEqual([
      {
        code: 'queue_paused',
        severity: 'critical',
        queue: 'mail',
        schedule: null,
        webhook: null,
        title: 'Queue mail is paused',
        detail: expect.stringMatching(/stock-taking.*The oldest job is \d+ s old\.$/),
        since: expect.any(String) as string,
        action: {
          label: 'Resume the queue',
          method: 'POST',
          path: '/api/v1/queues/mail/resume',
          screen: 'queue',
        },
      },
    ]);
    await send('POST', found[0]!.action.path!.slice('/api/v1'.length), {});
    expect((await problems()).problems).toEqual([]);
  });

  it('BX-26 a paused queue with waiting jobs, until when', async () => {
    await register('until');
    await create('until');
    const { expires_at } = await send('POST', '/queues/until/pause', { reason: 'stock-taking', duration_seconds: 600 });
    const until = `${new Date(expires_at).toISOString().slice(0, 19)}Z`;
    const [found] = (await problems()).problems;
    expect(found).toMatchObject({ code: 'queue_paused', queue: 'until' });
    expect(found!.detail).toContain(` until ${until} (stock-taking)`);
    await send('POST', '/queues/until/resume', {});
  });

  it('BX-25 a queue without workers, one that grows, and one whose jobs wait long', async () => {
    await create('alone');
    await register('growing');
    for (let i = 0; i < 10; i++) await create('growing');
    await age('growing', 90);
    await send('POST', '/jobs/claim', { queue_name: 'growing', worker_id: 'growing' });
    await register('old');
    await create('old');
    await create('old');
    await age('old', 400);
    await send('POST', '/jobs/claim', { queue_name: 'old', worker_id: 'old' });
    expect(await codes()).toEqual([
      ['no_workers', 'alone'],
      ['backlog_old', 'old'],
    ]);
    await create('growing');
    expect(await codes()).toContainEqual(['falling_behind', 'growing']);
  });

  it('BX-25 queues that fail, and those that fail more than before', async () => {
    await attempts('series_counters', 'broken', 0, 1, 9);
    await attempts('job_stats', 'broken', 0, 1, 9);
    await attempts('series_counters', 'worse', 0, 80, 20);
    await attempts('job_stats', 'worse', 0, 80, 20);
    await attempts('job_stats', 'worse', 5, 1_000, 10);
    await attempts('series_counters', 'always', 0, 80, 20);
    await attempts('job_stats', 'always', 0, 80, 20);
    await attempts('job_stats', 'always', 5, 800, 200);
    const { problems: found } = await problems();
    expect(found.map(({ code, queue }) => [code, queue])).toEqual(
      expect.arrayContaining([
        ['failing', 'broken'],
        ['failures_rising', 'worse'],
      ]),
    );
    expect(found).toHaveLength(2);
    expect(found.find(({ queue }) => queue === 'worse')!.detail).toMatch(/^20 % .* 1 % in the day before\.$/);
  });

  it('BX-25 queues whose jobs wait or run longer than before', async () => {
    // Buckets: 4 ends at 10 ms, 8 at 100 ms, 12 at 1 s, 16 at 10 s, 20 at 100 s.
    const queues: Record<string, [before: Parameters<typeof durations>[2], now: Parameters<typeof durations>[2]]> = {
      same: [
        [16, 1_000],
        [16, 100],
      ],
      slower: [
        [12, 1_000],
        [16, 100],
      ],
      // Ten times as long, but nobody notices.
      short: [
        [4, 1_000],
        [8, 100],
      ],
      few: [
        [12, 1_000],
        [20, 49],
      ],
      young: [
        [12, 199],
        [20, 100],
      ],
    };
    for (const [queue, [before, now]] of Object.entries(queues)) {
      await attempts('series_counters', queue, 0, 1, 0);
      await durations(queue, 'before', before, [4, 1_000]);
      await durations(queue, 'recent', now, [4, 1_000]);
    }
    await attempts('series_counters', 'long', 0, 1, 0);
    await durations('long', 'before', [4, 1_000], [12, 1_000]);
    await durations('long', 'recent', [20, 1_000], [20, 1_000]);
    const { problems: found } = await problems();
    expect(found.map(({ code, title }) => [code, title]).sort()).toEqual([
      ['latency_risen', 'Jobs of queue long run longer than before'],
      ['latency_risen', 'Jobs of queue slower wait longer than before'],
    ]);
    expect(found.find(({ queue }) => queue === 'slower')).toMatchObject({
      severity: 'warning',
      detail: '5 % of the jobs of the last 10 minutes waited 10 s or longer; in the day before it was 972 ms.',
      action: { label: 'Add workers, or see who fills it', screen: 'queue' },
    });
    expect(await codes(await tenant.keyFor('long'))).toEqual([['latency_risen', 'long']]);
    expect(await codes((await createTenant(fixture.database.superuserUrl)).key)).toEqual([]);
  });

  it('BX-25 a queue whose jobs wait longer because it is stalled has only that problem', async () => {
    await attempts('series_counters', 'mail', 0, 1, 0);
    await durations('mail', 'before', [4, 1_000], [4, 1_000]);
    await durations('mail', 'recent', [20, 1_000], [4, 1_000]);
    expect(await codes()).toEqual([['latency_risen', 'mail']]);
    await create('mail');
    expect(await codes()).toEqual([['no_workers', 'mail']]);
  });

  it('BX-25 schedules that are late or fail', async () => {
    const schedule = { cron_expression: '0 0 1 1 *', queue_name: 'mail', payload_template: {} };
    const late = await send('POST', '/schedules', { ...schedule, name: 'late' });
    const failing = await send('POST', '/schedules', { ...schedule, name: 'failing' });
    await send('POST', '/schedules', { ...schedule, name: 'fine' });
    await fixture.sql(`UPDATE schedules SET next_run_at = now() - interval '2 minutes' WHERE id = $1`, late.id);
    await fixture.sql(
      `INSERT INTO schedule_runs (organization_id, schedule_id, status, source, error_message)
       VALUES ($1, $2, 'failed', 'schedule', 'limit reached')`,
      tenant.organizationId,
      failing.id,
    );
    expect((await problems()).problems).toMatchObject([
      { code: 'schedule_late', schedule: late.id, action: { path: `/api/v1/schedules/${late.id}/trigger` } },
      { code: 'schedule_failing', schedule: failing.id, detail: 'Its last run failed: limit reached.' },
    ]);
    expect(await codes(await tenant.keyFor('other'))).toEqual([]);
  });

  it('BX-25 webhooks that fail, and those that were disabled', async () => {
    const webhook = { url: 'https://example.com', events: ['job.created'] };
    const ids: string[] = [];
    for (const name of ['ends', 'fails', 'disabled', 'off'])
      ids.push((await send('POST', '/outgoing-webhooks', { ...webhook, name })).id);
    const [ends, fails, disabled, off] = ids;
    await fixture.sql(`UPDATE outgoing_webhooks SET failing_since = now() - interval '61 hours' WHERE id = $1`, ends);
    const { disables_at } = await send('GET', `/outgoing-webhooks/${ends}`);
    await fixture.sql(`UPDATE outgoing_webhooks SET failure_count = 3, last_status = 'failed' WHERE id = $1`, fails);
    await fixture.sql(
      `UPDATE outgoing_webhooks SET failure_count = 10, last_status = 'auto_disabled', enabled = false WHERE id = $1`,
      disabled,
    );
    await fixture.sql(`UPDATE outgoing_webhooks SET enabled = false WHERE id = $1`, off);
    expect((await problems()).problems).toMatchObject([
      {
        code: 'webhook_failing',
        severity: 'critical',
        webhook: ends,
        since: expect.any(String),
        detail: expect.stringContaining(`it is disabled at ${(disables_at as string).slice(0, 16)}`),
      },
      { code: 'webhook_disabled', severity: 'critical', webhook: disabled },
      { code: 'webhook_failing', severity: 'warning', webhook: fails, since: null },
    ]);
    // A key of some queues does not see the webhooks of the organization.
    expect(await codes(await tenant.keyFor('mail'))).toEqual([]);
  });

  it('BX-25 limits that are near or reached', async () => {
    tenant = await createTenant(fixture.database.superuserUrl, { customLimits: { max_active_jobs: 5 } });
    await register('mail');
    for (let i = 0; i < 4; i++) await create('mail');
    expect(await codes()).toEqual([['limit_near', null]]);
    await create('mail');
    expect((await problems()).problems).toMatchObject([
      {
        code: 'limit_reached',
        severity: 'critical',
        detail: '5 of 5 active jobs are used; new jobs are refused until some have ended.',
      },
    ]);
  });

  it('BX-25 BX-01 shows nothing of another organization or of queues outside the scope', async () => {
    await create('secret');
    const other = await createTenant(fixture.database.superuserUrl);
    expect(await codes(other.key)).toEqual([]);
    expect(await codes(await tenant.keyFor('open'))).toEqual([]);
    expect(await codes(await tenant.keyFor('secret'))).toEqual([['no_workers', 'secret']]);
  });

  it('BX-25 looks at 500 of many queues, and says so', async () => {
    await fixture.sql(
      `INSERT INTO job_queue (job_id, organization_id, created_at, state, priority, max_retries, queue_name)
       SELECT uuidv7(), $1, now(), 'ready', 0, 3, 'queue-' || i FROM generate_series(1, 600) AS i`,
      tenant.organizationId,
    );
    const { problems: found, not_checked } = await problems();
    expect(found).toHaveLength(20);
    expect(not_checked).toEqual(['Only the first 500 queues with claimable jobs were looked at']);
  });
});

it('BX-25 says that no scheduler runs and that Redis is away', async () => {
  const database = await createTestDatabase();
  const gateway = await startGateway(database, { redisUrl: 'redis://127.0.0.1:1', isRedisUp: false });
  try {
    const { key } = await createTenant(database.superuserUrl);
    const found = async () =>
      ((await gateway.request('GET', '/problems', key)).body as problemSchemas.Problems).problems.map(
        ({ code }) => code,
      );
    expect(await found()).toEqual(['redis_unavailable']);
    const superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
    await superuser.query(`INSERT INTO series_samples SELECT 10, now() - interval '5 minutes', now(), now(), 0, true`);
    await superuser.end();
    expect(await found()).toEqual(['scheduler_unavailable', 'redis_unavailable']);
  } finally {
    await gateway.stop();
    await database.drop();
  }
});
