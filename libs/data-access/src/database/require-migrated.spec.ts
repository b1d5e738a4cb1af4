import { createTestDatabase, openConnections, type TestDatabase, useDatabase, useSuperuser } from '@spooled/testing';
import { type DatabaseRelease, readDatabaseRelease } from '../migrate/database-release.js';
import { databaseSources } from '../migrate/sources.js';

const release: DatabaseRelease = { ...readDatabaseRelease(databaseSources(process.cwd())), version: '1.2.3' };
const database = useDatabase();
const superuser = useSuperuser(database);

/** What a process of this build says when it starts on `on`; null when it starts. */
async function refusal(on: TestDatabase = database, needed = release): Promise<string[] | null> {
  const db = openConnections(on, { maxConnections: 1 });
  try {
    return await db.verifyServer({ release: needed }).then(
      () => null,
      (error: { missing: string[] }) => error.missing,
    );
  } finally {
    await db.close();
  }
}

/** Runs `change` as superuser, then asks, then undoes it. */
async function refusalAfter(change: string, undo: string): Promise<string[] | null> {
  await superuser.query(change);
  const missing = await refusal();
  await superuser.query(undo);
  return missing;
}

describe('a process that starts', () => {
  it('accepts the database that its build has migrated', async () => {
    expect(await refusal()).toBeNull();
  });

  it('names the migrations that a database without tables lacks', async () => {
    const empty = await createTestDatabase({ empty: true });
    expect(await refusal(empty)).toEqual(release.migrations.map((name) => `migration ${name}`));
    await empty.drop();
  });

  it('names a migration that was not applied, not finished or rolled back', async () => {
    const needed = { ...release, migrations: [...release.migrations, '0002_tags'] };
    expect(await refusal(database, needed)).toEqual(['migration 0002_tags']);
    for (const column of ['finished_at', 'rolled_back_at']) {
      const value = column === 'finished_at' ? 'NULL' : 'now()';
      const undone = column === 'finished_at' ? 'now()' : 'NULL';
      const set = (to: string) => `UPDATE _prisma_migrations SET ${column} = ${to}`;
      expect(await refusalAfter(set(value), set(undone))).toEqual(
        release.migrations.map((name) => `migration ${name}`),
      );
    }
  });

  it('names a function that does not exist, or that the migration did not install', async () => {
    expect(
      await refusalAfter(
        'ALTER FUNCTION claim_jobs_v1 RENAME TO claim_jobs_v0',
        'ALTER FUNCTION claim_jobs_v0 RENAME TO claim_jobs_v1',
      ),
    ).toEqual(['function claim_jobs_v1']);
    const needed = { ...release, functions: { ...release.functions, current_ts: 'a' } };
    expect(await refusal(database, needed)).toEqual(['function current_ts']);
  });

  it.each([
    ['1.2.2', ['function claim_jobs_v1 (other text, of 1.2.2)']],
    ['1.2.3', ['function claim_jobs_v1 (other text, of 1.2.3)']],
    ['0.10.0', ['function claim_jobs_v1 (other text, of 0.10.0)']],
    // Services of a release keep running, and starting, while and after the next one migrates the database.
    ['1.2.4', null],
    ['1.10.0', null],
    ['2.0.0', null],
  ])('judges another text of a function by the release that installed it: %s', async (installedBy, missing) => {
    const { rows } = await superuser.query<{ checksum: string; release: string }>(
      `SELECT checksum, release FROM repeatable_migrations WHERE name = 'claim_jobs_v1'`,
    );
    const set = (checksum: string, by: string) =>
      `UPDATE repeatable_migrations SET checksum = '${checksum}', release = '${by}' WHERE name = 'claim_jobs_v1'`;
    const [{ checksum, release: by }] = rows as [(typeof rows)[number]];
    expect(await refusalAfter(set('other', installedBy), set(checksum, by))).toEqual(missing);
  });
});
