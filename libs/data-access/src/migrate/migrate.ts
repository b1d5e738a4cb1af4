import pg from 'pg';
import { type FunctionFile, readFunctions } from './function-files.js';
import { installFunctions } from './install-functions.js';
import { applyMigration, ensureLedger, readLedger } from './ledger.js';
import { MigrationError } from './migration-error.js';
import { type Migration, readMigrations } from './migration-files.js';
import { denyTemporaryTables, ensureRole } from './roles.js';
import type { DatabaseSources } from './sources.js';

export { databaseSources, type DatabaseSources, fingerprintOf } from './sources.js';

export interface MigrateOptions extends DatabaseSources {
  /** Password of `spooled_app`. Without it an existing role is left as it is, and a missing one cannot log in. */
  appPassword?: string;
  /** Password of `spooled_system`; as above. */
  systemPassword?: string;
  /** Told about each step that takes time. */
  onStep?: (line: string) => void;
}

export interface MigrationReport {
  /** Names of the migrations applied by this call. */
  applied: string[];
  /** Applied earlier, but absent from the folder: a newer release was here. Left alone. */
  unknown: string[];
  /** Names of the functions installed by this call: those whose text has changed. */
  installed: string[];
}

/** Prisma's own lock, so that `prisma migrate deploy` and this runner never work at the same time. */
const prismaLock = 72_707_369;

/**
 * Brings a database to the state of the migrations folder and of the functions' files. Safe to call from many processes at
 * once and again and again; `prisma migrate deploy` and `status` agree with what it records. Where a newer release was here,
 * its functions stay: those of this one may not know its tables.
 *
 * @param ownerUrl a direct connection (no transaction pooler: the lock belongs to the session) of the database's
 *   owner, who may create roles
 * @throws MigrationError names the migration that failed, was changed after it was applied, or never finished
 * @throws FunctionError names the function whose file is wrong or could not be installed
 */
export async function migrate(ownerUrl: string, options: MigrateOptions): Promise<MigrationReport> {
  const say = options.onStep ?? (() => undefined);
  const migrations = readMigrations(options.folder);
  const functions = readFunctions(options.functions ?? []);
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'spooled-migrate' });
  // A lost connection also rejects the statement under way, which is where it is reported.
  client.on('error', () => undefined);
  await connect(client);
  try {
    await lockOut(client, say);
    await ensureRole(client, 'spooled_app', options.appPassword);
    await ensureRole(client, 'spooled_system', options.systemPassword);
    await denyTemporaryTables(client, ['spooled_app', 'spooled_system'], say);
    await ensureLedger(client);
    const { pending, unknown } = await compare(client, migrations);
    const installed = await applyAll(client, pending, unknown.length > 0 ? [] : functions, say);
    return { applied: pending.map(({ name }) => name), unknown, installed };
  } finally {
    await client.end();
  }
}

/**
 * Functions come with the last migration, in its transaction: neither is ever seen without the other.
 *
 * @returns the names of the functions that were installed
 */
async function applyAll(
  client: pg.Client,
  pending: Migration[],
  functions: FunctionFile[],
  say: (line: string) => void,
): Promise<string[]> {
  const install = (): Promise<string[]> => installFunctions(client, functions);
  let installed: string[] | undefined;
  for (const migration of pending) {
    say(`applying ${migration.name}`);
    const isLast = migration === pending.at(-1);
    installed = await applyMigration(client, migration, isLast && migration.inTransaction ? install : undefined);
  }
  installed ??= await inTransaction(client, install);
  return installed;
}

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // On a lost connection the server rolls back by itself.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    // Several addresses of one name fail together, with a code and without a message.
    const { message, code } = error as Error & { code?: string };
    throw new Error(`Cannot connect to PostgreSQL at ${client.host}:${client.port}: ${message || code}`, {
      cause: error,
    });
  }
}

async function lockOut(client: pg.Client, say: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [prismaLock]);
  if (rows[0]?.free) return;
  say('waiting for another migration run to finish');
  await client.query('SELECT pg_advisory_lock($1)', [prismaLock]);
}

async function compare(
  client: pg.Client,
  migrations: Migration[],
): Promise<{ pending: Migration[]; unknown: string[] }> {
  const ledger = await readLedger(client);
  for (const { name, finished, logs } of ledger.values()) {
    if (!finished) throw new MigrationError(name, `failed earlier and was not resolved: ${logs ?? 'no log'}`);
  }
  for (const { name, checksum } of migrations) {
    const known = ledger.get(name);
    if (known && known.checksum !== checksum) {
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
