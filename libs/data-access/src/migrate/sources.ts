import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readFunctions } from './function-files.js';
import { readMigrations } from './migration-files.js';

/** Locations of the migrations and functions. */
export interface DatabaseSources {
  /** Folder with `<name>/migration.sql` in Prisma's layout. Each is applied once. */
  folder: string;
  /** Folders with one file per function, at any depth. Each is installed whenever it has changed. */
  functions?: string[];
}

/** The sources of Spooled below `root`: the checkout, or the working directory of the migration image. */
export const databaseSources = (root: string): Required<DatabaseSources> => ({
  folder: join(root, 'prisma/migrations'),
  functions: [join(root, 'libs/data-access/src'), join(root, 'libs/queue/src')],
});

/** A hash of the sources; part of the name of databases created from them. */
export function fingerprintOf({ folder, functions = [] }: DatabaseSources): string {
  const hash = createHash('sha256');
  for (const { name, checksum } of [...readMigrations(folder), ...readFunctions(functions)]) {
    hash.update(`${name} ${checksum}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
