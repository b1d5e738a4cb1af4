import pg from 'pg';
import { applyMigration, ensureLedger, readLedger } from './ledger.js';
import { MigrationError } from './migration-error.js';
import { type Migration, readMigrations } from './migration-files.js';
import { denyTemporaryTables, ensureRole } from './roles.js';

export interface MigrateOptions {
  /** Folder that holds `<name>/migration.sql`, as Prisma lays it out. */
  folder: string;
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
}

/** Prisma's own lock, so that `prisma migrate deploy` and this runner never work at the same time. */
const prismaLock = 72_707_369;

/**
 * Brings a database to the state of the migrations folder. Safe to call from many processes at once and again and
 * again; `prisma migrate deploy` and `status` agree with what it records.
 *
 * @param ownerUrl a direct connection (no transaction pooler: the lock belongs to the session) of the database's
 *   owner, who may create roles
 * @throws MigrationError names the migration that failed, was changed after it was applied, or never finished
 */
export async function migrate(ownerUrl: string, options: MigrateOptions): Promise<MigrationReport> {
  const say = options.onStep ?? (() => undefined);
  const migrations = readMigrations(options.folder);
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
    for (const migration of pending) {
      say(`applying ${migration.name}`);
      await applyMigration(client, migration);
    }
    return { applied: pending.map(({ name }) => name), unknown };
  } finally {
    await client.end();
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
