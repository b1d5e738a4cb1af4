import type pg from 'pg';
import type { Findings } from './finding.js';

interface DatabaseRelease {
  migrations: string[];
  /** SHA-256 of each function's text. */
  functions: Record<string, string>;
}

const remedy = 'run the migration of this release (npm run migrate, or the image migrate)';

/** Whether the database has all migrations and functions of this release, or is of a newer one. */
export async function checkSchema(client: pg.Client, found: Findings): Promise<void> {
  const release = JSON.parse(process.env.SPOOLED_DATABASE_RELEASE ?? 'null') as DatabaseRelease | null;
  if (!release) return void found.skipped('This build does not know which migrations it needs');
  const { rows } = await client.query<{ exist: boolean }>(
    `SELECT to_regclass('public._prisma_migrations') IS NOT NULL AND to_regclass('public.repeatable_migrations') IS NOT NULL AS exist`,
  );
  if (!rows[0]!.exist) return void found.problem('The database is not migrated: it has no tables of Spooled', remedy);
  const missing = await missingIn(client, release);
  if (missing.length === 0) return void found.ok('The schema is migrated');
  const more = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
  found.problem(`The schema is of another release: it lacks ${missing[0]}${more}`, remedy);
}

async function missingIn(client: pg.Client, { migrations, functions }: DatabaseRelease): Promise<string[]> {
  const applied = await client.query<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const installed = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM repeatable_migrations',
  );
  const known = new Set(applied.rows.map(({ name }) => name));
  const texts = new Map(installed.rows.map(({ name, checksum }) => [name, checksum]));
  // A newer release has migrations that this one does not know, and may have changed texts.
  const isNewer = [...known].some((name) => !migrations.includes(name));
  return [
    ...migrations.filter((name) => !known.has(name)).map((name) => `migration ${name}`),
    ...Object.entries(functions).flatMap(([name, checksum]) => {
      if (!texts.has(name)) return [`function ${name}`];
      return texts.get(name) === checksum || isNewer ? [] : [`this text of function ${name}`];
    }),
  ];
}
