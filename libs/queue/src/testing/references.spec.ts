import { command, enqueue, newJob } from '@spooled/testing';
import { OperationsFixture } from '../operations/operations.fixture.js';
import { useEngine } from './job-lifecycle.fixture.js';

/** What is deleted in the transaction that deletes its job: a foreign key to a partitioned table would cost each job a lookup. */
const goWithTheirJob = [
  'job_queue',
  'job_history',
  'dead_letters',
  'idempotency_keys',
  'job_dependencies',
  'job_logs',
  'job_steps',
];

/** References without a foreign key, and what replaces it. */
const rules: Record<string, string> = {
  ...Object.fromEntries(goWithTheirJob.map((table) => [`${table}.job_id`, 'deleted with the job: below'])),
  'job_dependencies.depends_on_job_id': 'a dependent of a job that is gone is released after an hour (SP-51)',
  'jobs.parent_job_id': 'as its row of job_dependencies',
  'jobs.workflow_id': 'retention keeps a workflow or batch for as long as it has jobs',
  'batch_jobs.batch_id': 'written with the row of the batch, which is deleted after its members',
  'batch_jobs.job_id': 'deleted before the batch is: it says how the job has ended',
  'batches.success_job_id': 'says what was done; retention keeps the batch for as long as the job',
  'batches.complete_job_id': 'as success_job_id',
  'batches.death_job_id': 'as success_job_id',
  'workflow_jobs.job_id': 'deleted with the workflow',
  'command_fences.owner_id': 'its organization, which a fence may outlive for minutes',
  'deleted_jobs.job_id': 'says which job is gone, and is deleted by age',
  'operation_items.job_id': 'says what was done, and is deleted with the operation',
  'outgoing_webhooks.probe_id': 'the next probe replaces it',
  'schedule_runs.job_id': 'says what was done, and is deleted with the schedule or by age',
  'throttles.api_key_id': 'keys are deleted with their organization only, as throttles are',
  'inbound_deliveries.job_id': 'says what was done, and is deleted by age',
  'webhook_deliveries.job_id': 'says what was done, and is deleted by age',
};
/** Names in other systems, of callers, or of what has no table. */
const names = /\.(id|lease_id|session_id|command_id|group_id|cause_id|target_id)$/;

const fixture = useEngine();

describe('MQ-30 references between tables', () => {
  it('are foreign keys, or have a rule', async () => {
    const found = await fixture.sql<{ name: string }>(`
      SELECT c.relname || '.' || a.attname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND a.atttypid = 'uuid'::regtype AND NOT EXISTS (
          SELECT FROM pg_constraint k WHERE k.contype = 'f' AND k.conrelid = c.oid AND a.attnum = ANY (k.conkey))`);
    const references = found.map(({ name }) => name).filter((name) => !names.test(name));
    // Rows of an organization that is deleted: deletions.spec.ts, which knows every table.
    const others = references.filter((name) => !name.endsWith('.organization_id'));
    expect(others.sort()).toEqual(Object.keys(rules).sort());
  });

  /** A dead letter and a waiting job with rows in all these tables, in the queues `<name>-dead` and `<name>-waiting`. */
  async function addJobs(org: string, name: string): Promise<void> {
    const [dead, waiting, parent] = ['dead', 'waiting', 'parents'].map((state) =>
      newJob({ queueName: `${name}-${state}`, idempotencyKey: `${name}-${state}`, maxRetries: 0 }),
    );
    await fixture.run(enqueue(org, [dead!, waiting!, parent!]));
    await new OperationsFixture(fixture, org).end([dead!.id], 'fail', dead!.queueName);
    for (const { id } of [dead!, waiting!]) {
      await fixture.sql(
        'INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id) VALUES ($1, $2, $3)',
        [org, id, parent!.id],
      );
      await fixture.sql(
        `INSERT INTO job_steps (organization_id, job_id, name, kind, created_at, finished_at) VALUES ($1, $2, 'charge', 'step', now(), now())`,
        [org, id],
      );
      await fixture.sql(
        `INSERT INTO job_logs (organization_id, job_id, run, number, lease_id, attempt, at, level, message, kept, bytes, reported)
         VALUES ($1, $2, 1, 1, gen_random_uuid(), 1, now(), 'info', 'charged', 1, 7, 1)`,
        [org, id],
      );
      await fixture.sql(
        `INSERT INTO job_history (organization_id, job_id, at, event) VALUES ($1, $2, now(), 'prioritized')`,
        [org, id],
      );
    }
  }

  const inSteps = async (org: string, ...operation: Parameters<OperationsFixture['create']>) => {
    const operations = new OperationsFixture(fixture, org);
    await operations.finish(await operations.create(...operation));
  };
  const deleteQueue = (org: string, queueName: string) =>
    fixture.run(command('queue.delete', org, { queueName, deleteJobs: true, issuedAt: null }));
  const purge = { jobIds: null, olderThan: null, limit: 9, issuedAt: null };

  it.each<[how: string, queue: string, remove: (org: string, queue: string) => Promise<unknown>]>([
    [
      'a purge',
      'gone-dead',
      (org, queueName) => fixture.run(command('deadletter.purge', org, { ...purge, queueName })),
    ],
    [
      'a purge in steps',
      'gone-dead',
      (org, queue) => inSteps(org, 'deadletter.purge', { filter: { queue_name: queue } }),
    ],
    ['the deletion of a queue', 'gone-dead', deleteQueue],
    ['the deletion of a queue', 'gone-waiting', deleteQueue],
    [
      'the deletion of a queue in steps',
      'gone-waiting',
      (org, queue) =>
        inSteps(org, 'queue.delete', { filter: { queue_name: queue, created_before: '2100-01-01T00:00:00Z' } }),
    ],
    [
      'an operation that deletes jobs',
      'gone-waiting',
      (org, queue) => inSteps(org, 'job.delete', { filter: { queue_name: queue } }),
    ],
  ])('leave nothing behind of jobs that %s removes from %s, and all of the others', async (_how, queue, remove) => {
    const org = await fixture.organization();
    await addJobs(org, 'gone');
    await addJobs(org, 'kept');
    const jobs = await fixture.sql<{ id: string; queue: string }>(
      'SELECT id, queue_name AS queue FROM jobs WHERE organization_id = $1',
      [org],
    );
    const tables = ['jobs', ...goWithTheirJob];
    /** Tables and queues of which there are rows. */
    const read = async () => {
      const rows: string[] = [];
      for (const table of tables) {
        const found = await fixture.sql<{ id: string; n: number }>(
          `SELECT ${table === 'jobs' ? 'id' : 'job_id AS id'}, count(*)::int AS n FROM ${table} WHERE organization_id = $1 GROUP BY 1`,
          [org],
        );
        rows.push(...found.map(({ id, n }) => `${jobs.find((job) => job.id === id)?.queue ?? id}: ${n} in ${table}`));
      }
      return rows.sort();
    };
    const before = await read();
    const ofQueue = before.filter((row) => row.startsWith(`${queue}:`));
    // It had rows in all of them, but it is either live or dead.
    expect(ofQueue).toHaveLength(tables.length - 1);
    await remove(org, queue);
    expect(await read()).toEqual(before.filter((row) => !ofQueue.includes(row)));
  });
});
