import type pg from 'pg';
import { unavailable } from '@spooled/domain';
import {
  CommitLostError,
  isDatabaseUnavailable,
  isStatementTimeout,
  isSilence,
  toDatabaseError,
} from './database-errors.js';
import { planTransaction, type TransactionLimits, type TransactionPlan } from './limits.js';
import { ModelStore, type TenantModels } from '../prisma/tenant-models.js';
import { closeIdle, createPool, type PoolSettings } from './pool.js';
import type { BatchTransaction, SystemTransaction, TenantTransaction, Transaction } from './transactions.js';
import { WorkWatch } from './work-watch.js';

export interface DatabaseSettings extends Omit<PoolSettings, 'url' | 'role' | 'queryTimeoutMs'> {
  /** Logs in as spooled_app, or as a role that may switch to it. */
  appUrl: string;
  /** Logs in as spooled_system, or as a role that may switch to it; absent = `appUrl`. */
  systemUrl?: string;
  /** Connections kept for maintenance; few, since it is rare. Default 4. */
  maxSystemConnections?: number;
  /** How long PostgreSQL may take for one answer, unless a transaction says otherwise. Default 3,000. */
  queryTimeoutMs?: number;
}

const defaultQueryTimeoutMs = 3_000;

const setTenant = `SELECT set_config('app.current_org_id', $1, true)`;

/** The only way to PostgreSQL. Every transaction says whose it is before it may ask anything. */
export class Database {
  private readonly app: pg.Pool;
  private readonly system: pg.Pool;
  private readonly models: ModelStore;
  private readonly watch = new WorkWatch();
  private readonly queryTimeoutMs: number;

  constructor(settings: DatabaseSettings) {
    const queryTimeoutMs = (this.queryTimeoutMs = settings.queryTimeoutMs ?? defaultQueryTimeoutMs);
    this.app = createPool({ ...settings, queryTimeoutMs, url: settings.appUrl, role: 'spooled_app' });
    this.models = new ModelStore(this.app, { acquireTimeoutMs: settings.acquireTimeoutMs, queryTimeoutMs });
    this.system = createPool({
      ...settings,
      queryTimeoutMs,
      url: settings.systemUrl ?? settings.appUrl,
      role: 'spooled_system',
      maxConnections: settings.maxSystemConnections ?? 4,
      minConnections: 0,
    });
  }

  /**
   * Runs `work` in one transaction of one organization (SP-60).
   * @throws SpooledError 503 when PostgreSQL is away; whatever `work` throws otherwise
   */
  withTenant<T>(
    organizationId: string,
    work: (tx: TenantTransaction) => Promise<T>,
    limits?: TransactionLimits,
  ): Promise<T> {
    return this.transaction(this.app, limits, [setTenant, [organizationId]], (statements) =>
      work({ ...statements, organizationId } as TenantTransaction),
    );
  }

  /**
   * As `withTenant`, for ordinary reads and writes that speak of models rather than SQL.
   * @throws SpooledError 503 when PostgreSQL is away; whatever `work` throws otherwise
   */
  async withTenantModels<T>(organizationId: string, work: (models: TenantModels) => Promise<T>): Promise<T> {
    try {
      return await this.models.withTenant(organizationId, work);
    } catch (error) {
      if (isSilence(error)) this.closeIdle();
      throw error;
    }
  }

  /** Runs `work` over all tenants under the maintenance role. `reason` appears in PostgreSQL's activity view. */
  asSystem<T>(reason: string, work: (tx: SystemTransaction) => Promise<T>, limits?: TransactionLimits): Promise<T> {
    const label = [`SELECT set_config('application_name', $1, true)`, [`spooled ${reason}`.slice(0, 63)]] as const;
    return this.transaction(this.system, limits, label, (statements) => work(statements as SystemTransaction));
  }

  /** Runs `work` as the request role with no tenant set; for the batch functions, which set it for each of their parts. */
  inBatch<T>(work: (tx: BatchTransaction) => Promise<T>, limits?: TransactionLimits): Promise<T> {
    return this.transaction(this.app, limits, null, (statements) => work(statements as BatchTransaction));
  }

  /**
   * Resolves when PostgreSQL answers, over the connections that work uses.
   * @throws SpooledError 503 when it does not, or when of the transactions in progress none has been answered for long
   */
  async ping(): Promise<void> {
    const stalledMs = Math.round(this.watch.stalledMs);
    // Half of what it takes until they are given up, so that probes see it, which are answered from memory for a second.
    if (stalledMs > this.queryTimeoutMs / 2) {
      throw unavailable('PostgreSQL', 1, new Error(`no transaction has been answered for ${stalledMs} ms`));
    }
    await this.app.query('SELECT 1').catch((error: unknown) => {
      if (isSilence(error)) this.closeIdle();
      throw toDatabaseError(error);
    });
  }

  /**
   * Refuses roles that could see through tenant isolation (BX-01); called once at boot.
   * @throws Error naming the role and what is wrong with it
   */
  async verifyRoles(): Promise<void> {
    for (const [pool, role] of [
      [this.app, 'spooled_app'],
      [this.system, 'spooled_system'],
    ] as const) {
      const { rows } = await pool.query<{ name: string; unsafe: boolean }>(
        `SELECT current_user AS name, rolsuper OR rolbypassrls AS unsafe FROM pg_roles WHERE rolname = current_user`,
      );
      if (rows[0]?.name !== role || rows[0].unsafe) {
        throw new Error(
          `Statements would run as role "${rows[0]?.name}" instead of "${role}"; row-level security would not hold`,
        );
      }
    }
  }

  /** Connections that are in a transaction right now; for the gauge. */
  get activeConnections(): number {
    return this.app.totalCount - this.app.idleCount + (this.system.totalCount - this.system.idleCount);
  }

  async close(): Promise<void> {
    await this.models.close();
    await Promise.all([this.app.end(), this.system.end()]);
  }

  private async transaction<T>(
    pool: pg.Pool,
    limits: TransactionLimits | undefined,
    first: readonly [string, readonly unknown[]] | null,
    work: (statements: Transaction) => Promise<T>,
  ): Promise<T> {
    const plan = planTransaction(this.queryTimeoutMs, limits);
    const ended = plan.limited ? this.watch.begin() : () => undefined;
    let answered = false;
    try {
      const value = await this.onConnection(pool, (client) => runTransaction(client, plan, first, work));
      answered = true;
      return value;
    } catch (error) {
      answered = !isDatabaseUnavailable(error);
      if (answered) throw isStatementTimeout(error) ? toDatabaseError(error) : error;
      if (isSilence(error)) this.closeIdle();
      throw toDatabaseError(error);
    } finally {
      ended(answered);
    }
  }

  private async onConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    const noteBroken = (error: Error) => (broken = error);
    client.on('error', noteBroken);
    try {
      return await work(client);
    } catch (error) {
      if (isDatabaseUnavailable(error)) broken ??= error as Error;
      throw error;
    } finally {
      client.off('error', noteBroken);
      client.release(broken);
    }
  }

  private closeIdle(): void {
    closeIdle(this.app);
    closeIdle(this.system);
  }
}

async function runTransaction<T>(
  client: pg.PoolClient,
  { begin, queryTimeoutMs }: TransactionPlan,
  first: readonly [string, readonly unknown[]] | null,
  work: (statements: Transaction) => Promise<T>,
): Promise<T> {
  // The statements sent behind the one that timed out only hear that the connection was closed.
  let silence: unknown;
  const ask = (text: string, values?: readonly unknown[]) => {
    // The driver's own option; its types know it for whole connections only.
    const query: pg.QueryConfig & { query_timeout: number } = {
      text,
      values: values && [...values],
      query_timeout: queryTimeoutMs,
    };
    return client.query(query).catch((error: unknown) => {
      if (isSilence(error)) silence = error;
      throw error;
    });
  };
  // Sent at once with whatever `work` asks first; a failure of these shows up in `work`'s own statement and at COMMIT.
  const preamble = Promise.all([ask(begin), first && ask(...first)]);
  preamble.catch(() => undefined);
  try {
    const value = await work({
      run: async (statement, ...parameters) => (await ask(statement.text, statement.values(...parameters))).rows,
      query: async (sql, parameters) => (await ask(sql, parameters)).rows,
    });
    await preamble;
    const { command } = await ask('COMMIT').catch((error: unknown) => {
      throw isDatabaseUnavailable(error) ? new CommitLostError(error) : error;
    });
    // COMMIT of an aborted transaction does not fail: it answers ROLLBACK.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: an earlier statement had failed');
    return value;
  } catch (error) {
    if (silence && !(error instanceof CommitLostError)) throw silence;
    if (!isDatabaseUnavailable(error)) await ask('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
