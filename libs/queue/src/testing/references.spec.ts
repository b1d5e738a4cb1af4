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
  'batch_jobs.job_id': 'deleted when the batch is: it says how the job has ended',
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

  it.each<[how: string, remove: (org: string) => Promise<unknown>]>([
    [
      'a purge',
      (org) =>
        fixture.run(
          command('deadletter.purge', org, { jobIds: null, queueName: 'q', olderThan: null, limit: 9, issuedAt: null }),
        ),
    ],
    [
      'a purge in steps',
      async (org) => {
        const operations = new OperationsFixture(fixture, org);
        await operations.finish(await operations.create('deadletter.purge'));
      },
    ],
    [
      'the deletion of a queue',
      (org) => fixture.run(command('queue.delete', org, { queueName: 'q', deleteJobs: true, issuedAt: null })),
    ],
  ])('leave nothing behind of jobs that %s removes', async (_how, remove) => {
    const org = await fixture.organization();
    const dead = newJob({ queueName: 'q', idempotencyKey: 'k', maxRetries: 0 });
    const parent = newJob({ queueName: 'parents' });
    await fixture.run(enqueue(org, [parent]));
    await new OperationsFixture(fixture, org).die(['{}'], { queueName: 'q', idempotencyKey: 'other' });
    await fixture.run(enqueue(org, [dead]));
    await fixture.sql('INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id) VALUES ($1, $2, $3)', [
      org,
      dead.id,
      parent.id,
    ]);
    await fixture.sql(
      `INSERT INTO job_steps (organization_id, job_id, name, kind, created_at, finished_at) VALUES ($1, $2, 'charge', 'step', now(), now())`,
      [org, dead.id],
    );
    await fixture.sql(
      `INSERT INTO job_logs (organization_id, job_id, run, number, lease_id, attempt, at, level, message, kept, bytes, reported)
       VALUES ($1, $2, 1, 1, gen_random_uuid(), 1, now(), 'info', 'charged', 1, 7, 1)`,
      [org, dead.id],
    );
    await new OperationsFixture(fixture, org).end([dead.id], 'fail', 'q');
    const rowsOf = async (table: string, where: string) => {
      const sql = `SELECT count(*)::int AS n FROM ${table} WHERE organization_id = $1 AND ${where}`;
      return (await fixture.sql<{ n: number }>(sql, [org]))[0]!.n;
    };
    const ofDead = (table: string) => rowsOf(table, `job_id = '${dead.id}'`);
    // The job had rows in all of them, but it is not live any more.
    for (const table of goWithTheirJob)
      expect([table, (await ofDead(table)) > 0]).toEqual([table, table !== 'job_queue']);
    await remove(org);
    expect(await rowsOf('jobs', `queue_name = 'q'`)).toBe(0);
    for (const table of goWithTheirJob) {
      const dangling = await rowsOf(table, `job_id NOT IN (SELECT id FROM jobs)`);
      expect([table, dangling]).toEqual([table, 0]);
    }
  });
});
