import type { Command, CommandBody, CommandKind, CommandResult, NewJob, Outcome } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
import { JobEngine } from '@spooled/queue';
import { claim, command, createTestDatabase, enqueue, eventually, newJob, type TestDatabase } from '@spooled/testing';
import pg from 'pg';

/** A test database with an in-process engine and superuser connections. */
export class World {
  private constructor(
    readonly urls: TestDatabase,
    readonly database: Database,
    private readonly superuser: pg.Pool,
    private readonly engine: JobEngine,
  ) {}

  static async open(): Promise<World> {
    const urls = await createTestDatabase();
    const superuser = new pg.Pool({ connectionString: urls.superuserUrl, max: 4 });
    const database = new Database({
      appUrl: urls.appUrl,
      applicationName: 'redelivery spec',
      maxConnections: 24,
      minConnections: 0,
      acquireTimeoutMs: 10_000,
      // It waits for the locks of a stopped engine, however busy the machine is.
      queryTimeoutMs: 20_000,
      onError: () => undefined,
    });
    return new World(
      urls,
      database,
      superuser,
      new JobEngine(database, { onEffects: () => undefined, random: () => 0 }),
    );
  }

  async close(): Promise<void> {
    await this.superuser.end();
    await this.database.close();
    await this.urls.drop();
  }

  async tenant(): Promise<Tenant> {
    const [row] = await this.sql<{ id: string }>(
      `INSERT INTO organizations (name, slug) VALUES ('Test', 'test-' || gen_random_uuid()) RETURNING id`,
    );
    return new Tenant(this, row!.id);
  }

  /** Runs SQL as the superuser, without row-level security. */
  async sql<Row extends pg.QueryResultRow>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.superuser.query<Row>(text, parameters)).rows;
  }

  /** Runs a command in-process, as a gateway without Redis does. */
  async run<K extends CommandKind>(kind: K, organizationId: string, body: CommandBody<K>): Promise<CommandResult<K>> {
    const [outcome] = (await this.engine.execute([command(kind, organizationId, body) as Command])) as Outcome<K>[];
    if (outcome!.ok) return outcome!.value;
    throw SpooledError.fromShape(outcome!.error);
  }

  async now(): Promise<string> {
    const [row] = await this.sql<{ now: string }>(
      `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now`,
    );
    return row!.now;
  }
}

/** An organization whose jobs are identified by name. */
export class Tenant {
  private readonly ids = new Map<string, string>();

  constructor(
    readonly world: World,
    readonly organizationId: string,
  ) {}

  run<K extends CommandKind>(kind: K, body: CommandBody<K>): Promise<CommandResult<K>> {
    return this.world.run(kind, this.organizationId, body);
  }

  /** A job that a command may insert. */
  job(name: string, more: Partial<NewJob> = {}): NewJob {
    const job = newJob({ payload: JSON.stringify({ name }), maxRetries: 0, ...more });
    this.ids.set(name, job.id);
    return job;
  }

  id(name: string): string {
    return this.ids.get(name)!;
  }

  async enqueue(...jobs: NewJob[]): Promise<void> {
    const { body } = enqueue(this.organizationId, jobs);
    await this.run('job.enqueue', body);
  }

  /** Claims `limit` jobs as worker w1. Claims skip a job while a command that runs again has its row locked. */
  async claim(limit = 1): Promise<void> {
    let left = limit;
    await eventually(async () => {
      const { jobs } = await this.run('job.claim', claim(this.organizationId, { limit: left }).body);
      left -= jobs.length;
      if (left > 0) throw new Error(`claimed ${limit - left} of ${limit}`);
    });
  }

  /** Fails the attempt of worker w1 without a retry. */
  async deadLetter(name: string): Promise<void> {
    await this.run('job.fail', { ...this.proof(name), error: 'broken', retry: false });
  }

  /** The lease fields of a worker that sends no lease id. */
  proof(name: string) {
    return { jobId: this.id(name), workerId: 'w1', leaseId: null, queues: null };
  }

  /** The visible state of the organization, without ids and timestamps. */
  async state(): Promise<Record<string, unknown>> {
    const state: Record<string, unknown> = {};
    for (const [part, sql] of Object.entries(parts)) {
      const rows = await this.world.sql<{ line: string }>(sql, [this.organizationId]);
      state[part] = rows.map(({ line }) => line).sort();
    }
    return state;
  }

  /** The names of leased jobs. */
  async leased(): Promise<string[]> {
    return (await this.world.sql<{ line: string }>(leasedSql, [this.organizationId])).map(({ line }) => line).sort();
  }
}

const leasedSql = `SELECT payload ->> 'name' AS line FROM job_records WHERE organization_id = $1 AND status = 'processing'`;

const parts = {
  jobs: `SELECT concat_ws(' ', payload ->> 'name', queue_name, status, retry_count, priority, result, last_error, dependencies_met) AS line
    FROM job_records WHERE organization_id = $1`,
  deadLetters: `SELECT j.payload ->> 'name' AS line FROM dead_letters d JOIN jobs j ON j.id = d.job_id WHERE d.organization_id = $1`,
  history: `SELECT concat_ws(' ', j.payload ->> 'name', h.event, h.attempt, h.error) AS line
    FROM job_history h LEFT JOIN jobs j ON j.id = h.job_id WHERE h.organization_id = $1`,
  edges: `SELECT concat_ws(' ', a.payload ->> 'name', 'after', b.payload ->> 'name') AS line
    FROM job_dependencies d JOIN jobs a ON a.id = d.job_id JOIN jobs b ON b.id = d.depends_on_job_id WHERE d.organization_id = $1`,
  queues: 'SELECT queue_name AS line FROM queues WHERE organization_id = $1',
  workers: `SELECT concat_ws(' ', replace(id, organization_id::text, ''), status, current_jobs) AS line FROM workers WHERE organization_id = $1`,
  workflows: `SELECT concat_ws(' ', name, status) AS line FROM workflows WHERE organization_id = $1`,
  scheduleRuns: 'SELECT status AS line FROM schedule_runs WHERE organization_id = $1',
  counters: `SELECT concat_ws(' ', queue_name, sum(created), sum(completed), sum(retried), sum(deadlettered), sum(cancelled)) AS line
    FROM job_stats WHERE organization_id = $1 GROUP BY queue_name`,
  usage: 'SELECT sum(jobs_created)::text AS line FROM usage_counters WHERE organization_id = $1 HAVING count(*) > 0',
};
