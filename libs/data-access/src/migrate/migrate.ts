import { type NamedUrl, postgresProblem, postgresUrlProblem, StartError } from '@spooled/domain';
import pg from 'pg';
import { installationIn, withNamesOf } from '../database/installation.js';
import { requireServerVersion } from '../database/server-version.js';
import { type FunctionFile, readFunctions } from './function-files.js';
import { installFunctions } from './install-functions.js';
import { applyMigration, ensureLedger, readLedger } from './ledger.js';
import { MigrationError } from './migration-error.js';
import { type Migration, readMigrations } from './migration-files.js';
import { buildPartitionIndexes } from './partition-indexes.js';
import {
  denyLargeObjects,
  denyTemporaryTables,
  ensureRole,
  ensureSearchPath,
  ensureSecondLogin,
  grantRoles,
  requireUnused,
} from './roles.js';
import { enterSchema } from './schema.js';
import type { DatabaseSources } from './sources.js';

export { databaseSources, type DatabaseSources, fingerprintOf } from './sources.js';

export interface MigrateOptions extends DatabaseSources {
  /** The setting that holds the URL, for errors. */
  urlName?: string;
  /** The schema for tables and functions, created if it is missing; roles get its name, as in `shop_app`. @default 'public', with `spooled_app` */
  schema?: string;
  /** Password of the role of requests (`spooled_app`). Without it an existing role keeps its password, and a new role cannot log in. */
  appPassword?: string;
  /** Password of the role of maintenance (`spooled_system`); as above. */
  systemPassword?: string;
  /** Password of the second login `spooled_app_next`, for changing passwords. Without it nothing is created or changed. */
  appNextPassword?: string;
  /** Password of the second login `spooled_system_next`; as above. */
  systemNextPassword?: string;
  /** Lets the migrating role act as both roles, so that one login migrates and runs. */
  grantRoles?: boolean;
  /** Called with a log line for each step. */
  onStep?: (line: string) => void;
}

export interface MigrationReport {
  /** Names of the migrations applied by this call. */
  applied: string[];
  /** Applied earlier but missing from the folder, by a newer release. Ignored. */
  unknown: string[];
  /** Names of the functions installed by this call: those whose file has changed. */
  installed: string[];
}

/** Prisma's own advisory lock, so that `prisma migrate deploy` and this runner never run at the same time. */
const prismaLock = 72_707_369;

/**
 * Applies pending migrations and installs changed functions. Idempotent and safe to run concurrently; its records are
 * compatible with `prisma migrate deploy` and `status`. When a newer release has migrated the database, its functions are
 * kept, because those of this release may not match its tables.
 *
 * @param ownerUrl a direct connection (no transaction pooler: the lock belongs to the session) of the database's
 *   owner, who may create roles
 * @throws StartError when PostgreSQL cannot be reached, is too old, or the role is not the owner
 * @throws MigrationError when a migration failed, was changed after it was applied, or never finished
 * @throws FunctionError when the file of a function is invalid or could not be installed
 */
export async function migrate(ownerUrl: string, options: MigrateOptions): Promise<MigrationReport> {
  const log = options.onStep ?? (() => undefined);
  const installation = installationIn(options.schema);
  const named = <T extends { sql: string }>(file: T): T => ({ ...file, sql: withNamesOf(installation, file.sql) });
  const migrations = readMigrations(options.folder).map(named);
  const functions = readFunctions(options.functions ?? []).map(named);
  const at = { setting: options.urlName ?? 'the URL', url: ownerUrl };
  const wrongUrl = postgresUrlProblem(at);
  if (wrongUrl) throw new StartError(wrongUrl);
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'spooled-migrate' });
  // A lost connection also rejects the current statement, which reports it.
  client.on('error', () => undefined);
  await connect(client, at);
  try {
    await requireServerVersion(client);
    await acquireLock(client, log);
    const roles = [installation.app, installation.system];
    for (const role of roles) await requireUnused(client, role, installation);
    await enterSchema(client, installation);
    await requireOwner(client);
    await ensureRole(client, installation.app, options.appPassword);
    await ensureRole(client, installation.system, options.systemPassword);
    for (const role of roles) await ensureSearchPath(client, role, installation);
    await denyTemporaryTables(client, roles, log);
    await denyLargeObjects(client, roles, log);
    await ensureLedger(client);
    const { pending, unknown } = await compareWithLedger(client, migrations);
    const installed = await applyAll(client, pending, unknown.length > 0 ? [] : functions, log);
    const { appNextPassword, systemNextPassword } = options;
    if (appNextPassword !== undefined) await ensureSecondLogin(client, installation.app, appNextPassword, installation);
    if (systemNextPassword !== undefined)
      await ensureSecondLogin(client, installation.system, systemNextPassword, installation);
    if (options.grantRoles) await grantRoles(client, roles);
    return { applied: pending.map(({ name }) => name), unknown, installed };
  } finally {
    await client.end();
  }
}

/**
 * Installs the functions in the transaction of the last migration, so that neither is visible without the other.
 *
 * @returns the names of the functions that were installed
 */
async function applyAll(
  client: pg.Client,
  pending: Migration[],
  functions: FunctionFile[],
  log: (line: string) => void,
): Promise<string[]> {
  const install = (): Promise<string[]> => installFunctions(client, functions);
  let installed: string[] | undefined;
  for (const migration of pending) {
    log(`applying ${migration.name}`);
    await buildPartitionIndexes(client, migration);
    const isLast = migration === pending.at(-1);
    const beforeCommit = isLast && migration.inTransaction ? install : undefined;
    installed = await whileRolesChange(migration, () => applyMigration(client, migration, beforeCommit));
  }
  installed ??= await inTransaction(client, install);
  return installed;
}

const attempts = 10;

/**
 * Applies a migration again when another database of the server changed the same roles at the same time ("tuple concurrently updated").
 * @throws MigrationError
 */
async function whileRolesChange<T>({ inTransaction }: Migration, apply: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply();
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string };
      if (code !== 'XX000' || !inTransaction || attempt === attempts) throw error;
    }
  }
}

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // The server rolls back when the connection is lost.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function connect(client: pg.Client, at: NamedUrl): Promise<void> {
  await client.connect().catch((error: unknown) => {
    throw new StartError(postgresProblem(error, at), error);
  });
}

async function requireOwner(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ role: string; database: string; may: boolean | null }>(
    `SELECT current_user AS role, current_database() AS database, has_schema_privilege(current_schema(), 'CREATE') AS may`,
  );
  const { role, database, may } = rows[0]!;
  if (may) return;
  throw new StartError({
    finding: `The role "${role}" may not create tables in database "${database}"`,
    remedy: 'migrate as the owner of the database',
  });
}

async function acquireLock(client: pg.Client, log: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [prismaLock]);
  if (rows[0]?.free) return;
  log('waiting for another migration run to finish');
  await client.query('SELECT pg_advisory_lock($1)', [prismaLock]);
}

async function compareWithLedger(
  client: pg.Client,
  migrations: Migration[],
): Promise<{ pending: Migration[]; unknown: string[] }> {
  const ledger = await readLedger(client);
  for (const { name, finished, logs } of ledger.values()) {
    if (!finished) throw new MigrationError(name, `failed earlier and was not resolved: ${logs ?? 'no log'}`);
  }
  for (const { name, checksum } of migrations) {
    const applied = ledger.get(name);
    if (applied && applied.checksum !== checksum) {
      throw new MigrationError(
        name,
        'was changed after it had been applied; restore the file and add a new migration instead',
      );
    }
  }
  const names = new Set(migrations.map(({ name }) => name));
  return {
    pending: migrations.filter(({ name }) => !ledger.has(name)),
    unknown: [...ledger.keys()].filter((name) => !names.has(name)),
  };
}
