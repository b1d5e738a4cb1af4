import type pg from 'pg';
import { type DatabaseRelease, isNewer } from '../migrate/database-release.js';
import findInstalledFunctions from './find-installed-functions.sql';
import findRecords from './find-migration-records.sql';

/** How many missing parts the message names. */
const named = 3;

/** The database lacks a migration or a function of this build, or has another text of one than this or a newer release. */
export class NotMigratedError extends Error {
  override name = 'NotMigratedError';

  /** @param missing e.g. `migration 0002_tags`, `function claim_jobs_v1 (other text, of 0.1.0)` */
  constructor(
    readonly missing: string[],
    version: string,
  ) {
    const more = missing.length > named ? ` and ${missing.length - named} more` : '';
    super(
      `The database is not migrated to this release (${version}): it lacks ${missing.slice(0, named).join(', ')}${more}`,
    );
  }
}

interface InstalledFunction {
  name: string;
  exists: boolean;
  /** Null when the runner did not install it. */
  checksum: string | null;
  /** Version of the build that installed this text. */
  release: string | null;
}

/**
 * Requires all migrations and functions of a build. Texts of a newer release count as those of the build, which may run beside it or be
 * returned to.
 * @throws NotMigratedError
 */
export async function requireMigrated(pool: pg.Pool, release: DatabaseRelease): Promise<void> {
  const missing = await findMissing(pool, release);
  if (missing.length > 0) throw new NotMigratedError(missing, release.version);
}

async function findMissing(pool: pg.Pool, { version, migrations, functions }: DatabaseRelease): Promise<string[]> {
  const hasRecords = (await pool.query<{ exist: boolean }>(findRecords)).rows[0]!.exist;
  if (!hasRecords) return migrations.map((name) => `migration ${name}`);
  const applied = await pool.query<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const known = new Set(applied.rows.map(({ name }) => name));
  const installed = await pool.query<InstalledFunction>(findInstalledFunctions, [Object.keys(functions)]);
  return [
    ...migrations.filter((name) => !known.has(name)).map((name) => `migration ${name}`),
    ...installed.rows.flatMap(({ name, exists, checksum, release }) => {
      if (!exists || checksum === null || release === null) return [`function ${name}`];
      const isCurrent = checksum === functions[name] || isNewer(release, version);
      return isCurrent ? [] : [`function ${name} (other text, of ${release})`];
    }),
  ];
}
