import type {
  ClaimedJob,
  Command,
  CommandKind,
  CommandOf,
  CommandResult,
  EventEnvelope,
  Outcome,
} from '@spooled/contracts';
import type { Database } from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
import {
  claim,
  command,
  createTestDatabase,
  moveClock,
  openConnections,
  type TestDatabase,
  useForAll,
} from '@spooled/testing';
import pg from 'pg';
import type { Effects } from '../step/effects.js';
import { JobEngine } from '../engine/job-engine.js';
import { Maintenance } from '../recover/maintenance.js';

/** An engine on a database of its own, and the effects it published. */
export class EngineFixture {
  readonly effects: Effects[] = [];
  /** Errors the engine would have logged. */
  readonly errors: unknown[] = [];
  readonly engine: JobEngine;
  readonly maintenance: Maintenance;

  private constructor(
    readonly database: TestDatabase,
    readonly db: Database,
    /** One connection; statements that are not awaited queue for it. */
    readonly superuser: pg.Pool,
  ) {
    const onEffects = (effects: Effects) => void this.effects.push(effects);
    const onError = (error: unknown) => this.errors.push(error);
    // Commands of one organization wait for each other, and tasks for rows. In production they give up when that takes long, as it may on a
    // busy machine.
    this.engine = new JobEngine(db, { onEffects, onError, sharedLockMs: 15_000 });
    this.maintenance = new Maintenance(db, { onEffects, onError, lockMs: 15_000 });
  }

  static async open(): Promise<EngineFixture> {
    const database = await createTestDatabase();
    const db = openConnections(database, { maxConnections: 8 });
    const superuser = new pg.Pool({ connectionString: database.superuserUrl, max: 1, idleTimeoutMillis: 0 });
    return new EngineFixture(database, db, superuser);
  }

  async close(): Promise<void> {
    try {
      await this.expectCleanConnection();
    } finally {
      await this.superuser.end();
      await this.db.close();
      await this.database.drop();
    }
  }

  /** What a transaction left on its connection would be the organization or the caller of the next one (BX-01). */
  async expectCleanConnection(): Promise<void> {
    // The pool gives the connection that was used last.
    const left = await this.db.inBatch((tx) =>
      tx.query(
        `SELECT name, current_setting('app.' || name, true) AS setting
         FROM unnest('{current_org_id,actor,reason,address,user_agent,counter_slot}'::text[]) AS name
         WHERE current_setting('app.' || name, true) <> ''
         UNION ALL SELECT name, setting FROM pg_settings WHERE source = 'session' AND (name LIKE 'enable%' OR name = 'plan_cache_mode')`,
      ),
    );
    expect(left).toEqual([]);
  }

  /** The command's value. @throws SpooledError its refusal */
  async run<K extends CommandKind>(command: CommandOf<K>): Promise<CommandResult<K>> {
    const [outcome] = (await this.engine.execute([command as Command])) as Outcome<K>[];
    if (outcome!.ok) return outcome!.value as CommandResult<K>;
    throw Object.assign(
      SpooledError.fromShape(outcome!.error),
      outcome!.error.status >= 500 && { cause: this.errors.at(-1) },
    );
  }

  async claimOne(organizationId: string, more: object = {}): Promise<ClaimedJob> {
    const { jobs } = await this.run(claim(organizationId, more));
    expect(jobs).toHaveLength(1);
    return jobs[0]!;
  }

  /** Moves the time of the database: leases end, jobs become due. Workers have 30 s unless they ask for more. */
  pass(time: string): Promise<void> {
    return moveClock(this.database, time);
  }

  /** SQL without row-level security: to read state, and to shift times. */
  async sql<Row extends pg.QueryResultRow>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.superuser.query<Row>(text, parameters)).rows;
  }

  async organization(): Promise<string> {
    const [row] = await this.sql<{ id: string }>(
      `INSERT INTO organizations (name, slug) VALUES ('Test', 'test-' || gen_random_uuid()) RETURNING id`,
    );
    return row!.id;
  }

  /** The job as a caller would see it. */
  async job(id: string): Promise<Record<string, unknown>> {
    const [row] = await this.sql('SELECT * FROM job_records WHERE id = $1', [id]);
    return row!;
  }

  events(organizationId: string): EventEnvelope[] {
    return this.effects.flatMap(({ events }) =>
      events.filter((batch) => batch.organizationId === organizationId).flatMap((batch) => batch.events),
    );
  }
}

/** An engine on a database of its own for all tests of a file. */
export const useEngine = (): EngineFixture => useForAll(EngineFixture.open, (fixture) => fixture.close());

/** A claimed job; without a lease id the worker's name alone is checked. */
export type HeldJob = { id: string; leaseId?: string };

/** The usual commands of worker `w1`. */
export const workerCommands = (organizationId: string) => {
  const proof = (job: HeldJob, more: object = {}) => ({
    jobId: job.id,
    workerId: 'w1',
    leaseId: job.leaseId ?? null,
    queues: null,
    ...more,
  });
  return {
    proof,
    complete: (job: HeldJob, more: object = {}) =>
      command('job.complete', organizationId, { ...proof(job, more), result: '{"sent": true}' }),
    fail: (job: HeldJob, retry = true) =>
      command('job.fail', organizationId, { ...proof(job), error: 'smtp says no', retry }),
  };
};

export const refusal = (status: number, code: string): unknown => expect.objectContaining({ status, code });
