import { ReceiverOutages } from '@spooled/transport';
import { createTenant, eventually, fromNow } from '@spooled/testing';
import { useExplain } from './explain.fixture.js';

const fixture = useExplain();

const inAnHour = () => fromNow(3_600_000).toISOString();
const time = expect.any(String) as unknown as string;

describe('BX-04 the explanation of a queue', () => {
  it('BX-04 queue_paused, also while it is empty', async () => {
    await fixture.configure('paused', {});
    await fixture.send('POST', '/queues/paused/pause', { reason: 'stock-taking' });
    expect(await fixture.onlyProblem('paused')).toMatchObject({
      status: 'stopped',
      code: 'queue_paused',
      since: time,
      details: { reason: 'stock-taking', paused_by: { kind: 'key' }, expires_at: null },
    });
  });

  it('BX-26 queue_paused with an expiry waits for it', async () => {
    await fixture.configure('until', {});
    const expires = '2100-01-01T00:00:00Z';
    await fixture.sql(
      `UPDATE queue_config SET enabled = false, pause_expires_at = '${expires}' WHERE queue_name = 'until'`,
    );
    expect(await fixture.onlyProblem('until')).toMatchObject({
      status: 'waiting',
      code: 'queue_paused',
      message: `The queue is paused until ${expires}; claims get no jobs.`,
      until: expires,
    });
  });

  it('BX-04 queue_deletion: what is being deleted is no job of the queue on any route, and misses no worker', async () => {
    const kept = await fixture.create('kept');
    for (const queue of ['doomed', 'doomed', 'kept']) await fixture.create(queue);
    for (const queue of ['doomed', 'kept']) await fixture.claim(queue, { worker_id: 'w2' });
    await fixture.sql(
      `INSERT INTO queue_deletions (organization_id, queue_name, deleted_until) VALUES ($1, 'doomed', clock_timestamp())`,
      fixture.tenant.organizationId,
    );
    expect(await fixture.summary('doomed')).toEqual(['waiting', ['queue_deletion']]);
    const none = { count: 0, at_least: false };
    expect((await fixture.queue('doomed')).jobs).toMatchObject({
      ready: none,
      running: none,
      oldest_ready_seconds: null,
    });
    expect(await fixture.send('GET', '/queues/doomed/desired-replicas')).toMatchObject({ desired_replicas: 0 });
    expect(await fixture.send('GET', '/jobs/running?queue_name=doomed')).toMatchObject({ jobs: [], running: none });
    const { jobs: held } = await fixture.send('GET', '/workers/w2/jobs');
    expect(held.map(({ id }: { id: string }) => id)).toEqual([kept]);
  });

  it('BX-04 no_workers: registered, healthy, and how many attempts ended lately', async () => {
    await fixture.create('alone');
    expect(await fixture.onlyProblem('alone')).toMatchObject({
      status: 'stopped',
      code: 'no_workers',
      details: { healthy: 0, offline: 0, finished_last_hour: 0 },
    });
    await fixture.register('alone');
    await fixture.sql(`UPDATE workers SET status = 'draining' WHERE queue_name = 'alone'`);
    expect(await fixture.onlyProblem('alone')).toMatchObject({ code: 'no_workers', details: { draining: 1 } });
  });

  it('BX-04 no_claims: workers are healthy, but nobody claims', async () => {
    await fixture.register('idle');
    await fixture.create('idle');
    await fixture.age('idle', 400);
    const { details, ...problem } = await fixture.onlyProblem('idle');
    expect(problem).toMatchObject({ status: 'stopped', code: 'no_claims' });
    expect(details).toMatchObject({ healthy: 1 });
    expect((details as { oldest_waiting_seconds: number }).oldest_waiting_seconds).toBeGreaterThanOrEqual(400);
    // A job that became due just now has not waited since its creation.
    await fixture.sql(`UPDATE job_queue SET due_at = now() WHERE queue_name = 'idle'`);
    expect(await fixture.summary('idle')).toEqual(['ok', []]);
  });

  it('BX-04 concurrency_limit and rate_limit: only while they hold jobs back', async () => {
    await fixture.configure('narrow', { settings: { concurrency: 2 } });
    for (let n = 0; n < 3; n++) await fixture.create('narrow');
    await fixture.claim('narrow', { limit: 2 });
    expect(await fixture.onlyProblem('narrow')).toMatchObject({
      status: 'limited',
      code: 'concurrency_limit',
      message: '2 jobs of this queue are running, and its limit is 2.',
      details: { limit: 2, running: 2 },
    });
    await fixture.sql(`DELETE FROM job_queue WHERE queue_name = 'narrow' AND state = 'ready'`);
    expect(await fixture.summary('narrow')).toEqual(['ok', []]);
  });

  it('BX-04 all_scheduled: how many, and when the next is due', async () => {
    const at = inAnHour();
    await fixture.create('later', { scheduled_at: at });
    await fixture.create('later', { scheduled_at: new Date(Date.parse(at) + 1_000).toISOString() });
    const problem = await fixture.onlyProblem('later');
    expect(problem).toMatchObject({
      status: 'waiting',
      code: 'all_scheduled',
      message: `No job can be claimed now: 2 scheduled, 0 waiting to retry; the next is due at ${at.slice(0, 19)}Z.`,
      details: { scheduled: 2, retrying: 0 },
    });
    expect(Date.parse(problem.until!)).toBe(Date.parse(at));
  });

  it('BX-04 dependencies: all its jobs wait for parents', async () => {
    const parent = await fixture.create('parents');
    const child = await fixture.create('children');
    await fixture.send('POST', `/jobs/${child}/dependencies`, { depends_on: [parent] });
    expect(await fixture.onlyProblem('children')).toMatchObject({
      status: 'waiting',
      code: 'dependencies',
      message: 'No job can be claimed now: 1 job waits for parents to complete.',
      details: { blocked: 1 },
    });
  });

  it('BX-04 failing: the share of attempts that failed', async () => {
    await fixture.configure('failing', {});
    await fixture.record('failing', { completed: 1, retried: 4 });
    expect(await fixture.summary('failing')).toEqual(['ok', []]);
    await fixture.record('failing-more', { completed: 2, retried: 6 });
    await fixture.configure('failing-more', {});
    expect(await fixture.onlyProblem('failing-more')).toMatchObject({
      status: 'degraded',
      code: 'failing',
      message: '6 attempts of 8 in the last hour failed (75 %).',
      details: { failed_attempts_last_hour: 6, completed_last_hour: 2, failure_share: 0.75 },
    });
  });

  it('BX-04 falling_behind: more jobs come than end', async () => {
    await fixture.register('swamped');
    for (let n = 0; n < 11; n++) await fixture.create('swamped');
    await fixture.claim('swamped');
    await fixture.record('swamped', { created: 89, completed: 40, cancelled: 10 });
    expect(await fixture.summary('swamped')).toEqual(['ok', []]);
    await fixture.age('swamped', 120);
    expect(await fixture.onlyProblem('swamped')).toMatchObject({
      status: 'degraded',
      code: 'falling_behind',
      message: '100 jobs arrived in the last hour and 50 ended; 10 are claimable.',
      details: { created_last_hour: 100, finished_last_hour: 50, ready: 10 },
    });
  });

  it('BX-04 slow_jobs: the average duration against the timeout', async () => {
    await fixture.configure('slow', { default_timeout: 10 });
    await fixture.record('slow', { completed: 2, run_ms: 17_000 });
    expect(await fixture.onlyProblem('slow')).toMatchObject({
      status: 'degraded',
      code: 'slow_jobs',
      message: "Jobs run for 8.5 s on average, and the queue's timeout is 10 s.",
      details: { average_run_ms: 8_500, timeout_seconds: 10 },
    });
    await fixture.configure('slow', { default_timeout: 11 });
    expect(await fixture.summary('slow')).toEqual(['ok', []]);
  });

  it('BX-04 limit_reached: the plan refuses new jobs', async () => {
    const { superuserUrl } = fixture.database;
    const customLimits = { max_jobs_per_day: 3, max_active_jobs: 2 };
    const capped = await createTenant(superuserUrl, { plan: 'free', customLimits });
    const create = () => fixture.send('POST', '/jobs', { queue_name: 'capped', payload: {} }, capped.key);
    await fixture.send('POST', '/workers/register', { queue_name: 'capped', hostname: 'h' }, capped.key);
    await create();
    expect((await fixture.queue('capped', capped.key)).problems).toEqual([]);
    const { id } = await create();
    expect((await fixture.queue('capped', capped.key)).problems).toMatchObject([
      { code: 'limit_reached', until: null, details: { resource: 'active_jobs', limit: 2, used: 2 } },
    ]);
    await fixture.send('DELETE', `/jobs/${id}`, undefined, capped.key);
    await create();
    const { status, problems } = await fixture.queue('capped', capped.key);
    expect([status, problems]).toMatchObject([
      'degraded',
      [
        {
          code: 'limit_reached',
          message: expect.stringMatching(
            /^3 of 3 jobs a day of the plan are used; new jobs are refused until .*T00:00:00Z\.$/,
          ),
          until: expect.stringMatching(/T00:00:00/),
          details: { resource: 'jobs_per_day', limit: 3, used: 3 },
        },
        { code: 'limit_reached', details: { resource: 'active_jobs' } },
      ],
    ]);
  });

  it('BX-04 receiver_unavailable and rate_limit: what only Redis knows', async () => {
    await fixture.configure('pushed', { settings: { callback_url: 'https://example.com/jobs' } });
    await fixture.create('pushed');
    fixture.gateway.app.get(ReceiverOutages).report(fixture.tenant.organizationId, 'pushed', 60_000);
    await eventually(async () =>
      expect(await fixture.onlyProblem('pushed')).toMatchObject({
        status: 'stopped',
        code: 'receiver_unavailable',
        since: time,
        details: { next_call_at: time },
      }),
    );
    await fixture.configure('rated', { rate_limit: 5 });
    await fixture.register('rated');
    await fixture.create('rated');
    expect(await fixture.summary('rated')).toEqual(['ok', []]);
    await fixture.emptyBucket('rated');
    expect(await fixture.onlyProblem('rated')).toMatchObject({
      status: 'limited',
      code: 'rate_limit',
      until: time,
      details: { limit_per_second: 5 },
    });
  });
});
