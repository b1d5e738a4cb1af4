import type { ClaimedJob, Command, CommandKind, CommandOf, CommandResult, Outcome } from '@spooled/contracts';
import type { Database } from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
import { JobEngine, Maintenance } from '@spooled/queue';
import {
  claim,
  command,
  createTestDatabase,
  enqueue,
  eventually,
  newJob,
  openConnections,
  startRedis,
  type TestDatabase,
  type TestRedis,
} from '@spooled/testing';
import { parseShards, RedisLeases, RedisShards } from '@spooled/transport';
import pg from 'pg';

export type LeaseRef = Pick<ClaimedJob, 'id'> & { leaseId?: string };

/** Who sends the request; default: worker `w1` with a key for all queues. */
export interface Sender {
  workerId?: string;
  queues?: string[];
  org?: string;
}

/** An engine and maintenance with leases in a separate Redis. */
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
    const leases = new RedisLeases(shards, { log: silent, timeoutMs: 10_000 });
    const onEffects = () => undefined;
    const onRenewals = (answeredBy: 'lease_store' | 'row', count: number) =>
      void (this.answeredBy[answeredBy] += count);
    this.engine = new JobEngine(db, { onEffects, onRenewals, leases });
    this.maintenance = new Maintenance(db, { onEffects, onError: onEffects, leases });
  }

  static async open(): Promise<LeaseBench> {
    const [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
    const shards = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log: silent });
    const db = openConnections(database, { maxConnections: 8 });
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

  /** Runs a command. @throws SpooledError its error */
  async run<K extends CommandKind>(one: CommandOf<K>): Promise<CommandResult<K>> {
    const [outcome] = (await this.engine.execute([one as Command])) as Outcome<K>[];
    if (outcome!.ok) return outcome!.value as CommandResult<K>;
    throw SpooledError.fromShape(outcome!.error);
  }

  /** A new job claimed by `w1`. */
  async claimNew(org: string, leaseSeconds = 60, timeoutSeconds = 86_400): Promise<ClaimedJob> {
    await this.run(enqueue(org, [newJob({ timeoutSeconds })]));
    return (await this.run(claim(org, { leaseSeconds }))).jobs[0]!;
  }

  /** A new job claimed by `w1`, with its lease in Redis. */
  async claimAndRenew(org: string): Promise<ClaimedJob> {
    const job = await this.claimNew(org);
    await this.run(workerCommands(org).renew(job));
    return job;
  }

  /** Runs SQL as the superuser, without row-level security. */
  async sql<Row extends pg.QueryResultRow>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.superuser.query<Row>(text, parameters)).rows;
  }

  /** The live row's version and remaining lease in seconds; undefined when it does not exist. */
  async row({ id }: LeaseRef): Promise<{ version: string; state: string; left: number; retries: number } | undefined> {
    const [row] = await this.sql<{ version: string; state: string; left: number; retries: number }>(
      `SELECT xmin::text AS version, state::text, retry_count AS retries,
         extract(epoch FROM lease_expires_at - clock_timestamp())::float8 AS left FROM job_queue WHERE job_id = $1`,
      [id],
    );
    return row;
  }

  async letRowExpire({ id }: LeaseRef): Promise<void> {
    await this.sql(`UPDATE job_queue SET lease_expires_at = now() - interval '1 second' WHERE job_id = $1`, [id]);
  }

  /** Remaining milliseconds of the lease in Redis; negative when it is not there. */
  msInRedis(org: string, { id }: LeaseRef): Promise<number> {
    return this.shards.shardOf(org).commands.pttl(keyOf(org, id));
  }

  /** Deletes the lease in Redis, as a restart without its data does. */
  async deleteFromRedis(org: string, { id }: LeaseRef): Promise<void> {
    await this.shards.shardOf(org).commands.del(keyOf(org, id));
  }

  /** Sets the remaining time of the row's lease as recorded in Redis. */
  async setRowRemainingMs(org: string, { id }: LeaseRef, ms: number): Promise<void> {
    await this.shards.shardOf(org).commands.hset(keyOf(org, id), 'row_until', Date.now() + ms);
  }
}

export const keyOf = (org: string, jobId: string): string => `org:${org}:lease:${jobId}`;

export const workerCommands = (org: string) => {
  const proof = (job: LeaseRef, { workerId = 'w1', queues }: Sender = {}) => ({
    jobId: job.id,
    workerId,
    leaseId: job.leaseId ?? null,
    queues: queues ?? null,
  });
  return {
    renew: (job: LeaseRef, sender: Sender & { seconds?: number } = {}) =>
      command('job.renew', sender.org ?? org, { ...proof(job, sender), leaseSeconds: sender.seconds ?? 60 }),
    complete: (job: LeaseRef) => command('job.complete', org, { ...proof(job), result: null }),
    completeMany: (job: LeaseRef) => {
      const { queues, ...completion } = proof(job);
      return command('job.completeMany', org, { jobs: [{ ...completion, result: null }], queues });
    },
    fail: (job: LeaseRef) => command('job.fail', org, { ...proof(job), error: 'no', retry: true }),
    release: ({ id, leaseId }: ClaimedJob) => command('job.release', org, { leases: [{ jobId: id, leaseId }] }),
    wait: (job: LeaseRef) =>
      command('job.wait', org, { ...proof(job), step: 'pause', waitFor: 'sleep', waitMs: 60_000 }),
    recordStep: (job: LeaseRef) => command('job.recordStep', org, { ...proof(job), step: 'charge', result: null }),
    appendLogs: (job: LeaseRef) => {
      const line = { number: 1, ageMs: 0, level: 'info' as const, message: 'charged', fields: null };
      return command('job.appendLogs', org, { ...proof(job), lines: [line] });
    },
  };
};

export const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
