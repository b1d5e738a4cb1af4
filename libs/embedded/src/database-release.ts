import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Database,
  databaseSources,
  type DatabaseSources,
  missingFunctions,
  readFunctions,
} from '@spooled/data-access';

/**
 * @throws Error when the database was migrated by an older release, or not at all. A newer one keeps the functions of the releases
 * before it.
 */
export async function requireMigrated(db: Database): Promise<void> {
  const names = readFunctions(releaseSources().functions).map(({ name }) => name);
  const missing = await db.inBatch((tx) => missingFunctions(tx, names));
  if (missing.length === 0) return;
  const some = missing.slice(0, 3).join(', ');
  throw new Error(
    `The database lacks ${missing.length} of the ${names.length} functions of this release of spooled-embedded (${some}): run migrate() of this release, or migrate the services to it`,
  );
}

/**
 * The migrations and functions of this release: beside the published module, or in the repository, below whose `libs` or `dist` this
 * module is.
 */
export function releaseSources(): Required<DatabaseSources> {
  const roots = ['database', '../..', '../../..'].map((path) => join(import.meta.dirname, path));
  const root = roots.find((path) => existsSync(join(path, 'prisma/migrations')));
  if (root === undefined) throw new Error('The migrations of spooled-embedded are missing beside its module');
  return databaseSources(root);
}
