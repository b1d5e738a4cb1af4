import type pg from 'pg';
import { isDatabaseUnavailable, toDatabaseError } from './database-errors.js';
import { ModelStore, type TenantModels } from '../prisma/tenant-models.js';
import { createPool, type PoolSettings } from './pool.js';
import type { BatchTransaction, SystemTransaction, TenantTransaction, Transaction } from './transactions.js';

export interface DatabaseSettings extends Omit<PoolSettings, 'url' | 'role'> {
  /** Logs in as spooled_app, or as a role that may switch to it. */
  appUrl: string;
  /** Logs in as spooled_system, or as a role that may switch to it; absent = `appUrl`. */
  systemUrl?: string;
  /** Connections kept for maintenance; few, since it is rare. Default 4. */
  maxSystemConnections?: number;
}

const setTenant = `SELECT set_config('app.current_org_id', $1, true)`;

/** The only way to PostgreSQL. Every transaction says whose it is before it may ask anything. */
export class Database {
  private readonly app: pg.Pool;
  private readonly system: pg.Pool;
  private models?: ModelStore;

  constructor(private readonly settings: DatabaseSettings) {
    this.app = createPool({ ...settings, url: settings.appUrl, role: 'spooled_app' });
    this.system = createPool({
      ...settings,
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
  withTenant<T>(organizationId: string, work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
    return this.transaction(this.app, [setTenant, [organizationId]], (query) =>
      work({ query, organizationId } as TenantTransaction),
    );
  }

  /**
   * As `withTenant`, for ordinary reads and writes that speak of models rather than SQL.
   * @throws SpooledError 503 when PostgreSQL is away; whatever `work` throws otherwise
   */
  withTenantModels<T>(organizationId: string, work: (models: TenantModels) => Promise<T>): Promise<T> {
    this.models ??= new ModelStore({ ...this.settings, url: this.settings.appUrl });
    return this.models.withTenant(organizationId, work);
  }

  /** Runs `work` over all tenants under the maintenance role. `reason` appears in PostgreSQL's activity view. */
  asSystem<T>(reason: string, work: (tx: SystemTransaction) => Promise<T>): Promise<T> {
    const label = [`SELECT set_config('application_name', $1, true)`, [`spooled ${reason}`.slice(0, 63)]] as const;
    return this.transaction(this.system, label, (query) => work({ query } as SystemTransaction));
  }

  /** Runs `work` as the request role with no tenant set; for the batch functions, which set it for each of their parts. */
  inBatch<T>(work: (tx: BatchTransaction) => Promise<T>): Promise<T> {
    return this.transaction(this.app, null, (query) => work({ query } as BatchTransaction));
  }

  /** Resolves when PostgreSQL answers. */
  async ping(): Promise<void> {
    await this.app.query('SELECT 1').catch((error: unknown) => {
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
    await Promise.all([this.app.end(), this.system.end(), this.models?.close()]);
  }

  private async transaction<T>(
    pool: pg.Pool,
    first: readonly [string, readonly unknown[]] | null,
    work: (query: Transaction['query']) => Promise<T>,
  ): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw toDatabaseError(error);
    });
    let broken: Error | undefined;
    const noteBroken = (error: Error) => (broken = error);
    client.on('error', noteBroken);
    try {
      return await runTransaction(client, first, work);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      const known = toDatabaseError(error);
      broken ??= known;
      throw known;
    } finally {
      client.off('error', noteBroken);
      client.release(broken);
    }
  }
}

async function runTransaction<T>(
  client: pg.PoolClient,
  first: readonly [string, readonly unknown[]] | null,
  work: (query: Transaction['query']) => Promise<T>,
): Promise<T> {
  // Sent at once with whatever `work` asks first; a failure of these shows up in `work`'s own statement and at COMMIT.
  const preamble = Promise.all([client.query('BEGIN'), first && client.query(first[0], [...first[1]])]);
  preamble.catch(() => undefined);
  try {
    const value = await work(async (sql, parameters) => (await client.query(sql, parameters && [...parameters])).rows);
    await preamble;
    const { command } = await client.query('COMMIT');
    // COMMIT of an aborted transaction does not fail: it answers ROLLBACK.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: an earlier statement had failed');
    return value;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
