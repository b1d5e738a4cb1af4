import { basename } from 'node:path';
import { databaseSources, readFunctions, sqlStates } from '@spooled/data-access';
import { createTestDatabase, type TestDatabase } from '@spooled/testing';
import pg from 'pg';

/** Migrations call these while they run, so each finds the text that it was written with. */
const ofMigrations = ['current_organization', 'protect_tenant_table'];

/**
 * Called by services of the previous release only, which may still run while a new one is rolled out. As the migrations
 * have left them; dropped with the next release.
 */
const ofPreviousRelease = [
  'adopt_leases_v1',
  'apply_failures_v1',
  'claim_jobs_v1',
  'complete_jobs_v1',
  'complete_part_v1',
  'create_workflow_v1',
  'decide_cancellations_v1',
  'decide_completion_calls_v1',
  'decide_deliveries_v1',
  'decide_events_v1',
  'enqueue_jobs_v1',
  'enqueue_part_v1',
  'finish_jobs_v1',
  'grant_leases_v1',
  'lock_failed_jobs_v1',
  'lock_jobs_of_workers_v1',
  'lock_parents_v1',
  'release_leases_v1',
  'renew_leases_v1',
  'settle_children_v1',
];

interface Definition {
  name: string;
  /** Everything that CREATE FUNCTION says. */
  text: string;
  rights: string;
  owner: string;
}

describe('the functions of a migrated database', () => {
  const files = readFunctions(databaseSources(process.cwd()).functions);
  let database: TestDatabase;
  let owner: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  async function installed(): Promise<Definition[]> {
    const { rows } = await owner.query<Definition>(
      `SELECT proname AS name, pg_get_functiondef(oid) AS text, pg_get_userbyid(proowner) AS owner,
         ARRAY(SELECT item::text FROM unnest(coalesce(proacl, acldefault('f', proowner))) AS item ORDER BY 1)::text AS rights
       FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY proname`,
    );
    return rows;
  }

  it('are those of the files, and those that are known to have none', async () => {
    const names = (await installed()).map(({ name }) => name);
    const known = [...files.map(({ name }) => name), ...ofMigrations, ...ofPreviousRelease];
    expect(names.sort()).toEqual(known.sort());
  });

  it('are recorded with the text that they have', async () => {
    const { rows } = await owner.query('SELECT name, checksum FROM repeatable_migrations ORDER BY name');
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(rows).toEqual(files.map(({ name, checksum }) => ({ name, checksum })).sort(byName));
  });

  it('need nothing but their files: made by these alone, they have the same text, settings, rights and owner', async () => {
    const names = new Set(files.map(({ name }) => name));
    const fromMigrations = (await installed()).filter(({ name }) => names.has(name));
    await owner.query('BEGIN');
    try {
      await owner.query(`DROP FUNCTION ${[...names].join(', ')} CASCADE`);
      for (const { sql } of files) await owner.query(sql);
      expect((await installed()).filter(({ name }) => names.has(name))).toEqual(fromMigrations);
    } finally {
      await owner.query('ROLLBACK');
    }
  });

  it('raise the SQLSTATEs that are declared, and say so in their headers', () => {
    const raised = files.flatMap(({ sql }) => [...sql.matchAll(/ERRCODE = '(\w+)'/g)].map(([, state]) => state!));
    const caught = files.flatMap(({ sql }) => [...sql.matchAll(/SQLSTATE '(\w+)'/g)].map(([, state]) => state!));
    expect(new Set(raised)).toEqual(new Set(Object.values(sqlStates)));
    expect(raised).toEqual(expect.arrayContaining(caught));
    for (const { name, sql } of files) {
      const own = [...sql.matchAll(/ERRCODE = '(\w+)'/g)].map(([, state]) => state!);
      const header = /^-- Raises: (.*)$/m.exec(sql)?.[1] ?? '';
      expect([name, own.filter((state) => !header.includes(state))]).toEqual([name, []]);
    }
  });

  it('say what they do and what goes in and out, in words', () => {
    const silent = files.filter(({ sql }) => !sql.startsWith('-- '));
    // json_to_recordset(…) AS x(c integer, …): the names of members of the input.
    const short = files.filter(({ sql }) =>
      /\bAS \w+\([^)]*(?<=[(,]\s*)\w{1,2}(?<!\bid) (?:uuid|text|json|integer)/.test(sql),
    );
    expect([...silent, ...short].map(({ file }) => basename(file))).toEqual([]);
  });
});
