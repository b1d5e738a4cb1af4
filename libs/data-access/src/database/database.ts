import type pg from 'pg';
import { systemClock } from '@spooled/clock';
import {
  type Clock,
  type NamedUrl,
  postgresProblem,
  problemSentence,
  StartError,
  TenantSlots,
  unavailable,
} from '@spooled/domain';
import {
  isDatabaseUnavailable,
  isLoginRefused,
  isStatementTimeout,
  isReadTimeout,
  toDatabaseError,
} from './database-errors.js';
import { transactionSettings } from './caller-context.js';
import { type Installation, installationIn } from './installation.js';
import { planTransaction, type TransactionLimits } from './limits.js';
import { closeIdle, closePool, createPool, type PoolSettings } from './pool.js';
import { Replica, type ReplicaSettings } from './replica.js';
import {
  type BatchTransaction,
  type SendStatement,
  statementsOf,
  type SystemTransaction,
  type TenantTransaction,
} from './transactions.js';
import { readRequests } from './read-requests.js';
import { LostConnectionError, runTransaction } from './run-transaction.js';
import type { DatabaseRelease } from '../migrate/database-release.js';
import { requireMigrated } from './require-migrated.js';
import { requireServerVersion } from './server-version.js';
import { StallDetector } from './stall-detector.js';

export interface DatabaseSettings extends Omit<PoolSettings, 'url' | 'role' | 'schema' | 'queryTimeoutMs'> {
  /** The schema of the installation, which also names its roles. @default 'public' */
  schema?: string;
  /** Logs in as spooled_app, or as a role that may switch to it. */
  appUrl: string;
  /** Logs in as spooled_system, or as a role that may switch to it; absent = `appUrl`. */
  systemUrl?: string;
  /** What the caller calls the two URLs, for errors of the start. */
  urlNames?: { app: string; system: string };
  /** Maximum connections for maintenance. Default 4. */
  maxSystemConnections?: number;
  /** Longest wait for the response to a statement, unless the transaction sets another limit. Default 3,000. */
  queryTimeoutMs?: number;
  /** Answers the reads of requests that may be stale (`staleReads`). */
  replica?: ReplicaSettings | null;
  /** For how long transactions have had no answer. Default: the clock of the system. */
  clock?: Clock;
}

const defaultQueryTimeoutMs = 3_000;
/** Connections that a transaction tries while each is closed before BEGIN is answered, or while a request that only reads runs. */
const attempts = 3;

/** The first statement of a tenant's transaction: its organization and, in requests that change something, its caller. */
function setTenant(organizationId: string): [string, string[]] {
  const settings = transactionSettings(organizationId);
  const calls = settings.map(([name], i) => `set_config('${name}', $${i + 1}, true)`);
  return [`SELECT ${calls.join(', ')}`, settings.map(([, value]) => value)];
}

function namedUrls({ appUrl, systemUrl, urlNames }: DatabaseSettings): { app: NamedUrl; system: NamedUrl } {
  const app = { setting: urlNames?.app ?? 'the URL', url: appUrl };
  return { app, system: systemUrl ? { setting: urlNames?.system ?? 'the URL', url: systemUrl } : app };
}

/** The pool serves its callers in order; slots let tenants take turns. */
const newSlots = ({ maxConnections: slots, acquireTimeoutMs: maxWaitMs }: DatabaseSettings): TenantSlots =>
  new TenantSlots({
    slots,
    maxWaitMs,
    clock: systemClock,
    refusal: () => unavailable('PostgreSQL', 1, new Error(`the organization got no connection in ${maxWaitMs} ms`)),
  });

/** Access to PostgreSQL. Every transaction sets its tenant, or states that it runs across tenants, before its first statement. */
export class Database {
  /** Where the tables are, and as which roles statements run. */
  readonly installation: Installation;
  private readonly app: pg.Pool;
  private readonly system: pg.Pool;
  private readonly replica: Replica | null;
  private readonly slots: { app: TenantSlots; replica: TenantSlots };
  private readonly stallDetector: StallDetector;
  private readonly queryTimeoutMs: number;
  private readonly urls: { app: NamedUrl; system: NamedUrl };

  constructor(settings: DatabaseSettings) {
    this.stallDetector = new StallDetector(settings.clock);
    const queryTimeoutMs = (this.queryTimeoutMs = settings.queryTimeoutMs ?? defaultQueryTimeoutMs);
    const { schema, ...roles } = (this.installation = installationIn(settings.schema));
    const app = { ...settings, schema, queryTimeoutMs, url: settings.appUrl, role: roles.app };
    this.app = createPool(app);
    this.slots = { app: newSlots(settings), replica: newSlots(settings) };
    this.replica = settings.replica ? new Replica(app, settings.replica) : null;
    this.urls = namedUrls(settings);
    this.system = createPool({
      ...settings,
      schema,
      queryTimeoutMs,
      url: this.urls.system.url,
      role: roles.system,
      maxConnections: settings.maxSystemConnections ?? 4,
      minConnections: 0,
    });
  }

  /**
   * Runs `work` in one transaction of one organization (SP-60). In a request whose reads may be stale it may run on the replica, and a
   * second time, on the primary, when the replica fails.
   * @throws SpooledError 503 when PostgreSQL is unavailable; any error that `work` throws
   */
  async withTenant<T>(
    organizationId: string,
    work: (tx: TenantTransaction) => Promise<T>,
    limits?: TransactionLimits,
  ): Promise<T> {
    const run = (pool: pg.Pool, slots: TenantSlots): Promise<T> =>
      slots.run(organizationId, () =>
        this.transaction(pool, limits, setTenant(organizationId), (send) =>
          work({ ...statementsOf(send, { organizationId }), organizationId } as TenantTransaction),
        ),
      );
    const read = await this.replica?.tryRead((pool) => run(pool, this.slots.replica));
    return read ? read.value : run(this.app, this.slots.app);
  }

  /** Runs `work` across all tenants under the maintenance role. `reason` appears in `pg_stat_activity`. */
  asSystem<T>(reason: string, work: (tx: SystemTransaction) => Promise<T>, limits?: TransactionLimits): Promise<T> {
    const label = [`SELECT set_config('application_name', $1, true)`, [`spooled ${reason}`.slice(0, 63)]] as const;
    return this.transaction(this.system, limits, label, (send) => work(statementsOf(send) as SystemTransaction));
  }

  /** Runs `work` as the request role without a tenant; for the batch functions, which set the tenant of each item. */
  inBatch<T>(work: (tx: BatchTransaction) => Promise<T>, limits?: TransactionLimits): Promise<T> {
    return this.transaction(this.app, limits, null, (send) => work(statementsOf(send) as BatchTransaction));
  }

  /**
   * Checks that PostgreSQL responds on the connections that requests use.
   * @throws SpooledError 503 when it does not, or when no transaction in progress has been answered for too long
   */
  async ping(): Promise<void> {
    const stalledMs = Math.round(this.stallDetector.stalledMs);
    // Half the query timeout: readiness results are cached for a second, and the probe must fail before transactions time out.
    if (stalledMs > this.queryTimeoutMs / 2) {
      throw unavailable('PostgreSQL', 1, new Error(`no transaction has been answered for ${stalledMs} ms`));
    }
    await this.app.query('SELECT 1').catch((error: unknown) => {
      if (isReadTimeout(error)) this.closeIdle();
      throw toDatabaseError(error);
    });
  }

  /**
   * Rejects an unsupported server, roles that could bypass tenant isolation (BX-01), and a database without the migrations and functions
   * of this build; called once at boot.
   * @param usesSystem whether this process uses `asSystem`; without it no login for `spooled_system` is needed
   * @param release what this build needs; undefined skips the last check
   * @throws NotMigratedError which names what is missing
   * @throws StartError with the version, with the role that statements would run as, or with the reason why the login was refused
   * @throws SpooledError 503 when PostgreSQL is unavailable; its cause says why and what to do
   */
  async verifyServer({
    usesSystem = true,
    release,
  }: { usesSystem?: boolean; release?: DatabaseRelease } = {}): Promise<void> {
    const { installation } = this;
    await explainFailure(this.urls.app, async () => {
      await requireServerVersion(this.app);
      await verifyRole(this.app, installation.app, installation);
    });
    if (usesSystem) {
      await explainFailure(this.urls.system, () => verifyRole(this.system, installation.system, installation));
    }
    if (release) await explainFailure(this.urls.app, () => requireMigrated(this.app, release));
  }

  /** Connections in use; for the gauge. */
  get activeConnections(): number {
    const pools = [this.app, this.system].map(({ totalCount, idleCount }) => totalCount - idleCount);
    return pools.reduce((sum, active) => sum + active, this.replica?.activeConnections ?? 0);
  }

  /** Transactions that wait for a connection, or for their organization to have fewer in use; for the gauge. */
  get waitingTransactions(): number {
    const { app, replica } = this.slots;
    const pools = [this.app, this.system].map(({ waitingCount }) => waitingCount);
    return pools.reduce(
      (sum, waiting) => sum + waiting,
      app.waitingWork + replica.waitingWork + (this.replica?.pool.waitingCount ?? 0),
    );
  }

  /** Milliseconds that the replica is behind at most, also while it is not used; null without one. For the gauge. */
  get replicaLagMs(): number | null {
    return this.replica?.lagMs ?? null;
  }

  /** Ends the connections when their transactions have ended. Transactions that begin afterwards fail with 503. */
  async close(): Promise<void> {
    await this.replica?.close();
    await Promise.all([this.app, this.system].map(closePool));
  }

  private async transaction<T>(
    pool: pg.Pool,
    limits: TransactionLimits | undefined,
    first: readonly [string, readonly unknown[]] | null,
    work: (send: SendStatement) => Promise<T>,
  ): Promise<T> {
    const plan = planTransaction(this.queryTimeoutMs, limits);
    const isReplica = pool === this.replica?.pool;
    const end = plan.limited && !isReplica ? this.stallDetector.begin() : () => undefined;
    let answered = false;
    try {
      const value = await this.onAnyConnection(pool, (client) =>
        runTransaction(client, plan, first, work, readRequests.getStore() === true),
      );
      answered = true;
      return value;
    } catch (error) {
      answered = !isDatabaseUnavailable(error);
      if (answered) throw isStatementTimeout(error) ? toDatabaseError(error) : error;
      if (isReadTimeout(error)) (isReplica ? this.replica : this)?.closeIdle();
      throw toDatabaseError(error);
    } finally {
      end(answered);
    }
  }

  /**
   * Runs a transaction, on another connection if the one chosen was closed before BEGIN was answered: a pooler or a failover closes idle
   * connections at a moment when this process may be about to use them. Requests that only read try again also when it had begun.
   */
  private async onAnyConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.onConnection(pool, work);
      } catch (error) {
        if (!(error instanceof LostConnectionError)) throw error;
        if (attempt === attempts) throw error.cause;
      }
    }
  }

  private async onConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (pool.ending) throw unavailable('PostgreSQL', 1, new Error('the connections were closed'));
    const client = await pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error) => (broken = error);
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      if (error instanceof LostConnectionError || isDatabaseUnavailable(error)) broken ??= error as Error;
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  /** After a response that did not come: the other connections may be broken as well. */
  closeIdle(): void {
    closeIdle(this.app);
    closeIdle(this.system);
  }
}

/** SQLSTATEs of a login that may not, or cannot, switch to the role of the services. */
const roleRefusals = new Set(['42501', '22023']);

async function explainFailure(at: NamedUrl, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    const { code } = error as pg.DatabaseError;
    if (isLoginRefused(error) || roleRefusals.has(code ?? '')) throw new StartError(postgresProblem(error, at), error);
    if (!isDatabaseUnavailable(error)) throw error;
    throw unavailable('PostgreSQL', 1, new Error(problemSentence(postgresProblem(error, at)), { cause: error }));
  }
}

async function verifyRole(pool: pg.Pool, role: string, { schema }: Installation): Promise<void> {
  const { rows } = await pool.query<{ name: string; unsafe: boolean; schema: string | null; database: string }>(
    `SELECT current_user AS name, rolsuper OR rolbypassrls AS unsafe, current_schema() AS schema, current_database() AS database
       FROM pg_roles WHERE rolname = current_user`,
  );
  if (rows[0]?.name !== role || rows[0].unsafe) {
    throw new StartError({
      finding: `Statements would run as role "${rows[0]?.name}" instead of "${role}", so that row-level security would not apply`,
      remedy: `log in as ${role}, which the migration creates`,
    });
  }
  if (rows[0].schema !== schema) {
    throw new StartError({
      finding: `Role "${role}" finds no schema "${schema}" in database "${rows[0].database}"`,
      remedy: `migrate this database with the schema "${schema}", or name the schema that it was migrated with`,
    });
  }
}
