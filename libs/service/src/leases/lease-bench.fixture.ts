import type { ClaimedJob, Command, CommandKind, CommandOf, CommandResult, Outcome } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
import { JobEngine, Maintenance } from '@spooled/queue';
import {
  claim,
  command,
  createTestDatabase,
  enqueue,
  eventually,
  newJob,
  startRedis,
  type TestDatabase,
  type TestRedis,
} from '@spooled/testing';
import { parseShards, RedisLeases, RedisShards } from '@spooled/transport';
import pg from 'pg';

/** A lease as its worker shows it. */
export type Shown = Pick<ClaimedJob, 'id'> & { leaseId?: string };

/** Who shows a lease, where that is not worker `w1` with a key for all queues. */
export interface Shower {
  workerId?: string;
  queues?: string[];
  org?: string;
}

/** An engine and a maintenance whose leases live in a Redis of their own. */
export class LeaseBench {
  readonly answeredBy = { lease_store: 0, row: 0 };
  readonly engine: JobEngine;
  readonly maintenance: Maintenance;

  private constructor(
    private readonly database: TestDatabase,
    readonly redis: TestRedis,
    readonly shards: RedisShards,
    private readonly db: Database,
    private readonly superuser: pg.Client,
  ) {
    const leases = new RedisLeases(shards, { log: silent, timeoutMs: 2_000 });
    const onEffects = () => undefined;
    const onRenewals = (answeredBy: 'lease_store' | 'row', count: number) =>
      void (this.answeredBy[answeredBy] += count);
    this.engine = new JobEngine(db, { onEffects, onRenewals, leases });
    this.maintenance = new Maintenance(db, { onEffects, leases });
  }

  static async open(): Promise<LeaseBench> {
    const [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
    const shards = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log: silent });
    const db = new Database({
      ...database,
      applicationName: 'spec',
      maxConnections: 8,
      minConnections: 0,
      acquireTimeoutMs: 10_000,
      onError: () => undefined,
    });
    const superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
    await eventually(() => expect(shards.connected).toBe(true));
    return new LeaseBench(database, redis, shards, db, superuser);
  }

  async close(): Promise<void> {
    await this.shards.close();
    await this.superuser.end();
    await this.db.close();
    await Promise.all([this.redis.close(), this.database.drop()]);
  }

  /** The command's value. @throws SpooledError its refusal */
  async run<K extends CommandKind>(one: CommandOf<K>): Promise<CommandResult<K>> {
    const [outcome] = (await this.engine.execute([one as Command])) as Outcome<K>[];
    if (outcome!.ok) return outcome!.value as CommandResult<K>;
    throw SpooledError.fromShape(outcome!.error);
  }

  /** A job in the hands of `w1`. */
  async claimNew(org: string, leaseSeconds = 60): Promise<ClaimedJob> {
    await this.run(enqueue(org, [newJob()]));
    return (await this.run(claim(org, { leaseSeconds }))).jobs[0]!;
  }

  /** A job in the hands of `w1` whose lease Redis knows. */
  async claimAndRenew(org: string): Promise<ClaimedJob> {
    const job = await this.claimNew(org);
    await this.run(moves(org).renew(job));
    return job;
  }

  /** SQL past row-level security. */
  async sql<Row extends pg.QueryResultRow>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.superuser.query<Row>(text, parameters)).rows;
  }

  /** The live row's version and what is left of its lease; undefined when there is no such row. */
  async row({ id }: Shown): Promise<{ version: string; state: string; left: number; retries: number } | undefined> {
    const [row] = await this.sql<{ version: string; state: string; left: number; retries: number }>(
      `SELECT xmin::text AS version, state::text, retry_count AS retries,
         extract(epoch FROM lease_expires_at - clock_timestamp())::float8 AS left FROM job_queue WHERE job_id = $1`,
      [id],
    );
    return row;
  }

  /** As after a while without renewals: the row's lease is over. */
  async letRowExpire({ id }: Shown): Promise<void> {
    await this.sql(`UPDATE job_queue SET lease_expires_at = now() - interval '1 second' WHERE job_id = $1`, [id]);
  }

  /** Milliseconds that Redis gives the lease; negative when it knows none. */
  msInRedis(org: string, { id }: Shown): Promise<number> {
    return this.shards.shardOf(org).commands.pttl(keyOf(org, id));
  }

  /** As after a restart of Redis without its data. */
  async forgetInRedis(org: string, { id }: Shown): Promise<void> {
    await this.shards.shardOf(org).commands.del(keyOf(org, id));
  }

  /** As after a while: the row's lease has this much left, as far as Redis knows. */
  async setLeftOfRow(org: string, { id }: Shown, ms: number): Promise<void> {
    await this.shards.shardOf(org).commands.hset(keyOf(org, id), 'row_until', Date.now() + ms);
  }
}

export const keyOf = (org: string, jobId: string): string => `org:${org}:lease:${jobId}`;

/** What workers do, as commands. */
export const moves = (org: string) => {
  const proof = (job: Shown, { workerId = 'w1', queues }: Shower = {}) => ({
    jobId: job.id,
    workerId,
    leaseId: job.leaseId ?? null,
    queues: queues ?? null,
  });
  return {
    renew: (job: Shown, shower: Shower & { seconds?: number } = {}) =>
      command('job.renew', shower.org ?? org, { ...proof(job, shower), leaseSeconds: shower.seconds ?? 60 }),
    complete: (job: Shown) => command('job.complete', org, { ...proof(job), result: null }),
    completeMany: (job: Shown) => {
      const { queues, ...completion } = proof(job);
      return command('job.completeMany', org, { jobs: [{ ...completion, result: null }], queues });
    },
    fail: (job: Shown) => command('job.fail', org, { ...proof(job), error: 'no', retry: true }),
    release: ({ id, leaseId }: ClaimedJob) => command('job.release', org, { leases: [{ jobId: id, leaseId }] }),
  };
};

export const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
