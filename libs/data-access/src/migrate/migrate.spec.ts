import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, eventually, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import { migrate } from './migrate.js';
import { ensureRole } from './roles.js';

const tableWithPartitions = `
  CREATE TABLE things (id int) PARTITION BY RANGE (id);
  CREATE TABLE things_p1 PARTITION OF things FOR VALUES FROM (0) TO (10);
  CREATE TABLE things_p2 PARTITION OF things DEFAULT`;
const index = 'CREATE INDEX IF NOT EXISTS thing_ids ON things (id DESC) WHERE id > 0;';

describe('migrate', () => {
  let database: TestDatabase;
  let folder: string;

  beforeEach(async () => {
    database = await createTestDatabase({ empty: true });
    folder = mkdtempSync(join(tmpdir(), 'spooled-migrations-'));
  });
  afterEach(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  it('applies new migrations in the order of their names, each once', async () => {
    write('2_more', 'ALTER TABLE things ADD COLUMN more int');
    write('1_things', 'CREATE TABLE things (id int)');
    expect(await run()).toEqual({ applied: ['1_things', '2_more'], unknown: [], installed: [] });
    write('3_last', 'INSERT INTO things VALUES (1, 2)');
    expect(await run()).toEqual({ applied: ['3_last'], unknown: [], installed: [] });
    expect(await query('SELECT * FROM things')).toEqual([{ id: 1, more: 2 }]);
  });

  it('runs each migration once when several processes start at the same time', async () => {
    write('1_things', 'CREATE TABLE things (id int); SELECT pg_sleep(0.1)');
    const reports = await Promise.all(Array.from({ length: 5 }, run));
    expect(reports.flatMap(({ applied }) => applied)).toEqual(['1_things']);
  });

  it('rolls back a failed migration, reports its name and line, and applies it once it is corrected', async () => {
    write('1_things', 'CREATE TABLE things (id int)');
    write('2_wrong', 'CREATE TABLE half (id int);\nSELEKT 1');
    await expect(run()).rejects.toThrow('Migration 2_wrong failed: syntax error at or near "SELEKT"; line 2');
    expect(await query("SELECT to_regclass('things') IS NOT NULL AS things, to_regclass('half') AS half")).toEqual([
      { things: true, half: null },
    ]);
    write('2_wrong', 'CREATE TABLE whole (id int)');
    expect((await run()).applied).toEqual(['2_wrong']);
  });

  it('stops when an applied migration was changed', async () => {
    write('1_things', 'CREATE TABLE things (id int)');
    await run();
    write('1_things', 'CREATE TABLE things (id bigint)');
    write('2_more', 'ALTER TABLE things ADD COLUMN more int');
    await expect(run()).rejects.toThrow('Migration 1_things was changed after it had been applied');
    expect(await query("SELECT FROM information_schema.columns WHERE column_name = 'more'")).toEqual([]);
  });

  it('blocks later runs after a failed non-transactional migration until it is resolved', async () => {
    write('1_index', '-- no-transaction\nCREATE INDEX CONCURRENTLY missing_id ON missing (id)');
    await expect(run()).rejects.toThrow('Migration 1_index failed: relation "missing" does not exist');
    await expect(run()).rejects.toThrow('Migration 1_index failed earlier and was not resolved');
    await query('UPDATE _prisma_migrations SET rolled_back_at = now()');
    write('1_index', '-- no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS ids ON _prisma_migrations (id)');
    expect((await run()).applied).toEqual(['1_index']);
  });

  it('builds the indexes of a partitioned table on its partitions before the migration that adds them', async () => {
    write('1_things', tableWithPartitions);
    await run();
    write('2_index', `-- partitions first\n${index}`);
    // Writes continue while the indexes are built: only CONCURRENTLY lets this transaction finish last.
    const writer = new pg.Client({ connectionString: database.ownerUrl });
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query('INSERT INTO things VALUES (5)');
    const done = run();
    await eventually(async () => expect(await unfinishedIndexes()).toBe(1));
    await writer.query('INSERT INTO things VALUES (6)');
    await writer.query('COMMIT');
    await writer.end();
    expect((await done).applied).toEqual(['2_index']);
    expect(await indexesOf('thing_ids')).toEqual(['things_p1_thing_ids', 'things_p2_thing_ids']);
    expect(await query('SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = $$thing_ids$$::regclass')).toEqual([
      { valid: true },
    ]);
  });

  it('goes on with the indexes of partitions after an interrupted build', async () => {
    write('1_things', tableWithPartitions);
    await run();
    await query('CREATE INDEX things_p1_thing_ids ON things_p1 (id)');
    const superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
    await superuser.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'things_p1_thing_ids'::regclass`);
    await superuser.end();
    write('2_index', `-- partitions first\n${index}`);
    await run();
    expect(await indexesOf('thing_ids')).toEqual(['things_p1_thing_ids', 'things_p2_thing_ids']);
    expect(await unfinishedIndexes()).toBe(0);
  });

  it('ignores migrations that a newer release has applied', async () => {
    write('1_things', 'CREATE TABLE things (id int)');
    write('2_newer', 'CREATE TABLE newer (id int)');
    await run();
    rmSync(join(folder, '2_newer'), { recursive: true });
    expect(await run()).toEqual({ applied: [], unknown: ['2_newer'], installed: [] });
  });

  it('refuses a role that owns nothing here, before it changes anything', async () => {
    write('1_things', 'CREATE TABLE things (id int)');
    await expect(migrate(database.appUrl, { folder })).rejects.toThrow(
      `The role "spooled_app" may not create tables in database "${database.name}": migrate as the owner of the database.`,
    );
  });

  it.each([
    ['localhost:5432', /^DATABASE_DIRECT_URL is not the URL of a PostgreSQL server: write postgres:/],
    [
      'postgres://a:hidden@127.0.0.1:1/b',
      /^PostgreSQL does not answer at 127\.0\.0\.1:1 \(connection refused\): start it/,
    ],
  ])('names the setting to correct when it cannot connect to %s', async (url, expected) => {
    await expect(migrate(url, { folder, urlName: 'DATABASE_DIRECT_URL' })).rejects.toThrow(expected);
  });

  it('refuses a server older than PostgreSQL 16 before it changes anything', async () => {
    // Reports an older version to statements that look up current_setting in the search path.
    await query(`CREATE FUNCTION public.current_setting(name text) RETURNS text LANGUAGE sql
      AS $$ SELECT CASE name WHEN 'server_version' THEN '15.13' ELSE '150013' END $$`);
    await query(`ALTER DATABASE ${database.name} SET search_path = public, pg_catalog`);
    write('1_things', 'CREATE TABLE things (id int)');
    await expect(run()).rejects.toThrow('PostgreSQL 16 or newer is required, and the server runs 15.13');
    expect(await query("SELECT to_regclass('_prisma_migrations') AS ledger")).toEqual([{ ledger: null }]);
  });

  it('SP-60 revokes temporary tables from the service roles, also in an existing database', async () => {
    for (let runs = 0; runs < 2; runs++) {
      await run();
      for (const url of [database.appUrl, database.systemUrl]) {
        await expect(query('CREATE TEMPORARY TABLE hidden (id int)', url)).rejects.toThrow('permission denied');
        expect(await query('SELECT 1 AS one', url)).toEqual([{ one: 1 }]);
      }
      await query(`GRANT TEMPORARY ON DATABASE ${database.name} TO PUBLIC, spooled_app`);
    }
  });

  it('SP-60 revokes large objects from the service roles, or says how a superuser does', async () => {
    const lines: string[] = [];
    const runAs = (url: string) => migrate(url, { folder, onStep: (line) => lines.push(line) });
    const advised = () => lines.filter((line) => line.includes('large objects'));
    await runAs(database.ownerUrl);
    expect(advised()).toEqual([expect.stringContaining('REVOKE EXECUTE ON FUNCTION')]);
    await query(/REVOKE .*(?= as a superuser)/.exec(advised()[0]!)![0], database.superuserUrl);
    await runAs(database.ownerUrl);
    expect(advised()).toHaveLength(1);

    await query('GRANT EXECUTE ON FUNCTION lo_create(oid) TO PUBLIC', database.superuserUrl);
    await runAs(database.superuserUrl);
    expect(advised()).toHaveLength(1);
    const creators = ['lo_create(0)', 'lo_creat(-1)', `lo_from_bytea(0, '')`, `lo_import('/etc/hostname')`];
    for (const url of [database.appUrl, database.systemUrl]) {
      for (const one of creators) await expect(query(`SELECT ${one}`, url)).rejects.toThrow('permission denied');
    }
  });

  it('SP-60 rejects a service role that may bypass row-level security', async () => {
    const client = new pg.Client({ connectionString: database.superuserUrl });
    await client.connect();
    try {
      // Roles are shared by the whole server, so the change is rolled back.
      await client.query('BEGIN; ALTER ROLE spooled_system BYPASSRLS');
      await expect(ensureRole(client, 'spooled_system')).rejects.toThrow('may bypass row-level security');
    } finally {
      await client.query('ROLLBACK');
      await client.end();
    }
  });

  function write(name: string, sql: string): void {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'migration.sql'), sql);
  }

  const run = () => migrate(database.ownerUrl, { folder });

  const unfinishedIndexes = async (): Promise<number> =>
    (await query('SELECT FROM pg_index WHERE NOT indisvalid')).length;

  /** The indexes of the partitions that are part of an index of the table. */
  async function indexesOf(name: string): Promise<string[]> {
    const rows = await query(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = '${name}'::regclass ORDER BY 1`,
    );
    return (rows as { name: string }[]).map((row) => row.name);
  }

  async function query(statement: string, url = database.ownerUrl): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  }
});
