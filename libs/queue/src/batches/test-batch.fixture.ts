import type { BatchCallback, CommandBody, NewJob } from '@spooled/contracts';
import { claim, command, newJob, unlimited } from '@spooled/testing';
import { type EngineFixture, workerCommands } from '../testing/job-lifecycle.fixture.js';

const defaults = { maxRetries: 3, timeoutSeconds: 300 };
export const everyCallback: BatchCallback[] = ['on_success', 'on_complete', 'on_death'];

/** A batch with a callback job of each kind, in the queue that is named like it. */
export class TestBatch {
  readonly id = newJob().id;
  constructor(
    private readonly fixture: EngineFixture,
    readonly org: string,
  ) {}

  static async create(
    fixture: EngineFixture,
    org: string,
    callbacks = everyCallback,
    queues: string[] | null = null,
  ): Promise<TestBatch> {
    const batch = new TestBatch(fixture, org);
    await batch.create(callbacks, queues);
    return batch;
  }

  create = (
    callbacks = everyCallback,
    queues: string[] | null = null,
    { queueName, ...more }: Partial<CommandBody<'batch.create'>> & { queueName?: string } = {},
  ) => {
    const jobs = callbacks.map((name) => [
      name,
      newJob({ queueName: queueName ?? name, payload: '{"zero":"\\u0000"}' }),
    ]);
    const batch = { id: this.id, name: 'import', metadata: '{"a":1}' };
    return this.fixture.run(
      command('batch.create', this.org, {
        batch,
        callbacks: Object.fromEntries(jobs),
        queues,
        quota: unlimited,
        maxOpenBatches: null,
        defaults,
        ...more,
      }),
    );
  };

  addCommand = (jobs: NewJob[], more: Partial<CommandBody<'batch.add'>> = {}) =>
    command('batch.add', this.org, {
      batchId: this.id,
      jobs,
      maxJobs: 1000,
      quota: unlimited,
      queues: null,
      defaults,
      ...more,
    });

  add = async (count: number, more: Partial<NewJob> = {}) => {
    const jobs = Array.from({ length: count }, () => newJob(more));
    await this.fixture.run(this.addCommand(jobs));
    return jobs.map(({ id }) => id);
  };

  close = () => this.fixture.run(command('batch.close', this.org, { batchId: this.id, queues: null }));
  cancel = () => this.fixture.run(command('batch.cancel', this.org, { batchId: this.id, queues: null }));

  claim = async (limit = 100, queueName = 'emails') =>
    (await this.fixture.run(claim(this.org, { limit, queueName }))).jobs;
  complete = async (limit = 100) => {
    const jobs = await this.claim(limit);
    await Promise.all(jobs.map((job) => this.fixture.run(workerCommands(this.org).complete(job))));
    return jobs;
  };
  die = async (limit = 1) => {
    const jobs = await this.claim(limit);
    for (const job of jobs) await this.fixture.run(workerCommands(this.org).fail(job, false));
    return jobs.map(({ id }) => id);
  };
  retry = (jobId: string) =>
    this.fixture.run(command('job.retry', this.org, { jobId, queues: null, quota: unlimited }));

  /** The queues of its callback jobs, sorted. */
  fired = async () => {
    const rows = await this.fixture.sql<{ queue_name: string }>(
      'SELECT queue_name FROM job_records WHERE batch_id = $1 AND queue_name = ANY ($2) ORDER BY 1',
      [this.id, everyCallback],
    );
    return rows.map((row) => row.queue_name);
  };

  /** How its counters differ from its members and their jobs; a job that was deleted stays counted as it ended. */
  miscounts = () =>
    this.fixture.sql(
      `WITH counted AS (
         SELECT sum(succeeded) AS succeeded, sum(failed) AS failed, sum(cancelled) AS cancelled FROM batch_counts WHERE batch_id = $1
       ), members AS (
         SELECT count(*) AS jobs, count(*) FILTER (WHERE outcome = 'completed') AS succeeded,
           count(*) FILTER (WHERE outcome IN ('failed', 'deadletter')) AS failed, count(*) FILTER (WHERE outcome = 'cancelled') AS cancelled
         FROM batch_jobs WHERE batch_id = $1
       )
       SELECT to_jsonb(c) AS counted, to_jsonb(m) AS members FROM counted c, members m, batches b
       WHERE b.id = $1 AND (coalesce(c.succeeded, 0), coalesce(c.failed, 0), coalesce(c.cancelled, 0), b.total_jobs)
         IS DISTINCT FROM (m.succeeded, m.failed, m.cancelled, m.jobs)
       UNION ALL
       SELECT to_jsonb(m), to_jsonb(j) FROM batch_jobs m LEFT JOIN jobs j ON j.id = m.job_id
       WHERE m.batch_id = $1 AND (m.outcome IS DISTINCT FROM j.outcome::text AND j.id IS NOT NULL OR m.outcome IS NULL AND j.id IS NULL)`,
      [this.id],
    );

  row = async () => {
    const [row] = await this.fixture.sql(
      `SELECT b.status, b.total_jobs AS total, b.completed_at IS NOT NULL AS ended,
         coalesce(sum(c.succeeded), 0)::int AS succeeded, coalesce(sum(c.failed), 0)::int AS failed,
         coalesce(sum(c.cancelled), 0)::int AS cancelled
       FROM batches b LEFT JOIN batch_counts c ON c.batch_id = b.id WHERE b.id = $1 GROUP BY b.id`,
      [this.id],
    );
    return row!;
  };
}
