import fc from 'fast-check';
import { command, unlimited } from '@spooled/testing';
import { OperationsFixture } from '../operations/operations.fixture.js';
import { useEngine, workerCommands } from '../testing/job-lifecycle.fixture.js';
import { TestBatch } from './test-batch.fixture.js';

const fixture = useEngine();
const queues = ['emails', 'bulk'];

/** What may happen to the jobs of a batch; `n` chooses which. */
const acts = {
  add: (batch, n) => batch.add(1 + (n % 5), { maxRetries: n % 2, queueName: queues[n % 2]! }),
  addChild: async (batch, n, [parent]) =>
    parent && batch.add(1, { parentJobId: parent, queueName: queues[n % 2]! }).catch(refused),
  complete: (batch, n) => end(batch, n, (job) => workerCommands(batch.org).complete(job)),
  fail: (batch, n) => end(batch, n, (job) => workerCommands(batch.org).fail(job, n % 3 === 0)),
  abandon: async (batch, n) => {
    await batch.claim(1, queues[n % 2]);
    await fixture.pass('1 hour');
    await fixture.maintenance.recoverExpiredLeases(100);
  },
  expire: async (batch, n) => {
    await fixture.sql(
      `UPDATE job_queue SET expires_at = current_ts() - interval '1 second' WHERE organization_id = $1 AND queue_name = $2 AND state <> 'leased'`,
      [batch.org, queues[n % 2]],
    );
    await fixture.maintenance.expireJobs(100);
  },
  cancel: async (batch, _, [jobId]) =>
    jobId && fixture.run(command('job.cancel', batch.org, { jobId, queues: null })).catch(refused),
  retry: async (batch, _, [jobId]) => jobId && batch.retry(jobId).catch(refused),
  replay: (batch, n) => operation(batch, 'deadletter.replay', n),
  purge: (batch, n) => operation(batch, 'deadletter.purge', n),
  move: (batch, n) => operation(batch, 'job.move', n, { settings: { to_queue: queues[(n + 1) % 2]! } }),
  delete: (batch, n) => operation(batch, 'job.delete', n),
  cancelMany: (batch, n) => operation(batch, 'job.cancel', n),
  deleteQueue: (batch, n) =>
    fixture.run(command('queue.delete', batch.org, { queueName: queues[n % 2]!, deleteJobs: true, issuedAt: null })),
  retryMany: (batch, n) => {
    const body = { jobIds: null, queueName: queues[n % 2]!, limit: 2, quota: unlimited, maxWorkflows: null };
    return fixture.run(command('deadletter.retry', batch.org, body));
  },
} satisfies Record<string, (batch: TestBatch, n: number, ids: string[]) => Promise<unknown>>;
type Act = [verb: keyof typeof acts, n: number];

/** A job that is in another state or queue, or gone. */
function refused(error: { status: number }): void {
  if (![400, 404, 409].includes(error.status)) throw error;
}

async function end(batch: TestBatch, n: number, how: (job: { id: string }) => Parameters<typeof fixture.run>[0]) {
  const jobs = await batch.claim(1 + (n % 4), queues[n % 2]);
  await Promise.all(jobs.map((job) => fixture.run(how(job))));
}

async function operation(
  batch: TestBatch,
  kind: Parameters<OperationsFixture['create']>[0],
  n: number,
  more: Parameters<OperationsFixture['create']>[1] = {},
) {
  const operations = new OperationsFixture(fixture, batch.org);
  await operations.finish(await operations.create(kind, { filter: { queue_name: queues[n % 2]! }, ...more }));
}

const isDone = async (batch: TestBatch): Promise<boolean> => {
  const [row] = await fixture.sql<{ left: number }>(
    'SELECT count(*)::int AS left FROM job_queue q JOIN batch_jobs m USING (job_id) WHERE m.batch_id = $1',
    [batch.id],
  );
  return row!.left === 0;
};

describe('any batch', () => {
  it('counts its jobs as they are, whatever happened to them, and creates each callback at most once', async () => {
    const some = fc.tuple(fc.constantFrom(...(Object.keys(acts) as Act[0][])), fc.nat(1000));
    const programs = fc.record({ before: fc.array(some, { maxLength: 20 }), after: fc.array(some, { maxLength: 10 }) });
    const check = async ({ before, after }: { before: Act[]; after: Act[] }) => {
      const batch = await TestBatch.create(fixture, await fixture.organization());
      // Operations comply with the plan.
      await fixture.sql(`UPDATE organizations SET plan_tier = 'enterprise' WHERE id = $1`, [batch.org]);
      const run = async ([verb, n]: Act) => {
        const members = await fixture.sql<{ job_id: string }>(
          'SELECT job_id FROM batch_jobs WHERE batch_id = $1 ORDER BY job_id',
          [batch.id],
        );
        const ids = members.length === 0 ? [] : [members[n % members.length]!.job_id];
        await acts[verb](batch, n, ids);
        expect(await batch.miscounts()).toEqual([]);
      };
      await acts.add(batch, 8);
      for (const act of before) await run(act);
      await batch.close();
      for (const act of after) if (!act[0].startsWith('add')) await run(act);
      for (let i = 0; !(await isDone(batch)); i++) {
        expect(i).toBeLessThan(50);
        for (const n of [0, 1]) await end(batch, n, (job) => workerCommands(batch.org).complete(job));
        await fixture.pass('1 hour');
        await fixture.maintenance.activateDue(100);
      }
      expect(await batch.miscounts()).toEqual([]);
      const row = await batch.row();
      expect(row).toMatchObject({ status: 'completed', ended: true });
      const fired = await batch.fired();
      expect(fired).toEqual([...new Set(fired)]);
      expect(fired).toContain('on_complete');
      if (row.succeeded === row.total) expect(fired).toContain('on_success');
    };
    await fc.assert(fc.asyncProperty(programs, check), { numRuns: 8, endOnFailure: true });
  });
});
