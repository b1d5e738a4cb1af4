import { rollUpSeries, sampleSeries } from '@spooled/data-access';
import type { Database } from '@spooled/data-access';
import { JobEngine, Maintenance } from '@spooled/queue';
import {
  claim,
  command,
  createTenant,
  createTestDatabase,
  enqueue,
  moveClock,
  newJob,
  openConnections,
  type TestDatabase,
  type TestTenant,
} from '@spooled/testing';
import pg from 'pg';
import { startGateway, type TestGateway } from '../gateway.fixture.js';

/** What happens to a queue at a moment. */
export interface Work {
  created?: number;
  completed?: number;
  retried?: number;
  deadlettered?: number;
  /** Claimed jobs that continue running. */
  running?: number;
}

/** What the tables of jobs say about a period; the truth that figures are compared with. */
export interface Truth {
  created: number;
  completed: number;
  failed: number;
  retried: number;
}

/** A gateway, an engine and a sampler on one database, whose time the specification moves. */
export class FiguresFixture {
  gateway!: TestGateway;
  /** Queues that a sample keeps apart. */
  queuesPerOrganization = 50;
  /** The organization of a test. */
  tenant!: TestTenant;
  private readonly connections: Database;
  private readonly engine: JobEngine;
  /** Failed attempts that are retried: a job keeps only how many it had. */
  private retries: { queue: string; at: string }[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly superuser: pg.Client,
  ) {
    this.connections = openConnections(database, { maxConnections: 2 });
    this.engine = new JobEngine(this.connections, { onEffects: () => undefined });
  }

  static async open(): Promise<FiguresFixture> {
    const database = await createTestDatabase();
    const superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
    await moveClock(database, '0');
    const fixture = new FiguresFixture(database, superuser);
    fixture.gateway = await startGateway(database);
    return fixture;
  }

  /** Begins a test: with a new organization, and without a sample. */
  async begin(): Promise<void> {
    await this.superuser.query('TRUNCATE series_samples, queue_series, series_counters, latency_counts, job_queue');
    this.tenant = await createTenant(this.database.superuserUrl);
    this.queuesPerOrganization = 50;
    this.retries = [];
  }

  async close(): Promise<void> {
    await this.gateway.stop();
    await this.superuser.end();
    await this.connections.close();
    await this.database.drop();
  }

  async restart(): Promise<void> {
    await this.gateway.stop();
    this.gateway = await startGateway(this.database);
  }

  /** Lets steps of time begin, and takes a sample in each: some seconds after its beginning, so that the time of the test does not matter. */
  async pass(steps: number, { isSampled = true, stepSeconds = 60 } = {}): Promise<void> {
    for (let left = steps; left > 0; left--) {
      await this.moveTo(
        `date_bin(make_interval(secs => $1), current_ts(), 'epoch') + make_interval(secs => $1 * 1.1)`,
        stepSeconds,
      );
      if (isSampled) await this.sample();
    }
  }

  /** Moves to the next time when this is the minute of the hour, and takes the first sample there. */
  async passTo(minute: number, { isSampled = true } = {}): Promise<void> {
    await this.moveTo(
      `date_trunc('hour', current_ts()) + interval '1 hour' + make_interval(mins => $1, secs => 6)`,
      minute,
    );
    if (isSampled) await this.sample();
  }

  /** On a connection that is open: the specification moves the clock hundreds of times. */
  private async moveTo(time: string, parameter: number): Promise<void> {
    await this.superuser.query(`UPDATE moved_clock SET moved_by = moved_by + (${time} - current_ts())`, [parameter]);
  }

  /** Takes the sample that is due, as the scheduler does. */
  async sample(): Promise<void> {
    await this.connections.asSystem('sample series', (tx) => sampleSeries(tx, this.queuesPerOrganization));
    await this.connections.asSystem('roll up series', rollUpSeries);
  }

  /** Creates a job, and the live rows of others without records and counters: to create thousands takes seconds of CPU. */
  async fill(queueName: string, jobs: number): Promise<void> {
    await this.work(queueName, { created: 1 });
    await this.superuser.query(
      `INSERT INTO job_queue (job_id, organization_id, created_at, state, priority, max_retries, queue_name)
       SELECT uuidv7(), $1, current_ts(), 'ready', 0, 3, $2 FROM generate_series(1, $3)`,
      [this.tenant.organizationId, queueName, jobs - 1],
    );
  }

  async work(queueName: string, work: Work): Promise<void> {
    const { created = 0, completed = 0, retried = 0, deadlettered = 0, running = 0 } = work;
    const { organizationId } = this.tenant;
    if (created > 0) {
      const jobs = Array.from({ length: created }, () => newJob({ queueName, jobType: 'figures' }));
      await this.run(enqueue(organizationId, jobs));
    }
    const claimed: string[] = [];
    for (let left = completed + retried + deadlettered + running; left > 0; left -= 100) {
      const [found] = await this.run(
        claim(organizationId, { queueName, limit: Math.min(100, left), leaseSeconds: 86_400 }),
      );
      claimed.push(...found!.jobs.map(({ id }) => id));
    }
    const take = (count: number) => claimed.splice(0, count);
    const lease = (jobId: string) => ({ jobId, workerId: 'w1', leaseId: null, queues: null });
    await this.run(
      ...take(completed).map((id) => command('job.complete', organizationId, { ...lease(id), result: null })),
      ...take(retried).map((id) =>
        command('job.fail', organizationId, { ...lease(id), error: 'HTTP 503', retry: true }),
      ),
      ...take(deadlettered).map((id) =>
        command('job.fail', organizationId, { ...lease(id), error: 'HTTP 500', retry: false }),
      ),
    );
    const at = await this.value<string>('SELECT current_ts()::text');
    for (let left = retried; left > 0; left--) this.retries.push({ queue: queueName, at });
  }

  /** Lets every retry expire, and ends its job as the scheduler does. */
  async expireRetries(): Promise<void> {
    await this.superuser.query('UPDATE job_queue SET expires_at = current_ts() WHERE retry_count > 0');
    const ignore = () => undefined;
    await new Maintenance(this.connections, { onEffects: ignore, onError: ignore }).expireJobs(100);
  }

  /** The body of a successful request. */
  async get(path: string, key = this.tenant.key) {
    const { status, body } = await this.gateway.request('GET', path, key);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async value<T>(query: string, ...parameters: unknown[]): Promise<T> {
    const { rows } = await this.superuser.query({ text: query, values: parameters, rowMode: 'array' });
    return (rows as unknown as T[][])[0]![0]!;
  }

  /**
   * What happened since a number of hours before the current minute, counted in the jobs themselves.
   * @param without a period that is left out, as two times
   */
  async truth(hours: number, queue: string | null, without: [string, string] | null = null): Promise<Truth> {
    const [from, to] = without ?? ['-infinity', '-infinity'];
    const inPeriod = (column: string) =>
      `${column} >= date_trunc('minute', current_ts()) - make_interval(hours => $3::int) AND NOT (${column} >= $4::timestamptz AND ${column} < $5::timestamptz)`;
    const { rows } = await this.superuser.query<Record<keyof Truth, string>>(
      `SELECT
         (SELECT count(*) FROM jobs WHERE organization_id = $1 AND ($2::text IS NULL OR queue_name = $2) AND ${inPeriod('created_at')}) AS created,
         (SELECT count(*) FROM jobs WHERE organization_id = $1 AND ($2::text IS NULL OR queue_name = $2) AND outcome = 'completed'
           AND ${inPeriod('completed_at')}) AS completed,
         (SELECT count(*) FROM dead_letters WHERE organization_id = $1 AND ($2::text IS NULL OR queue_name = $2)
           AND ${inPeriod('dead_at')}) AS failed,
         (SELECT count(*) FROM unnest($6::text[], $7::timestamptz[]) AS r(queue_name, at)
           WHERE ($2::text IS NULL OR queue_name = $2) AND ${inPeriod('at')}) AS retried`,
      [
        this.tenant.organizationId,
        queue,
        hours,
        from,
        to,
        this.retries.map((one) => one.queue),
        this.retries.map(({ at }) => at),
      ],
    );
    const { created, completed, failed, retried } = rows[0]!;
    return { created: Number(created), completed: Number(completed), failed: Number(failed), retried: Number(retried) };
  }

  private async run(...commands: Parameters<JobEngine['execute']>[0]) {
    const outcomes = await this.engine.execute(commands);
    return outcomes.map((outcome) => {
      if (!outcome.ok) throw new Error(outcome.error.message);
      return outcome.value as { jobs: { id: string }[] };
    });
  }
}
