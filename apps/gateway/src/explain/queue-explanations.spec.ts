import { createTenant } from '@spooled/testing';
import { useExplain } from './explain.fixture.js';

const fixture = useExplain();

const time = expect.any(String) as unknown as string;

const exactly = (count: number) => ({ count, at_least: false });

describe('BX-04 the explanation of a queue', () => {
  it('BX-04 is ok while it moves, with its rates, workers and jobs', async () => {
    await fixture.register('moving');
    for (let n = 0; n < 4; n++) await fixture.create('moving');
    await fixture.age('moving', 30);
    const [first] = await fixture.claim('moving');
    await fixture.claim('moving');
    await fixture.send('POST', `/jobs/${first}/complete`, { worker_id: 'w1' });
    await fixture.sql(`UPDATE job_stats SET run_ms = 4000 WHERE queue_name = 'moving' AND completed = 1`);
    await fixture.record('moving', { completed: 359, run_ms: 359 * 4_000 });
    const { jobs, ...rest } = await fixture.queue('moving');
    expect(rest).toEqual({
      queue_name: 'moving',
      status: 'ok',
      problems: [],
      rates: {
        created_last_hour: 4,
        completed_last_hour: 360,
        failed_attempts_last_hour: 0,
        covered_seconds: 3_600,
        last_minute: null,
        average_run_ms: 4_000,
        // Two jobs; one runs, and at 4 s each that is faster than the 360 of the last hour.
        seconds_to_drain: 8,
      },
      workers: {
        healthy: exactly(1),
        degraded: exactly(0),
        draining: exactly(0),
        offline: exactly(0),
        last_heartbeat: time,
        last_started_at: time,
      },
      not_checked: [],
      checked_at: time,
    });
    expect(jobs).toEqual({
      ready: exactly(2),
      blocked: exactly(0),
      scheduled: exactly(0),
      retrying: exactly(0),
      running: exactly(1),
      oldest_ready_seconds: expect.any(Number),
    });
    expect(jobs.oldest_ready_seconds).toBeGreaterThanOrEqual(30);
  });

  it('BX-04 is ok when it is empty, also without workers', async () => {
    await fixture.configure('empty', { rate_limit: 1 });
    expect(await fixture.summary('empty')).toEqual(['ok', []]);
    expect((await fixture.queue('empty')).rates).toMatchObject({ seconds_to_drain: 0, average_run_ms: null });
  });

  it('BX-04 finds the oldest job whatever its priority', async () => {
    await fixture.register('old');
    for (const priority of [7, 3, -2]) await fixture.create('old', { priority });
    await fixture.sql(
      `UPDATE job_queue SET created_at = now() - interval '2 h' WHERE queue_name = 'old' AND priority = -2`,
    );
    const { jobs } = await fixture.queue('old');
    expect(jobs.ready).toEqual(exactly(3));
    expect(jobs.oldest_ready_seconds).toBeGreaterThanOrEqual(7_200);
  });

  it('BX-04 puts the worst problem first, and takes its status', async () => {
    await fixture.configure('bad', { default_timeout: 1 });
    await fixture.record('bad', { completed: 4, retried: 8, run_ms: 4_000 });
    await fixture.create('bad');
    await fixture.age('bad', 90);
    expect(await fixture.summary('bad')).toEqual(['stopped', ['no_workers', 'failing', 'slow_jobs']]);
  });

  it('BX-04 counts no further than 10,000', async () => {
    await fixture.register('long');
    await fixture.sql(
      `INSERT INTO job_queue (job_id, organization_id, created_at, state, priority, max_retries, queue_name, due_at)
       SELECT uuidv7(), $1, now(), (CASE i % 2 WHEN 0 THEN 'ready' ELSE 'scheduled' END)::live_state, 0, 3, 'long',
         now() + interval '1 h' FROM generate_series(1, 22000) AS i`,
      fixture.tenant.organizationId,
    );
    await fixture.record('long', { completed: 10 });
    await fixture.configure('long', {});
    await fixture.sql(
      `INSERT INTO workers (id, organization_id, queue_name, hostname, status)
       SELECT 'gone-' || i, $1, 'long', 'host', 'offline' FROM generate_series(1, 10500) AS i`,
      fixture.tenant.organizationId,
    );
    const { jobs, rates, workers } = await fixture.queue('long');
    const more = { count: 10_000, at_least: true };
    expect(jobs).toMatchObject({ ready: more, scheduled: more, retrying: { count: 0, at_least: true } });
    expect(workers).toMatchObject({ offline: more, draining: exactly(0) });
    expect(rates.seconds_to_drain).toBeNull();
  });
});

describe('access to the explanation of a queue', () => {
  it('BX-04 BX-01 is 403 outside the scope of the key, and 404 for a queue that the organization does not have', async () => {
    await fixture.create('private');
    const ask = async (key: string) => (await fixture.gateway.request('GET', '/queues/private/explain', key)).status;
    const other = await createTenant(fixture.database.superuserUrl);
    expect(await ask(fixture.tenant.key)).toBe(200);
    expect(await ask(await fixture.tenant.keyFor('private'))).toBe(200);
    expect(await ask(await fixture.tenant.keyFor('other'))).toBe(403);
    expect(await ask(other.key)).toBe(404);
    await fixture.send('POST', '/jobs', { queue_name: 'private', payload: {} }, other.key);
    expect((await fixture.queue('private', other.key)).jobs.ready).toEqual(exactly(1));
  });
});

describe('the explanations of the queues of a page', () => {
  it('BX-04 are each that of the queue, with its settings', async () => {
    const other = await createTenant(fixture.database.superuserUrl);
    const create = (queue_name: string) => fixture.send('POST', '/jobs', { queue_name, payload: {} }, other.key);
    for (const name of ['a-moving', 'b-bad', 'b-bad']) await create(name);
    await fixture.send(
      'POST',
      '/workers/register',
      { queue_name: 'a-moving', hostname: 'h', worker_id: 'w' },
      other.key,
    );
    await fixture.send('PUT', '/queues/c-limited/config', { rate_limit: 7 }, other.key);
    const rows = await fixture.send('GET', '/queue-explanations', undefined, other.key);
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      const { problems, jobs, rates, workers, not_checked } = await fixture.queue(row.queue_name, other.key);
      const codes = problems.map(({ code }) => ({ code }));
      const { ready, running } = jobs;
      expect(row).toMatchObject({ problems: codes, jobs: { ready, running }, rates, workers, not_checked });
      expect(row).toMatchObject({ enabled: true, rate_limit: row.queue_name === 'c-limited' ? 7 : null });
    }
    expect(rows.map(({ queue_name, status, jobs }: never) => [queue_name, status, jobs])).toMatchObject([
      ['a-moving', 'ok', { ready: exactly(1) }],
      ['b-bad', 'stopped', { ready: exactly(2) }],
      ['c-limited', 'ok', { ready: exactly(0) }],
    ]);
  });

  it('BX-04 BX-01 have only the queues in the scope of the key', async () => {
    const other = await createTenant(fixture.database.superuserUrl);
    for (const queue_name of ['one', 'two'])
      await fixture.send('POST', '/jobs', { queue_name, payload: {} }, other.key);
    const names = async (key: string) =>
      (await fixture.send('GET', '/queue-explanations', undefined, key)).map(
        (row: { queue_name: string }) => row.queue_name,
      );
    expect(await names(other.key)).toEqual(['one', 'two']);
    expect(await names(await other.keyFor('two'))).toEqual(['two']);
  });
});
