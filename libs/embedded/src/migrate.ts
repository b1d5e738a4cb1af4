import { migrate as migrateDatabase } from '@spooled/data-access';
import { releaseSources } from './database-release.js';

export interface MigrateOptions {
  /** The owner of the database, who may create roles; a direct connection, not through a transaction pooler. */
  adminUrl: string;
  /**
   * The schema for tables and functions, created if it is missing. Its roles have its name, as in `shop_app` and `shop_system`: lower-case
   * letters, digits and underscores, at most 40.
   * @default 'public', with the roles `spooled_app` and `spooled_system`
   */
  schema?: string;
  /** Password of `spooled_app`. Without it an existing role keeps its password, and a new role cannot log in. */
  appPassword?: string;
  /** Password of `spooled_system`; as above. */
  systemPassword?: string;
  /** Lets the role of `adminUrl` act as both roles, so that `EmbeddedSpooled.open` can use the same URL. @default false */
  grantRoles?: boolean;
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
 * Creates or updates the tables, functions and roles of Spooled. Idempotent and safe to run concurrently. The same
 * migrations as those of the services: a database that they have migrated need not be migrated again.
 * @throws Error when PostgreSQL cannot be reached, is too old, or a migration fails
 */
export function migrate({ adminUrl, ...options }: MigrateOptions): Promise<MigrationReport> {
  return migrateDatabase(adminUrl, { ...releaseSources(), ...options });
}
