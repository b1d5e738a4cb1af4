import type { ClaimedJob } from '@spooled/contracts';
import { claim, command, enqueue, fromNow, newJob, unlimited } from '@spooled/testing';
import pg from 'pg';
import { workerCommands, refusal, useEngine } from './job-lifecycle.fixture.js';

describe('the life of a job on PostgreSQL', () => {
  const fixture = useEngine();
  let org: string;
  let complete: ReturnType<typeof workerCommands>['complete'];
  let fail: ReturnType<typeof workerCommands>['fail'];
  beforeEach(async () => {
    org = await fixture.organization();
    ({ complete, fail } = workerCommands(org));
  });

  it('SP-30 goes from pending through processing to completed, and its record shows each step', async () => {
    const job = newJob({ payload: '{"b":1,  "a":"\\u0000 \\ud800"}', tags: '{"team":"x"}' });
    expect(await fixture.run(enqueue(org, [job]))).toEqual({ jobs: [{ jobId: job.id, created: true }] });
    expect(await fixture.job(job.id)).toMatchObject({ status: 'pending', max_retries: 3, timeout_seconds: 300 });

    const claimed = await fixture.claimOne(org);
    expect(claimed).toMatchObject({
      id: job.id,
      payload: '{"b":1,  "a":"\\u0000 \\ud800"}',
      retryCount: 0,
      maxRetries: 3,
    });
    expect(await fixture.job(job.id)).toMatchObject({
      status: 'processing',
      assigned_worker_id: 'w1',
      lease_id: claimed.leaseId,
    });

    expect(await fixture.run(complete(claimed))).toEqual({ durationMs: expect.any(Number) });
    const done = await fixture.job(job.id);
    expect(done).toMatchObject({
      status: 'completed',
      result: { sent: true },
      assigned_worker_id: 'w1',
      last_error: null,
    });
    expect(done.completed_at).not.toBeNull();
    expect(fixture.events(org).map((event) => event.type)).toEqual([
      'JobCreated',
      'JobStatusChange',
      'JobCompleted',
      'JobStatusChange',
    ]);
  });

  it('SP-23 grants jobs by priority, then age, and no job twice', async () => {
    const priorities = [0, 10, -5, 10, 100];
    const jobs = priorities.map((priority) => newJob({ priority }));
    await fixture.run(enqueue(org, jobs));
    const both = await fixture.engine.execute([claim(org, { limit: 2 }), claim(org, { limit: 10, workerId: 'w2' })]);
    const ids = both.flatMap((outcome) =>
      outcome.ok ? (outcome.value as { jobs: ClaimedJob[] }).jobs.map(({ id }) => id) : [],
    );
    expect(ids).toEqual([jobs[4], jobs[1], jobs[3], jobs[0], jobs[2]].map((job) => job!.id));
  });

  it('SP-21 MQ-09 concurrent claims never grant the same job', async () => {
    await fixture.run(
      enqueue(
        org,
        Array.from({ length: 60 }, () => newJob()),
      ),
    );
    const rounds = await Promise.all(
      Array.from({ length: 12 }, (_, i) => fixture.run(claim(org, { limit: 7, workerId: `w${i}` }))),
    );
    const ids = rounds.flatMap(({ jobs }) => jobs.map(({ id }) => id));
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
  });

  it('MQ-07 an idempotency key creates one job under concurrent requests', async () => {
    const attempts = Array.from({ length: 8 }, () => enqueue(org, [newJob({ idempotencyKey: 'order-1' })]));
    const answers = await Promise.all(attempts.map((attempt) => fixture.run(attempt)));
    const created = answers.filter(({ jobs }) => jobs[0]!.created);
    expect(created).toHaveLength(1);
    expect(new Set(answers.map(({ jobs }) => jobs[0]!.jobId)).size).toBe(1);
    const twice = await fixture.run(enqueue(org, [newJob({ idempotencyKey: 'k' }), newJob({ idempotencyKey: 'k' })]));
    expect(twice.jobs.map(({ created: fresh }) => fresh)).toEqual([true, false]);
  });

  it('SP-28 KF-05 a failed attempt waits for its backoff, then runs again; the last one is a dead letter', async () => {
    const job = newJob({ maxRetries: 1, settings: JSON.stringify({ retry_delay_ms: 60_000 }) });
    await fixture.run(enqueue(org, [job]));
    const answer = await fixture.run(fail(await fixture.claimOne(org)));
    expect(answer.willRetry).toBe(true);
    expect(answer.nextRetryDelaySecs).toBeGreaterThanOrEqual(60);
    expect(await fixture.job(job.id)).toMatchObject({
      status: 'pending',
      retry_count: 1,
      last_error: 'smtp says no',
      lease_id: null,
    });
    expect((await fixture.run(claim(org))).jobs).toEqual([]);

    await fixture.sql('UPDATE job_queue SET due_at = now() WHERE job_id = $1', [job.id]);
    expect(await fixture.run(fail(await fixture.claimOne(org)))).toEqual({ willRetry: false, nextRetryDelaySecs: 0 });
    expect(await fixture.job(job.id)).toMatchObject({
      status: 'deadletter',
      completed_at: null,
      assigned_worker_id: null,
    });
    expect(await fixture.sql('SELECT job_id FROM dead_letters WHERE organization_id = $1', [org])).toEqual([
      { job_id: job.id },
    ]);

    expect(
      (
        await fixture.run(
          command('deadletter.retry', org, {
            jobIds: null,
            queueName: 'emails',
            limit: 10,
            quota: unlimited,
            maxWorkflows: null,
          }),
        )
      ).jobIds,
    ).toEqual([job.id]);
    expect(await fixture.job(job.id)).toMatchObject({
      status: 'pending',
      retry_count: 0,
      last_error: null,
      // From here on it waits.
      scheduled_at: expect.any(Date),
    });
  });

  it('MQ-27 a failure with retry: false becomes a dead letter at once', async () => {
    await fixture.run(enqueue(org, [newJob({ maxRetries: 9 })]));
    const claimed = await fixture.claimOne(org);
    expect(await fixture.run(fail(claimed, false))).toEqual({ willRetry: false, nextRetryDelaySecs: 0 });
    expect((await fixture.job(claimed.id)).status).toBe('deadletter');
  });

  it('BX-10 a refused command does not affect the others in its batch', async () => {
    const orphan = enqueue(org, [newJob({ parentJobId: newJob().id })]);
    const good = enqueue(org, [newJob()]);
    const other = await fixture.organization();
    const outcomes = await fixture.engine.execute([
      good,
      orphan,
      enqueue(other, [newJob()]),
      complete({ id: newJob().id }),
    ]);
    expect(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.error.status))).toEqual(['ok', 400, 'ok', 404]);
  });

  it('BX-10 a command that PostgreSQL rejects does not affect the others in its batch', async () => {
    const broken = enqueue(org, [newJob({ payload: '{"not json"' })]);
    const other = await fixture.organization();
    const outcomes = await fixture.engine.execute([enqueue(org, [newJob()]), broken, enqueue(other, [newJob()])]);
    expect(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.error.status))).toEqual(['ok', 500, 'ok']);
  });

  it('SP-24 a scheduled job is not claimable before its time and is claimable after, even without the scheduler', async () => {
    const job = newJob({ scheduledAt: fromNow(3600_000).toISOString() });
    await fixture.run(enqueue(org, [job]));
    expect((await fixture.job(job.id)).status).toBe('scheduled');
    expect((await fixture.run(claim(org))).jobs).toEqual([]);
    await fixture.sql('UPDATE job_queue SET due_at = now() WHERE job_id = $1', [job.id]);
    expect((await fixture.claimOne(org)).id).toBe(job.id);
  });

  it('a paused queue grants no jobs and still accepts new ones', async () => {
    await fixture.sql(`INSERT INTO queue_config (organization_id, queue_name, enabled) VALUES ($1, 'emails', false)`, [
      org,
    ]);
    await fixture.run(enqueue(org, [newJob()]));
    expect((await fixture.run(claim(org))).jobs).toEqual([]);
    await fixture.sql('UPDATE queue_config SET enabled = true WHERE organization_id = $1', [org]);
    await fixture.claimOne(org);
  });

  it('SP-33 SP-49 SP-50 a child waits for its parent, is released by its completion and cancelled by its failure', async () => {
    const parent = newJob({ maxRetries: 0 });
    const child = newJob({ parentJobId: parent.id });
    const grandchild = newJob({ parentJobId: child.id });
    await fixture.run(enqueue(org, [parent]));
    await fixture.run(enqueue(org, [child]));
    await fixture.run(enqueue(org, [grandchild]));
    const claimed = await fixture.claimOne(org);
    expect(claimed.id).toBe(parent.id);
    expect((await fixture.run(claim(org))).jobs).toEqual([]);
    await fixture.run(complete(claimed));
    const next = await fixture.claimOne(org);
    expect(next.id).toBe(child.id);
    await fixture.run(fail(next, false));
    expect(await fixture.job(grandchild.id)).toMatchObject({ status: 'cancelled' });
    const late = newJob({ parentJobId: child.id });
    await fixture.run(enqueue(org, [late]));
    expect(await fixture.job(late.id)).toMatchObject({ status: 'cancelled' });
  });

  it('cancels waiting jobs, refuses processing ones, and retries only failed ones', async () => {
    const job = newJob();
    await fixture.run(enqueue(org, [job]));
    expect(await fixture.run(command('job.prioritize', org, { jobId: job.id, priority: 7, queues: null }))).toEqual({
      oldPriority: 0,
      newPriority: 7,
    });
    expect(await fixture.run(command('job.cancel', org, { jobId: job.id, queues: null }))).toEqual({
      oldStatus: 'pending',
    });
    await expect(fixture.run(command('job.cancel', org, { jobId: job.id, queues: null }))).rejects.toEqual(
      refusal(409, 'CONFLICT'),
    );
    await expect(
      fixture.run(command('job.retry', org, { jobId: job.id, queues: null, quota: unlimited })),
    ).rejects.toEqual(refusal(409, 'CONFLICT'));
    await expect(
      fixture.run(command('job.prioritize', org, { jobId: job.id, priority: 7, queues: null })),
    ).rejects.toEqual(refusal(404, 'NOT_FOUND'));
  });

  it('SP-07 a deregistered worker is offline, and may still end its jobs', async () => {
    const worker = {
      workerId: `w-${org}`,
      queueName: 'emails',
      hostname: 'h',
      workerType: null,
      maxConcurrency: 5,
      metadata: null,
      version: null,
      plan: 'free',
      upgradeTo: 'starter',
      maxWorkers: 1,
      queues: null,
    };
    await fixture.run(command('worker.register', org, worker));
    await fixture.run(command('worker.register', org, worker));
    await expect(fixture.run(command('worker.register', org, { ...worker, workerId: 'another' }))).rejects.toEqual(
      refusal(429, 'QUOTA_EXCEEDED'),
    );
    const other = await fixture.organization();
    expect(await fixture.run(command('worker.register', other, worker))).toEqual({ workerId: worker.workerId });

    await fixture.run(enqueue(org, [newJob()]));
    const claimed = await fixture.claimOne(org, { workerId: worker.workerId });
    await fixture.run(command('worker.deregister', org, { workerId: worker.workerId, queues: null, issuedAt: null }));
    const statuses = () => fixture.sql('SELECT organization_id, status FROM workers WHERE id = $1', [worker.workerId]);
    expect(await statuses()).toEqual(
      expect.arrayContaining([
        { organization_id: org, status: 'offline' },
        { organization_id: other, status: 'healthy' },
      ]),
    );
    expect(await fixture.job(claimed.id)).toMatchObject({ status: 'processing', lease_id: claimed.leaseId });
    await fixture.run(complete(claimed, { workerId: worker.workerId }));
    expect(await fixture.job(claimed.id)).toMatchObject({ status: 'completed' });
  });

  it('completion webhooks are recorded with the completion', async () => {
    await fixture.run(enqueue(org, [newJob({ completionWebhook: 'https://example.com/done' })]));
    const claimed = await fixture.claimOne(org);
    await fixture.run(complete(claimed));
    const [row] = await fixture.sql('SELECT * FROM webhook_deliveries WHERE organization_id = $1', [org]);
    expect(row).toMatchObject({
      job_id: claimed.id,
      event: 'job.completed',
      url: 'https://example.com/done',
      status: 'pending',
      payload: { status: 'completed', result: { sent: true } },
    });
    expect(fixture.effects.flatMap(({ deliveries }) => deliveries)).toContainEqual({
      id: row!.id,
      organizationId: org,
    });
  });

  it('expired jobs cannot be claimed and become cancelled', async () => {
    const job = newJob({ expiresAt: fromNow(-1000).toISOString() });
    await fixture.run(enqueue(org, [job]));
    expect((await fixture.run(claim(org))).jobs).toEqual([]);
    await fixture.maintenance.expireJobs(100);
    expect((await fixture.job(job.id)).status).toBe('cancelled');
  });

  it('BX-02 what is known of commands is deleted once none can be delivered again, so many rows at a time', async () => {
    const tables = {
      command_log: 'organization_id, command_id, outcome',
      command_fences: 'owner_id, command_id, delivery',
    };
    const inserts = Object.entries({ ...tables, deleted_jobs: 'organization_id, job_id' });
    for (const [table, columns] of inserts) {
      const more = { command_log: `, '{}'`, command_fences: ', 2' }[table] ?? '';
      await fixture.sql(`DELETE FROM ${table}`);
      await fixture.sql(
        `INSERT INTO ${table} (${columns}, created_at) SELECT $1, uuidv7()${more}, current_ts() - age * interval '1 s'
         FROM unnest(ARRAY[590, 610, 620]) AS age`,
        [org],
      );
    }
    for (const [deleted, left] of [
      [1, 2],
      [1, 1],
      [0, 1],
    ]) {
      expect(await fixture.maintenance.deleteOldCommands(1)).toBe(deleted);
      for (const [table] of inserts)
        expect(await fixture.sql(`SELECT count(*)::int AS n FROM ${table}`)).toEqual([{ n: left }]);
    }
  });

  it('merging the counters of old hours keeps all totals and leaves one row', async () => {
    await fixture.run(enqueue(org, [newJob(), newJob()]));
    await fixture.run(complete(await fixture.claimOne(org)));
    const totals =
      'SELECT sum(created)::int AS created, sum(completed)::int AS completed, count(*)::int AS rows FROM job_stats WHERE organization_id = $1';
    await fixture.sql(`UPDATE job_stats SET hour = hour - interval '3 days' WHERE organization_id = $1`, [org]);
    await fixture.sql(
      `INSERT INTO job_stats (organization_id, queue_name, hour, slot, created) VALUES ($1, 'emails', now() - interval '4 days', 3, 5)`,
      [org],
    );
    for (let round = 0; round < 2; round++) {
      await fixture.maintenance.mergeOldStats(1000);
      expect(await fixture.sql(totals, [org])).toEqual([{ created: 7, completed: 1, rows: 1 }]);
    }
  });

  it('BX-03 merges the counters of a queue later whose total another transaction holds, as requeues do', async () => {
    await fixture.sql(
      `INSERT INTO job_stats (organization_id, queue_name, hour, slot, created)
       SELECT $1, 'queue-' || n, hour, slot, 1 FROM generate_series(1, 3) AS n, (VALUES ('epoch'::timestamptz, -1), ('2026-01-01', 0)) AS row (hour, slot)`,
      [org],
    );
    const holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(
        `SELECT FROM job_stats WHERE organization_id = $1 AND queue_name = 'queue-2' AND slot = -1 FOR UPDATE`,
        [org],
      );
      expect(await fixture.maintenance.mergeOldStats(100)).toBe(2);
      await holder.query('ROLLBACK');
    } finally {
      await holder.end();
    }
    expect(await fixture.maintenance.mergeOldStats(100)).toBe(1);
    const totals =
      'SELECT queue_name AS queue, slot, created::int FROM job_stats WHERE organization_id = $1 ORDER BY 1';
    expect(await fixture.sql(totals, [org])).toEqual(
      [1, 2, 3].map((n) => ({ queue: `queue-${n}`, slot: -1, created: 2 })),
    );
  });
});
