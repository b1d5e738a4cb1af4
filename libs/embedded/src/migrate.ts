import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Database,
  databaseSources,
  type DatabaseSources,
  migrate as migrateDatabase,
  missingFunctions,
  readFunctions,
} from '@spooled/data-access';

export interface MigrateOptions {
  /** The owner of the database, who may create roles; a direct connection, not through a transaction pooler. */
  adminUrl: string;
  /** Password of `spooled_app`. Without it an existing role keeps its password, and a new role cannot log in. */
  appPassword?: string;
  /** Password of `spooled_system`; as above. */
  systemPassword?: string;
  /** Called with a log line for each step. */
  onStep?: (line: string) => void;
}

export interface MigrationReport {
  /** Migrations that this call has applied. */
  applied: string[];
  /** Applied earlier by a newer release. */
  unknown: string[];
  /** Functions that this call has installed. */
  installed: string[];
}

/**
 * Creates or updates the tables, functions and roles of Spooled in the schema `public`. Idempotent and safe to run concurrently. The same
 * migrations as those of the services: a database that they have migrated need not be migrated again.
 * @throws Error when PostgreSQL cannot be reached, is too old, or a migration fails
 */
export function migrate({ adminUrl, ...options }: MigrateOptions): Promise<MigrationReport> {
  return migrateDatabase(adminUrl, { ...sources(), ...options });
}

/**
 * @throws Error when the database was migrated by an older release, or not at all. A newer one keeps the functions of the releases
 * before it.
 */
export async function requireMigrated(db: Database): Promise<void> {
  const names = readFunctions(sources().functions).map(({ name }) => name);
  const missing = await db.inBatch((tx) => missingFunctions(tx, names));
  if (missing.length === 0) return;
  const some = missing.slice(0, 3).join(', ');
  throw new Error(
    `The database lacks ${missing.length} of the ${names.length} functions of this release of spooled-embedded (${some}): run migrate() of this release, or migrate the services to it`,
  );
}

/** Beside the published module, or in the repository, below whose `libs` or `dist` this module is. */
function sources(): Required<DatabaseSources> {
  const roots = ['database', '../..', '../../..'].map((path) => join(import.meta.dirname, path));
  const root = roots.find((path) => existsSync(join(path, 'prisma/migrations')));
  if (root === undefined) throw new Error('The migrations of spooled-embedded are missing beside its module');
  return databaseSources(root);
}
