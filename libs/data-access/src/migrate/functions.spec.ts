import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, eventually, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import { migrate } from './migrate.js';

const ledger =
  'CREATE TABLE repeatable_migrations (name text PRIMARY KEY, checksum text, release text, installed_at timestamptz DEFAULT now())';

/** A function without parameters that returns an integer. */
const returning = (name: string, expression: string | number, language = 'sql') =>
  language === 'sql'
    ? `CREATE OR REPLACE FUNCTION ${name}() RETURNS integer LANGUAGE sql AS $$ SELECT ${expression} $$;`
    : `CREATE OR REPLACE FUNCTION ${name}() RETURNS integer LANGUAGE plpgsql AS $$ BEGIN RETURN ${expression}; END $$;`;

describe('database functions', () => {
  let database: TestDatabase;
  let root: string;
  let owner: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase({ empty: true });
    root = mkdtempSync(join(tmpdir(), 'spooled-functions-'));
    writeMigration('1_ledger', ledger);
    owner = await connect();
  });
  afterEach(async () => {
    await owner.end();
    await database.drop();
    rmSync(root, { recursive: true });
  });

  it('are installed from their files, and again when a file has changed', async () => {
    writeFunction('first_v1', returning('first_v1', 1));
    writeFunction('second_v1', returning('second_v1', 2));
    expect(await run()).toMatchObject({ applied: ['1_ledger'], installed: ['first_v1', 'second_v1'] });
    writeFunction('second_v1', returning('second_v1', 3));
    expect(await run()).toMatchObject({ applied: [], installed: ['second_v1'] });
    expect(await run()).toMatchObject({ applied: [], installed: [] });
    expect(await query('SELECT first_v1() AS first, second_v1() AS second')).toEqual([{ first: 1, second: 3 }]);
  });

  it('are installed again when they were dropped by hand', async () => {
    writeFunction('first_v1', returning('first_v1', 1));
    await run();
    await query('DROP FUNCTION first_v1');
    expect(await run()).toMatchObject({ installed: ['first_v1'] });
    expect(await query('SELECT first_v1() AS first')).toEqual([{ first: 1 }]);
  });

  it('are installed after those that they call, whatever their names', async () => {
    writeFunction('all_v1', returning('all_v1', 'half_v1() + rest_v1()'));
    writeFunction('half_v1', returning('half_v1', 'rest_v1() + 1'));
    writeFunction('rest_v1', returning('rest_v1', 20));
    expect((await run()).installed).toEqual(['rest_v1', 'half_v1', 'all_v1']);
    expect(await query('SELECT all_v1() AS sum')).toEqual([{ sum: 41 }]);
  });

  it('keep their execute privileges when they are reinstalled', async () => {
    const privileges = `REVOKE EXECUTE ON FUNCTION kept_v1 FROM PUBLIC; GRANT EXECUTE ON FUNCTION kept_v1 TO spooled_system;`;
    writeFunction('kept_v1', `${returning('kept_v1', 1)}\n${privileges}`);
    await run();
    writeFunction('kept_v1', returning('kept_v1', 2));
    await run();
    await expect(query('SELECT kept_v1()', database.appUrl)).rejects.toThrow('permission denied');
    expect(await query('SELECT kept_v1() AS kept', database.systemUrl)).toEqual([{ kept: 2 }]);
  });

  it('are installed in the transaction of the last migration: when a function fails, both are rolled back', async () => {
    writeMigration('2_first', 'CREATE TABLE first (id int)');
    writeMigration('3_last', 'CREATE TABLE last (id int)');
    writeFunction('good_v1', returning('good_v1', '(SELECT count(*)::int FROM last)'));
    writeFunction(
      'wrong_v1',
      'CREATE OR REPLACE FUNCTION wrong_v1() RETURNS integer LANGUAGE sql AS $$\nSELEKT 1\n$$;',
    );
    await expect(run()).rejects.toThrow(/^Function wrong_v1 \(.*wrong_v1\.sql\) failed: syntax error .*; line 2$/);
    expect(await tables()).toEqual(['_prisma_migrations', 'first', 'repeatable_migrations']);
    writeFunction('wrong_v1', returning('wrong_v1', 1));
    expect(await run()).toMatchObject({ applied: ['3_last'], installed: ['good_v1', 'wrong_v1'] });
    expect(await query('SELECT good_v1() AS rows')).toEqual([{ rows: 0 }]);
  });

  it.each([
    ['another function', returning('other_v1', 1), 'must begin with CREATE OR REPLACE FUNCTION named_v1('],
    ['two functions', returning('named_v1', 1) + returning('more_v1', 1), 'may contain only its function'],
    ['another statement', `${returning('named_v1', 1)} DROP TABLE things;`, 'may contain only its function'],
    [
      'privileges on another function',
      `${returning('named_v1', 1)} GRANT EXECUTE ON FUNCTION x TO y;`,
      'may contain only',
    ],
  ])('are rejected before anything is applied when a file contains %s', async (_, sql, message) => {
    writeFunction('named_v1', sql);
    await expect(run()).rejects.toThrow(message);
    expect(await tables()).toEqual([]);
  });

  it('are rejected when two files define the same function, or two functions call each other', async () => {
    writeFunction('named_v1', returning('named_v1', 1));
    writeFunction('named_v1', returning('named_v1', 2), 'other');
    await expect(run()).rejects.toThrow(/^Function named_v1 .* is also defined in /);
    rmSync(join(root, 'other'), { recursive: true });
    writeFunction('named_v1', returning('named_v1', 'other_v1()'));
    writeFunction('other_v1', returning('other_v1', 'named_v1()'));
    await expect(run()).rejects.toThrow('Function named_v1');
  });

  it.each([
    [
      'the parameters',
      'fixed_v1(more integer) RETURNS integer',
      'has different parameters from the installed function',
    ],
    ['the name of a parameter', 'fixed_v1(renamed text) RETURNS integer', 'cannot change name of input parameter'],
    ['the result', 'fixed_v1(given text) RETURNS bigint', 'cannot change return type'],
  ])(
    'need a new version when %s changes: services of the last release still call the old one',
    async (_, signature, reason) => {
      const body = 'LANGUAGE sql AS $$ SELECT 2 $$;';
      writeFunction(
        'fixed_v1',
        'CREATE OR REPLACE FUNCTION fixed_v1(given text) RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$;',
      );
      await run();
      writeFunction('fixed_v1', `CREATE OR REPLACE FUNCTION ${signature} ${body}`);
      const error: unknown = await run().catch((rejection: Error) => rejection.message);
      expect(error).toContain(reason);
      expect(error).toContain('a changed signature needs a name with a new version');
      expect(await query(`SELECT fixed_v1('x') AS result`)).toEqual([{ result: 1 }]);
    },
  );

  it('are installed once when several runs start at the same time', async () => {
    writeFunction('once_v1', returning('once_v1', 1));
    const reports = await Promise.all(Array.from({ length: 5 }, () => run()));
    expect(reports.flatMap(({ installed }) => installed)).toEqual(['once_v1']);
  });

  it('are unchanged when a run is terminated midway, and installed by the next run', async () => {
    writeFunction('first_v1', returning('first_v1', 1));
    writeFunction('second_v1', returning('second_v1', 1));
    await run();
    writeFunction('first_v1', returning('first_v1', 2));
    writeFunction('second_v1', returning('second_v1', 2));
    await owner.query('BEGIN; ALTER FUNCTION second_v1() COST 7');
    const terminated = run().catch((error: Error) => error);
    await eventually(async () => expect(await waitingRuns()).toHaveLength(1));
    await query(`SELECT pg_terminate_backend(${(await waitingRuns())[0]})`, database.superuserUrl);
    expect(await terminated).toBeInstanceOf(Error);
    await owner.query('ROLLBACK');
    expect(await query('SELECT first_v1() AS first, second_v1() AS second')).toEqual([{ first: 1, second: 1 }]);
    expect((await run()).installed).toEqual(['first_v1', 'second_v1']);
  });

  it('serve every call during installation, with the previous or the new definition', async () => {
    writeFunction('served_v1', returning('served_v1', 0, 'plpgsql'));
    await run();
    const clients = await Promise.all(Array.from({ length: 4 }, () => connect(database.appUrl)));
    let done = false;
    const serve = async (client: pg.Client) => {
      const results = new Set<number>();
      while (!done) results.add((await client.query<{ n: number }>('SELECT served_v1() AS n')).rows[0]!.n);
      return results;
    };
    const serving = Promise.all(clients.map(serve));
    for (let text = 1; text <= 10; text++) {
      writeFunction('served_v1', returning('served_v1', text, 'plpgsql'));
      await run();
    }
    done = true;
    for (const results of await serving) expect([...results]).toEqual([...results].sort((a, b) => a - b));
    await Promise.all(clients.map((client) => client.end()));
  });

  it('are left unchanged when a newer release has migrated the database', async () => {
    writeFunction('kept_v1', returning('kept_v1', 2));
    writeMigration('2_newer', 'CREATE TABLE newer (id int)');
    await run();
    rmSync(join(root, 'migrations/2_newer'), { recursive: true });
    writeFunction('kept_v1', returning('kept_v1', 1));
    expect(await run()).toEqual({ applied: [], unknown: ['2_newer'], installed: [] });
    expect(await query('SELECT kept_v1() AS kept')).toEqual([{ kept: 2 }]);
  });

  const run = () =>
    migrate(database.ownerUrl, {
      folder: join(root, 'migrations'),
      functions: [join(root, 'functions'), join(root, 'other')],
    });

  function writeMigration(name: string, sql: string): void {
    mkdirSync(join(root, 'migrations', name), { recursive: true });
    writeFileSync(join(root, 'migrations', name, 'migration.sql'), sql);
  }

  function writeFunction(name: string, sql: string, folder = 'functions'): void {
    for (const each of ['functions', 'other']) mkdirSync(join(root, each, 'verb'), { recursive: true });
    writeFileSync(join(root, folder, 'verb', `${name}.sql`), sql);
  }

  async function connect(connectionString = database.ownerUrl): Promise<pg.Client> {
    const client = new pg.Client({ connectionString });
    await client.connect();
    return client;
  }

  async function query(statement: string, url = database.ownerUrl): Promise<Record<string, unknown>[]> {
    const client = await connect(url);
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  const tables = async () =>
    (
      await query(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
      )
    ).map(({ name }) => name);

  /** Process ids of migration runs that are waiting for a lock. */
  const waitingRuns = async () =>
    (
      await query(
        `SELECT pid FROM pg_stat_activity WHERE application_name = 'spooled-migrate' AND wait_event_type = 'Lock' AND datname = current_database()`,
        database.superuserUrl,
      )
    ).map(({ pid }) => pid);
});
