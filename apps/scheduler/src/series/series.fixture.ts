import type { Database } from '@spooled/data-access';
import { JobEngine, Latencies } from '@spooled/queue';
import { createTestDatabase, ManualClock, openConnections, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import { SeriesTask } from './series.task.js';

export interface SeriesRow {
  queue_name: string;
  [column: string]: unknown;
}

/** A sampler with a separate database, because a sample covers all organizations. */
export class SeriesFixture {
  readonly db: Database;
  task!: SeriesTask;
  latencies!: Latencies;
  /** Why measurements were lost. */
  lost: unknown[] = [];
  readonly superuser: pg.Client;
  private engine!: JobEngine;
  /** Seconds by which time passes before the next sample. */
  private toPass: number | null = null;

  private constructor(private readonly database: TestDatabase) {
    this.db = openConnections(database, { maxConnections: 2 });
    this.passBeforeSamples();
    this.superuser = new pg.Client({ connectionString: database.superuserUrl });
  }

  static async open(): Promise<SeriesFixture> {
    const fixture = new SeriesFixture(await createTestDatabase());
    await fixture.superuser.connect();
    return fixture;
  }

  /** Begins a test, as if nothing had happened before. */
  async begin(): Promise<void> {
    await this.latencies?.close();
    await this.superuser.query(
      'TRUNCATE series_samples, queue_series, series_counters, latency_counts, job_stats, job_queue',
    );
    this.lost = [];
    this.latencies = new Latencies(this.db, { flushMs: 3_600_000, onError: (error) => void this.lost.push(error) });
    this.engine = new JobEngine(this.db, { onEffects: () => undefined, latencies: this.latencies });
    this.task = new SeriesTask(this.db, { SERIES_QUEUES_PER_ORGANIZATION: 2 }, new ManualClock());
  }

  async close(): Promise<void> {
    await this.latencies?.close();
    await this.superuser.end();
    await this.db.close();
    await this.database.drop();
  }

  /** @throws Error if a command is refused */
  async run(...commands: Parameters<JobEngine['execute']>[0]) {
    const outcomes = await this.engine.execute(commands);
    return outcomes.map((outcome) => {
      if (!outcome.ok) throw new Error(outcome.error.message);
      return outcome.value as { jobs: { id: string; leaseId: string }[] };
    });
  }

  /** Moves everything that was sampled into the past, so that the next sample comes `seconds` after the last. */
  async pass(seconds: number, now: string | null = null): Promise<void> {
    const { rows } = await this.superuser.query<{ by: string }>(
      `SELECT (max(at) + interval '10 seconds' + make_interval(secs => $1) - date_bin('10 seconds', coalesce($2, now()), 'epoch'))::text AS by
       FROM series_samples WHERE step = 10`,
      [seconds, now],
    );
    const by = `interval '${rows[0]!.by}'`;
    await this.superuser.query(`
      UPDATE queue_series SET at = at - ${by};
      UPDATE series_samples SET at = at - ${by}, counted_from = counted_from - ${by}, counted_to = counted_to - ${by}`);
  }

  /** Takes a sample that comes `seconds` after the one before. */
  sample(seconds = 10): Promise<number> {
    this.toPass = seconds;
    return this.task.run();
  }

  async newest(org: string, step = 10): Promise<Record<string, SeriesRow>> {
    const { rows } = await this.superuser.query<SeriesRow>(
      `SELECT * FROM queue_series WHERE organization_id = $1 AND step = $2
         AND at = (SELECT max(at) FROM series_samples WHERE step = $2)`,
      [org, step],
    );
    return Object.fromEntries(rows.map((row) => [row.queue_name, row]));
  }

  /** Time passes within the transaction of the sample, by its clock: between the two the next ten seconds may begin. */
  private passBeforeSamples(): void {
    const asSystem = this.db.asSystem.bind(this.db);
    this.db.asSystem = (reason, work, ...limits) =>
      asSystem(
        reason,
        async (tx) => {
          const seconds = this.toPass;
          if (reason !== 'sample series' || seconds === null) return work(tx);
          this.toPass = null;
          const [clock] = await tx.query<{ now: string }>('SELECT now()::text AS now');
          await this.pass(seconds, clock!.now);
          return work(tx);
        },
        ...limits,
      );
  }
}
