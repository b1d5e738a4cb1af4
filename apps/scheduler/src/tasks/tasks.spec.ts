import { randomUUID } from 'node:crypto';
import type { Outcome } from '@spooled/contracts';
import { Database, findWorker } from '@spooled/data-access';
import { JobEngine } from '@spooled/queue';
import { claim, command, enqueue, newJob, useDatabase } from '@spooled/testing';
import { GaugesTask } from '../gauges/gauges.task.js';
import { useIdleScheduler } from '../scheduler.fixture.js';

const scheduler = useIdleScheduler(useDatabase());
let db: Database;
let engine: JobEngine;

beforeAll(async () => {
  db = scheduler.app.get(Database);
  engine = new JobEngine(db, { onEffects: () => undefined });
});

// Workers of one test become stale during the next ones: after 20 s without a heartbeat.
afterEach(() => db.asSystem('spec', (tx) => tx.query('DELETE FROM workers')));

const worker = (org: string, id: string, silentSeconds: number, status = 'healthy') =>
  db.withTenant(org, (tx) =>
    tx.query(
      `INSERT INTO workers (id, organization_id, queue_name, hostname, status, last_heartbeat)
       VALUES ($1, $2, 'emails', 'host', $3, now() - make_interval(secs => $4))`,
      [id, org, status, silentSeconds],
    ),
  );

const jobsOf = (org: string) =>
  db.withTenant(org, (tx) =>
    tx.query('SELECT status, retry_count, assigned_worker_id AS worker FROM job_records ORDER BY id'),
  );

describe('tasks of one scheduler', () => {
  it('SP-07 SP-37 SP-39 SP-40 SP-41 mark stale workers and recover the jobs of offline ones', async () => {
    const org = randomUUID();
    const [fresh, late, gone, draining] = ['fresh', 'late', 'gone', 'draining'].map((name) => `${name}-${org}`);
    await worker(org, fresh!, 0);
    await worker(org, late!, 25);
    await worker(org, gone!, 60);
    await worker(org, draining!, 25, 'draining');
    await engine.execute([enqueue(org, [newJob(), newJob()])]);
    await engine.execute([claim(org, { workerId: late! }), claim(org, { workerId: gone! })]);

    expect(await scheduler.run('stale-workers')).toBe(2);
    const workers = await db.withTenant(org, (tx) => tx.query('SELECT status FROM workers ORDER BY last_heartbeat'));
    expect(workers.map(({ status }) => status).sort()).toEqual(['degraded', 'draining', 'healthy', 'offline']);
    expect(await jobsOf(org)).toEqual(
      expect.arrayContaining([
        { status: 'processing', retry_count: 0, worker: late },
        { status: 'pending', retry_count: 1, worker: null },
      ]),
    );
    expect(await scheduler.run('stale-workers')).toBe(0);
  });

  it('SP-07 adds what was counted to the counters of registered workers, once', async () => {
    const org = randomUUID();
    await worker(org, 'w1', 5);
    await engine.execute([enqueue(org, [newJob(), newJob()])]);
    const [granted] = (await engine.execute([claim(org, { limit: 2 })])) as Outcome<'job.claim'>[];
    for (const { id: jobId } of granted?.ok ? granted.value.jobs : []) {
      const proof = { jobId, workerId: 'w1', leaseId: null, queues: null };
      await engine.execute([command('job.complete', org, { ...proof, result: null })]);
    }
    const read = () =>
      db.withTenant(org, async (tx) => ({
        shown: (await findWorker(tx, 'w1', null))!.jobs_processed,
        stored: await tx.query('SELECT jobs_processed AS n FROM workers'),
        unmerged: await tx.query('SELECT id FROM worker_counts'),
      }));
    expect(await read()).toMatchObject({ shown: 2, unmerged: [{}, {}] });
    await Promise.all([1, 2].map(() => scheduler.run('worker-counters')));
    expect(await read()).toMatchObject({ shown: 2, stored: [{ n: 2 }], unmerged: [] });
  });

  it('SP-41 BX-01 do not affect a worker with the same id in another organization', async () => {
    const [org, other] = [randomUUID(), randomUUID()];
    await worker(org, 'w1', 60);
    await worker(other, 'w1', 0);
    await engine.execute([org, other].map((owner) => enqueue(owner, [newJob()])));
    await engine.execute([org, other].map((owner) => claim(owner)));
    expect(await scheduler.run('stale-workers')).toBe(1);
    const statusOf = (owner: string) => db.withTenant(owner, (tx) => tx.query('SELECT status FROM workers'));
    expect([await statusOf(org), await statusOf(other)]).toEqual([[{ status: 'offline' }], [{ status: 'healthy' }]]);
    expect([await jobsOf(org), await jobsOf(other)]).toMatchObject([
      [{ status: 'pending', worker: null }],
      [{ status: 'processing', worker: 'w1' }],
    ]);
  });

  it('SP-33 SP-51 release a child that missed the end of its parent', async () => {
    const org = randomUUID();
    const parent = newJob();
    await engine.execute([enqueue(org, [parent])]);
    await engine.execute([enqueue(org, [newJob({ parentJobId: parent.id })])]);
    await db.withTenant(org, async (tx) => {
      await tx.query(`UPDATE jobs SET outcome = 'completed', completed_at = now() WHERE id = $1`, [parent.id]);
      await tx.query('DELETE FROM job_queue WHERE job_id = $1', [parent.id]);
    });
    expect(await scheduler.run('dependencies')).toBe(1);
    const child = await engine.execute([claim(org)]);
    expect(child).toMatchObject([{ ok: true, value: { jobs: [{}] } }]);
  });

  it('SP-09 SP-34 export counts of live jobs and workers as metrics, and none before the first run', async () => {
    const text = () => scheduler.service.metrics.text();
    expect(await text()).not.toMatch(/^spooled_jobs_pending /m);
    const org = randomUUID();
    await engine.execute([enqueue(org, [newJob({ queueName: 'gauged' }), newJob({ queueName: 'gauged' })])]);
    await engine.execute([claim(org, { queueName: 'gauged' })]);
    await scheduler.app.get(GaugesTask).run();
    const [live] = await db.asSystem('spec', (tx) =>
      tx.query<{ pending: number; processing: number }>(
        `SELECT count(*) FILTER (WHERE state <> 'leased') AS pending, count(*) FILTER (WHERE state = 'leased') AS processing FROM job_queue`,
      ),
    );
    expect(await text()).toContain(`spooled_jobs_pending ${live!.pending}\n`);
    expect(await text()).toContain(`spooled_jobs_processing ${live!.processing}\n`);
  });

  it('PB-30 measures depth and age of the deepest queues of each organization, and only of those', async () => {
    const [org, other] = [randomUUID(), randomUUID()];
    for (let n = 0; n < 12; n++) {
      const jobs = Array.from({ length: n + 1 }, () => newJob({ queueName: `depth-${n}` }));
      await engine.execute([enqueue(org, jobs)]);
    }
    await engine.execute([enqueue(other, [newJob({ queueName: 'depth-0' })])]);
    await engine.execute([claim(org, { queueName: 'depth-11' })]);
    await scheduler.app.get(GaugesTask).run();
    const lines = (await scheduler.service.metrics.text()).split('\n');
    const value = (metric: string) =>
      lines
        .find((line) => line.startsWith(metric))
        ?.split(' ')
        .at(-1);
    const jobs = (organization: string, queue: string, state: string) =>
      value(`spooled_queue_jobs{organization="${organization}",queue="${queue}",state="${state}"}`);
    expect([jobs(org, 'depth-11', 'pending'), jobs(org, 'depth-11', 'processing')]).toEqual(['11', '1']);
    expect([jobs(org, 'depth-2', 'pending'), jobs(org, 'depth-1', 'pending')]).toEqual(['3', undefined]);
    expect(jobs(other, 'depth-0', 'pending')).toBe('1');
    const age = Number(value(`spooled_queue_max_age_seconds{organization="${org}",queue="depth-11"}`));
    expect(age).toBeGreaterThan(0);
  });
});
