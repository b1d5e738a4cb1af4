import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the file, as Prisma records it. */
  checksum: string;
  /** False for a file whose first line is `-- no-transaction`, such as one CREATE INDEX CONCURRENTLY. */
  inTransaction: boolean;
}

/** All migrations of a folder, ordered by name. */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'migration.sql')))
    .map(({ name }) => readMigration(folder, name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readMigration(folder: string, name: string): Migration {
  const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
  const checksum = createHash('sha256').update(sql).digest('hex');
  return { name, sql, checksum, inTransaction: !sql.startsWith('-- no-transaction') };
}
