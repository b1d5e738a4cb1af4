import { randomUUID } from 'node:crypto';
import type { EnqueuedJob } from '../app/connection.js';
import { type Duration, pauseMs } from '../app/duration.js';
import { requireKnown } from '../app/known-options.js';
import { parseJson, writeJson } from '../http/json.js';
import type { NewJob } from '../resources/jobs.js';
import { Spooled } from '../spooled.js';
import { systemClock } from '../worker/clock.js';
import { OutboxRelay, type RelayOptions } from './relay.js';
import { OutboxRows } from './outbox-rows.js';
import { type DatabaseClient, rowsOf, type SqlClient, sqlClientOf } from '../sql/sql-client.js';
import { type Statements, statementsFor } from './statements.js';

export interface OutboxOptions {
  /** With or without a schema. @default 'spooled_outbox' */
  table?: string;
  /** Pause between two looks at an empty table. @default '500ms' */
  pollInterval?: Duration;
  /** Time after which rows of a relay that was killed are sent by another one. @default '30s' */
  lease?: Duration;
}

export interface OutboxJobOptions {
  /** Jobs of one key are created in the order in which they were enqueued. */
  orderingKey?: string;
}

export interface OutboxStatus {
  /** Jobs to send, without those that were refused. */
  waiting: number;
  refused: number;
  /** When the oldest job to send was enqueued; null without one. */
  oldest: Date | null;
}

/** A job that the server refused, as `Outbox.refused` lists it. */
export interface RefusedJob {
  id: string;
  orderingKey: string | null;
  job: NewJob;
  error: string;
  refusedAt: Date;
}

/** As long as the longest name of a queue. */
const longestText = 255;
const optionNames: Record<keyof OutboxOptions, true> = { table: true, pollInterval: true, lease: true };
const jobOptionNames: Record<keyof OutboxJobOptions, true> = { orderingKey: true };

/**
 * Jobs in a table of the application, written in its transactions and sent to the services afterwards. Each job is created once, because
 * the id of its row is its idempotency key.
 */
export class Outbox {
  private readonly client: SqlClient;
  private readonly table: string;
  private readonly statements: Statements;
  private readonly pollIntervalMs: number;
  private readonly leaseMs: number;
  private readonly relays = new Set<OutboxRelay>();

  /**
   * @param client of the database, outside of transactions: a pool of node-postgres, for example, or the client of another library
   * @throws TypeError naming the option that is wrong
   */
  constructor(client: DatabaseClient, options: OutboxOptions = {}) {
    requireKnown(options, optionNames);
    const { table = 'spooled_outbox', pollInterval = '500ms', lease = '30s' } = options;
    this.client = sqlClientOf(client, 'client');
    this.table = table;
    this.statements = statementsFor(table);
    this.pollIntervalMs = pauseMs(pollInterval, 'pollInterval');
    this.leaseMs = pauseMs(lease, 'lease');
  }

  /** One statement that creates the table unless it exists, for migrations of the application. */
  get sql(): string {
    return this.statements.create;
  }

  /** Creates the table unless it exists. */
  async migrate(): Promise<void> {
    await this.client.query(this.sql, []);
  }

  /**
   * Writes a job in a transaction of the application: it is sent if and only if the transaction commits. `Job.enqueue` with `tx` does
   * this with a payload that is checked.
   * @param tx a client of node-postgres with an open transaction, or the transaction of another library
   * @returns the id of the row: the job gets an id of its own when it is sent
   * @throws Error if no transaction is open, or its database has no table; TypeError naming what is wrong; errors of PostgreSQL as they are
   */
  async enqueue(tx: unknown, { queueName, ...job }: NewJob, options: OutboxJobOptions = {}): Promise<EnqueuedJob> {
    requireKnown(options, jobOptionNames);
    const { orderingKey = null } = options;
    requireText(queueName, 'queueName');
    if (orderingKey !== null) requireText(orderingKey, 'orderingKey');
    const client = sqlClientOf(tx, 'tx');
    const id = randomUUID();
    const text = writeJson(job);
    const { xid } = await this.transactionOf(client);
    const added = await rowsOf(client, this.statements.add, [id, orderingKey, queueName, text, xid]);
    if (added.length === 0) throw new Error(noTransaction);
    return { id, created: true };
  }

  /** Sends what is there at once, by the relays of this process. Call it after the commit. */
  wake(): void {
    for (const relay of this.relays) relay.wake();
  }

  /** Counts the rows, so it takes longer the more there are. */
  async status(): Promise<OutboxStatus> {
    const [row] = await rowsOf<Record<'waiting' | 'refused', string> & { oldest: string | null }>(
      this.client,
      this.statements.status,
    );
    const { waiting, refused, oldest } = row!;
    return { waiting: Number(waiting), refused: Number(refused), oldest: oldest === null ? null : dateOf(oldest) };
  }

  /** Jobs that the server refused, the oldest first. */
  async refused({ limit = 100 } = {}): Promise<RefusedJob[]> {
    const rows = await rowsOf<
      Record<'id' | 'queueName' | 'job' | 'error' | 'refusedAt', string> & { orderingKey: string }
    >(this.client, this.statements.refused, [String(limit)]);
    return rows.map(({ queueName, job, refusedAt, ...row }) => ({
      ...row,
      job: { queueName, ...(parseJson(job, 'bigint') as Omit<NewJob, 'queueName'>) },
      refusedAt: dateOf(refusedAt),
    }));
  }

  /** Sends refused jobs again, for example after a payload contract has changed. @returns the ids of those that were refused */
  retry(ids: string[]): Promise<string[]> {
    return this.changed(this.statements.retry, ids);
  }

  /** Deletes refused jobs; what waits behind them in their ordering keys goes on. @returns the ids of those that were refused */
  discard(ids: string[]): Promise<string[]> {
    return this.changed(this.statements.discard, ids);
  }

  /** What sends the jobs, with an API key that may create them. `App.work` starts one. */
  relay(
    services: Spooled,
    { onError, clock = systemClock }: Pick<RelayOptions, 'onError'> & Partial<RelayOptions>,
  ): OutboxRelay {
    const { client, statements, leaseMs, pollIntervalMs } = this;
    const table = new OutboxRows(client, statements, leaseMs);
    // The relay itself tries again, and ends its pauses when it is stopped.
    const once = new Spooled({ ...services.options, retry: { retries: 0 } });
    const relay = new OutboxRelay(table, once, { clock, pollIntervalMs, onError });
    this.relays.add(relay);
    return relay;
  }

  private async transactionOf(client: SqlClient): Promise<{ xid: string }> {
    const [transaction] = await rowsOf<{ xid: string; found: string | null }>(client, this.statements.transaction);
    if (transaction?.found) return transaction;
    throw new Error(
      `tx: its database has no table ${this.table}: call migrate(), or give a transaction on the database of the outbox`,
    );
  }

  private async changed(statement: string, ids: string[]): Promise<string[]> {
    return (await rowsOf<{ id: string }>(this.client, statement, [JSON.stringify(ids)])).map(({ id }) => id);
  }
}

/** An error of PostgreSQL would end the transaction. It takes no U+0000, and in an index no long text. @throws TypeError */
function requireText(value: unknown, field: string): void {
  if (typeof value === 'string' && value !== '' && value.length <= longestText && !value.includes('\0')) return;
  throw new TypeError(`${field}: must be a text of 1 to ${longestText} characters without U+0000`);
}

const noTransaction =
  'tx: no transaction is open on this connection: send BEGIN first, or give the transaction, not its pool or database';

const dateOf = (ms: string): Date => new Date(Number(ms));
