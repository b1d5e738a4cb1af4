import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What `migrate` applies, by patterns below the root. */
export const databaseFiles = {
  migrations: 'prisma/migrations/*/migration.sql',
  functions: 'libs/{data-access,queue}/src/**/*_*.sql',
};

/**
 * What a build of this checkout needs of the database, without its version: `DatabaseRelease` of libs/data-access.
 * @internal For rolldown.config.mjs, which knip takes for a tool.
 */
export function databaseRelease(root) {
  const checksum = (file) =>
    createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex');
  const find = (files) => globSync(files, { cwd: root }).sort();
  return {
    migrations: find(databaseFiles.migrations).map((file) => basename(dirname(file))),
    functions: Object.fromEntries(
      find(databaseFiles.functions).map((file) => [basename(file, '.sql'), checksum(file)]),
    ),
  };
}
