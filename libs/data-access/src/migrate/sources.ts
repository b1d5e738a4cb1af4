import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readFunctions } from './function-files.js';
import { readMigrations } from './migration-files.js';

/** Where the text of the database is. */
export interface DatabaseSources {
  /** Folder that holds `<name>/migration.sql`, as Prisma lays it out. Each is applied once. */
  folder: string;
  /** Folders that hold, at any depth, one file for each function. Installed whenever the text has changed. */
  functions?: string[];
}

/** The sources of this product below `root`: the checkout, or the working directory of the migration image. */
export const databaseSources = (root: string): Required<DatabaseSources> => ({
  folder: join(root, 'prisma/migrations'),
  functions: [join(root, 'libs/data-access/src'), join(root, 'libs/queue/src')],
});

/** Changes with every change of the sources; names the databases that are made from them. */
export function fingerprintOf({ folder, functions = [] }: DatabaseSources): string {
  const hash = createHash('sha256');
  for (const { name, checksum } of [...readMigrations(folder), ...readFunctions(functions)]) {
    hash.update(`${name} ${checksum}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
