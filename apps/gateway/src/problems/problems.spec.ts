import { explainSchemas, problemSchemas } from '@spooled/contracts';
import { createTenant, createTestDatabase, moveClock, type TestTenant } from '@spooled/testing';
import pg from 'pg';
import { useExplain } from '../explain/explain.fixture.js';
import { startGateway } from '../gateway.fixture.js';

const fixture = useExplain();
let tenant: TestTenant;

beforeEach(async () => void (tenant = await createTenant(fixture.database.superuserUrl)));

const send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown, key = tenant.key) =>
  fixture.send(method, path, body, key);
const create = (queue_name: string, more: object = {}) => send('POST', '/jobs', { queue_name, payload: {}, ...more });
const register = (queue_name: string) =>
  send('POST', '/workers/register', { queue_name, hostname: 'h', worker_id: queue_name });
const problems = async (key = tenant.key): Promise<problemSchemas.Problems> =>
  problemSchemas.problems.parse(await send('GET', '/problems', undefined, key));
/** Codes with the queues where they hold. */
const codes = async (key?: string) =>
  (await problems(key)).problems.flatMap(({ code, places }) => places.map(({ queue }) => [code, queue]));
const conditionOf = (found: problemSchemas.Problems, queue: string) =>
  found.problems.flatMap(({ places }) => places).find((place) => place.queue === queue)?.condition;
/** Jobs that fail for good with this error. */
const die = async (queue_name: string, error: string, count: number, job_type = 'welcome') => {
  for (let left = count; left > 0; left--) {
    const { id } = await create(queue_name, { payload: { job_type }, max_retries: 0 });
    await send('POST', '/jobs/claim', { queue_name, worker_id: 'w' });
    await send('POST', `/jobs/${id}/fail`, { worker_id: 'w', error });
  }
};
/** Dead letters of the queue died so many minutes earlier. */
const diedBefore = (queue: string, minutes: number) =>
  fixture.sql(
    `UPDATE dead_letters SET dead_at = dead_at - make_interval(mins => $3) WHERE organization_id = $1 AND queue_name = $2`,
    tenant.organizationId,
    queue,
    minutes,
  );
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
         VALUES ($1, date_trunc('hour', current_ts()) - make_interval(hours => $3), 9, $2, $4, $5)`
      : `INSERT INTO series_counters (organization_id, hour, queue_name, created, completed, retried, deadlettered, cancelled, wait_ms, run_ms)
         VALUES ($1, date_trunc('hour', current_ts()) - make_interval(hours => $3), $2, 0, $4, $5, 0, 0, 0, 0)`,
    tenant.organizationId,
    queue,
    hoursAgo,
    completed,
    retried,
  );
/**
 * At half past, when the hour before the last one began and ended within an hour of the clock. In the first minute of an hour they are
 * the same.
 */
const atHalfPast = async (work: () => Promise<void>): Promise<void> => {
  const { rows } = await fixture.superuser.query<{ by: string }>(
    `SELECT (date_trunc('hour', now()) + interval '30 minutes' - now())::text AS by`,
  );
  await moveClock(fixture.database, rows[0]!.by);
  try {
    await work();
  } finally {
    await fixture.sql('UPDATE moved_clock SET moved_by = moved_by - $1::interval', rows[0]!.by);
  }
};
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
        since: expect.any(String) as string,
        jobs: 1,
        at_least: false,
        harm: expect.any(Number) as number,
        action: expect.stringContaining('/resume') as string,
        total: 1,
        places: [
          {
            queue: 'mail',
            schedule: null,
            webhook: null,
            jobs: 1,
            at_least: false,
            harm: expect.any(Number) as number,
            condition: expect.objectContaining({
              code: 'queue_paused',
              message: expect.stringContaining('stock-taking') as string,
              details: expect.objectContaining({ reason: 'stock-taking' }) as object,
            }) as object,
            request: { method: 'POST', path: '/api/v1/queues/mail/resume' },
          },
        ],
        consequences: [],
      },
    ]);
    const explained = explainSchemas.queueExplanation.parse(await send('GET', '/queues/mail/explain'));
    const [{ action, ...condition }] = explained.problems as [explainSchemas.QueueProblem];
    expect([action, condition]).toEqual([found[0]!.action, found[0]!.places[0]!.condition]);
    await send('POST', found[0]!.places[0]!.request!.path.slice('/api/v1'.length), {});
    expect((await problems()).problems).toEqual([]);
  });

  it('BX-26 a paused queue with waiting jobs, until when', async () => {
    await register('until');
    await create('until');
    const { expires_at } = await send('POST', '/queues/until/pause', { reason: 'stock-taking', duration_seconds: 600 });
    const until = `${new Date(expires_at).toISOString().slice(0, 19)}Z`;
    const { problems: found } = await problems();
    expect(found).toMatchObject([{ code: 'queue_paused', severity: 'warning', places: [{ queue: 'until' }] }]);
    expect(found[0]!.places[0]!.condition.message).toContain(` until ${until} (stock-taking)`);
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
    // Those of a higher priority come first, and always do.
    await create('old', { priority: 9 });
    await create('old', { priority: 9 });
    await send('POST', '/jobs/claim', { queue_name: 'old', worker_id: 'old' });
    expect(await codes()).toEqual([
      ['backlog_old', 'old'],
      ['no_workers', 'alone'],
    ]);
    await create('growing');
    expect(await codes()).toContainEqual(['falling_behind', 'growing']);
  });

  it('BX-25 queues that fail, and those that fail more than before', async () =>
    atHalfPast(async () => {
      await attempts('series_counters', 'broken', 0, 1, 9);
      await attempts('job_stats', 'broken', 0, 1, 9);
      await attempts('series_counters', 'worse', 0, 80, 20);
      await attempts('job_stats', 'worse', 0, 80, 20);
      await attempts('job_stats', 'worse', 5, 1_000, 10);
      await attempts('series_counters', 'always', 0, 80, 20);
      await attempts('job_stats', 'always', 0, 80, 20);
      await attempts('job_stats', 'always', 5, 800, 200);
      await attempts('series_counters', 'rises', 0, 80, 20);
      await attempts('job_stats', 'rises', 0, 80, 20);
      await attempts('job_stats', 'rises', 1, 95, 5);
      await attempts('job_stats', 'rises', 5, 800, 400);
      // Twice the share, by chance.
      await attempts('series_counters', 'few', 0, 86, 14);
      await attempts('job_stats', 'few', 0, 86, 14);
      await attempts('job_stats', 'few', 1, 95, 5);
      const found = await problems();
      expect((await codes()).sort()).toEqual([
        ['failing', 'broken'],
        ['failures_risen', 'rises'],
        ['failures_risen', 'worse'],
      ]);
      expect(conditionOf(found, 'rises')).toMatchObject({
        message: expect.stringMatching(/^20 attempts of 100 .* failed \(20 %\), and 5 % in the hour before\.$/),
        details: { failed_attempts_last_hour: 20, compared_with: 'hour_before', failure_share_before: 0.05 },
      });
      expect(conditionOf(found, 'worse')).toMatchObject({
        message: expect.stringMatching(/and 1 % in the 23 hours before\.$/),
        details: { compared_with: 'day_before' },
      });
    }));

  it('BX-25 causes of failures that are new or grow, over types and queues, in place of the failures that they explain', async () => {
    await die('mail', 'user 17 unknown', 5);
    await die('mail', 'user 18 unknown', 5, 'reminder');
    await die('bills', 'user 19 unknown', 5);
    await die('slow', 'HTTP 503', 2);
    await diedBefore('slow', 70);
    await die('slow', 'HTTP 503', 10);
    await die('steady', 'HTTP 500', 5);
    await diedBefore('steady', 70);
    await die('steady', 'HTTP 500', 10);
    await die('rare', 'HTTP 404', 4);
    for (const queue of ['mail', 'slow', 'steady']) await attempts('series_counters', queue, 0, 1, 9);
    const { problems: found } = await problems();
    expect(found.filter(({ code }) => code.startsWith('cause_'))).toMatchObject([
      { code: 'cause_growing', jobs: 10, total: 1, places: [{ queue: 'slow' }], consequences: [{ code: 'failing' }] },
      {
        code: 'cause_new',
        jobs: 15,
        total: 3,
        places: [{ condition: { details: { error: 'user # unknown' } } }, {}, {}],
        consequences: [{ code: 'failing', total: 1 }],
      },
    ]);
    const cause = found.find(({ code }) => code === 'cause_new')!;
    expect(cause.places.map(({ queue }) => queue).sort()).toEqual(['bills', 'mail', 'mail']);
    const [{ condition }] = cause.places as [problemSchemas.Place];
    const { group_id } = condition.details as { group_id: string };
    expect((await send('GET', `/jobs/dlq/groups/${group_id}`)).group.error).toBe('user # unknown');
    // Failures without a new cause name the group with the most dead letters.
    const steady = conditionOf(await problems(await tenant.keyFor('steady')), 'steady')!;
    expect(steady).toMatchObject({ code: 'failing' });
    const [group] = await send('GET', '/jobs/dlq/groups?queue_name=steady');
    expect((steady.details as { group_id: string }).group_id).toBe(group.id);
    const other = await createTenant(fixture.database.superuserUrl);
    expect(await codes(other.key)).toEqual([]);
    expect((await codes(await tenant.keyFor('bills'))).every(([, queue]) => queue === 'bills')).toBe(true);
  });

  it('BX-25 BX-06 muted causes are no problems but counted, and neither are failures that are mostly theirs', async () => {
    await die('mail', 'HTTP 500', 5);
    await die('mixed', 'HTTP 500', 5);
    await die('mixed', 'HTTP 503', 6);
    // Muted causes have five of eleven.
    await die('partly', 'HTTP 500', 5);
    for (const error of ['HTTP 501', 'HTTP 502']) await die('partly', error, 3);
    for (const queue of ['mail', 'mixed', 'partly']) await attempts('series_counters', queue, 0, 1, 9);
    const { causes } = await send('GET', '/jobs/dlq/causes');
    const { id } = (causes as { id: string; error: string }[]).find(({ error }) => error === 'HTTP 500')!;
    await send('PUT', `/jobs/dlq/causes/${id}/mute`, { reason: 'known', expires_in_seconds: 60 });
    const { problems: found, muted } = await problems();
    expect(muted).toBe(3);
    expect(found.map(({ code, places }) => [code, places.map(({ queue }) => queue)]).sort()).toEqual([
      ['cause_new', ['mixed']],
      ['failing', ['partly']],
    ]);
    const explained = explainSchemas.queueExplanation.parse(await send('GET', '/queues/mail/explain'));
    expect(explained).toMatchObject({
      status: 'ok',
      problems: [{ code: 'cause_new', details: { muted_until: expect.any(String) } }],
    });
    await fixture.sql(`UPDATE cause_mutes SET expires_at = now() WHERE organization_id = $1`, tenant.organizationId);
    expect(await codes()).toEqual(expect.arrayContaining([['cause_new', 'mail']]));
    expect((await problems()).muted).toBe(0);
  });

  it('BX-25 one problem for all queues without workers, the most jobs times age first, with what follows from it', async () => {
    for (const queue of ['one', 'many', 'new']) await create(queue);
    for (let i = 0; i < 9; i++) await create('many');
    await age('one', 2_000);
    await age('many', 1_000);
    await register('late');
    await create('late');
    await create('late');
    await age('late', 700);
    await send('POST', '/jobs/claim', { queue_name: 'late', worker_id: 'late' });
    const { problems: found, total } = await problems();
    expect(found).toMatchObject([
      { code: 'no_workers', severity: 'critical', jobs: 12, total: 3 },
      { code: 'backlog_old', severity: 'warning', jobs: 1, total: 1, consequences: [] },
    ]);
    expect(total).toBe(2);
    expect(found[0]!.consequences).toContainEqual({ code: 'backlog_old', total: 2 });
    const [{ places, harm }] = found as [problemSchemas.Problem];
    expect(places.map(({ queue }) => queue)).toEqual(['many', 'one', 'new']);
    expect(harm).toBe(places.reduce((sum, place) => sum + place.harm!, 0));
    // A warning that harms more comes before what is stalled.
    await age('late', 100_000);
    expect((await problems()).problems.map(({ code }) => code)).toEqual(['backlog_old', 'no_workers']);
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
    expect(found).toHaveLength(2);
    const places = found.flatMap((problem) => problem.places);
    expect(places.find(({ queue }) => queue === 'long')!.condition).toMatchObject({
      code: 'latency_risen',
      details: { measure: 'run' },
    });
    expect(places.find(({ queue }) => queue === 'slower')!.condition).toMatchObject({
      code: 'latency_risen',
      message: '5 % of the jobs of the last 10 minutes waited 10 s or longer; in the day before it was 972 ms.',
      details: { measure: 'wait' },
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
      {
        code: 'schedule_late',
        places: [{ schedule: late.id, request: { path: `/api/v1/schedules/${late.id}/trigger` } }],
      },
      {
        code: 'schedule_failing',
        places: [{ schedule: failing.id, condition: { message: 'Its last run failed: limit reached.' } }],
      },
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
        since: expect.any(String),
        places: [
          {
            webhook: ends,
            condition: {
              message: expect.stringContaining(`it is disabled at ${(disables_at as string).slice(0, 16)}`),
              details: { disables_at, is_near_end: true },
            },
          },
        ],
      },
      { code: 'webhook_disabled', severity: 'critical', places: [{ webhook: disabled }] },
      { code: 'webhook_failing', severity: 'warning', since: null, places: [{ webhook: fails }] },
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
        places: [
          {
            condition: {
              message: '5 of 5 active jobs of the plan are used; new jobs are refused until some have ended.',
              details: { resource: 'active_jobs', limit: 5, used: 5 },
            },
          },
        ],
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
    const { problems: found, unexamined, not_checked } = await problems();
    expect(found).toMatchObject([{ code: 'no_workers', total: 50 }]);
    expect(found[0]!.places).toHaveLength(20);
    expect(unexamined).toEqual({ queues: 450, schedules: 0, webhooks: 0 });
    expect(not_checked).toEqual(['Only the first 500 queues with claimable jobs were looked at']);
  });
});

it('BX-25 says that no scheduler runs and that Redis is away', async () => {
  const database = await createTestDatabase();
  const gateway = await startGateway(database, { redisUrl: 'redis://127.0.0.1:1', isRedisUp: false });
  try {
    const { key } = await createTenant(database.superuserUrl);
    const schedule = { name: 'late', cron_expression: '0 0 1 1 *', queue_name: 'mail', payload_template: {} };
    await gateway.request('POST', '/schedules', key, schedule);
    const found = async () =>
      ((await gateway.request('GET', '/problems', key)).body as problemSchemas.Problems).problems.map(
        ({ code }) => code,
      );
    expect(await found()).toEqual(['redis_unavailable']);
    const superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
    await superuser.query(`INSERT INTO series_samples SELECT 10, now() - interval '5 minutes', now(), now(), 0, true`);
    await superuser.query(`UPDATE schedules SET next_run_at = now() - interval '2 minutes'`);
    await superuser.end();
    expect(await found()).toEqual(['scheduler_unavailable', 'redis_unavailable']);
    const { problems: all } = (await gateway.request('GET', '/problems', key)).body as problemSchemas.Problems;
    expect(all[0]!.consequences).toEqual([{ code: 'schedule_late', total: 1 }]);
  } finally {
    await gateway.stop();
    await database.drop();
  }
});
