import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { databaseSources, type DatabaseSources } from '@spooled/data-access';

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
