import { basename } from 'node:path';
import { databaseSources, readFunctions, functionErrorCodes } from '@spooled/data-access';
import { createTestDatabase, type TestDatabase } from '@spooled/testing';
import pg from 'pg';

/** Used by migrations, so they stay in the migrations that define them. */
const ofMigrations = ['current_organization', 'current_ts', 'protect_tenant_table'];

interface Definition {
  name: string;
  /** The complete CREATE FUNCTION statement. */
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

  it('are those of the files and of the migrations', async () => {
    const names = (await installed()).map(({ name }) => name);
    const { rows } = await owner.query<{ old: boolean }>(
      `SELECT current_setting('server_version_num')::integer < 180000 AS old`,
    );
    const known = [...files.map(({ name }) => name), ...ofMigrations, ...(rows[0]!.old ? ['uuidv7'] : [])];
    expect(names.sort()).toEqual(known.sort());
  });

  it('are recorded with the checksum of their text', async () => {
    const { rows } = await owner.query('SELECT name, checksum FROM repeatable_migrations ORDER BY name');
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(rows).toEqual(files.map(({ name, checksum }) => ({ name, checksum })).sort(byName));
  });

  it('depend only on their files: created from these alone, they have the same text, settings, privileges and owner', async () => {
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

  it('raise the declared SQLSTATEs, which their headers list', () => {
    const raised = files.flatMap(({ sql }) => [...sql.matchAll(/ERRCODE = '(\w+)'/g)].map(([, state]) => state!));
    const caught = files.flatMap(({ sql }) => [...sql.matchAll(/SQLSTATE '(\w+)'/g)].map(([, state]) => state!));
    expect(new Set(raised)).toEqual(new Set(Object.values(functionErrorCodes)));
    expect(raised).toEqual(expect.arrayContaining(caught));
    for (const { name, sql } of files) {
      const own = [...sql.matchAll(/ERRCODE = '(\w+)'/g)].map(([, state]) => state!);
      const header = /^-- Raises: (.*)$/m.exec(sql)?.[1] ?? '';
      expect([name, own.filter((state) => !header.includes(state))]).toEqual([name, []]);
    }
  });

  it('have a header comment and spelled-out names for input members', () => {
    const withoutHeader = files.filter(({ sql }) => !sql.startsWith('-- '));
    // Column lists such as json_to_recordset(…) AS x(c integer, …) name the input members.
    const withShortNames = files.filter(({ sql }) =>
      /\bAS \w+\([^)]*(?<=[(,]\s*)\w{1,2}(?<!\bid) (?:uuid|text|json|integer)/.test(sql),
    );
    expect([...withoutHeader, ...withShortNames].map(({ file }) => basename(file))).toEqual([]);
  });
});
