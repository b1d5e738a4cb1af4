import { createTenant, createTestDatabase, type TestDatabase, useDatabase } from '@spooled/testing';
import pg from 'pg';
import { inBorrowedTransaction, sendAsTexts, sendDirectly } from './borrowed-transaction.js';
import { installationIn } from './installation.js';
import type { SendStatement } from './transactions.js';

const migrated = useDatabase();
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => void (database = await createTestDatabase({ empty: true })));
beforeEach(async () => {
  client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  await client.query('BEGIN');
});
afterEach(() => client.end());
afterAll(() => database?.drop());

const texts = sendAsTexts(async (text, values) => (await client.query<object>(text, values)).rows);

it('BX-18 is refused on a server without the role of the installation, and remains usable', async () => {
  const organizationId = '01a21b3f-35dc-74a3-8eae-f2748f117d93';
  const borrower = { organizationId, installation: installationIn('never_migrated') };
  for (const send of [sendDirectly(client), texts]) {
    await expect(inBorrowedTransaction(client, send, borrower, () => Promise.resolve())).rejects.toThrow(
      'tx: its database has no installation of Spooled in the schema never_migrated',
    );
  }
  const { rows } = await client.query(
    `SELECT current_user = session_user AS same, current_setting('search_path') AS path`,
  );
  expect(rows).toEqual([{ same: true, path: '"$user", public' }]);
});

it('BX-18 reads and writes the same values as texts and with node-postgres', async () => {
  const statement = `SELECT $1::json ->> 'a' AS a, $2::text[] AS b, $3::int[] AS c, $4::boolean[] AS d, $5::text AS e, $6::boolean AS f,
    $7::jsonb AS g, 2::bigint AS h FROM generate_series(1, 2)`;
  const values = [
    '{"a": "it\'s \\"ü\\" \\\\"}',
    ['a', null, '', 'NULL', 'a,b', '{"\\\\"}', '🎉'],
    [1, -2],
    [true, false, null],
    null,
    false,
    '{"n": [1.5]}',
  ];
  const read = (send: SendStatement) => send(statement, values);
  expect(await read(texts)).toEqual(await read(sendDirectly(client)));
  expect(await texts('SELECT 1 AS one WHERE false')).toEqual([]);
  await expect(texts('SELECT $1', [new Date(0)])).rejects.toThrow('a value of the type object');
});

it('fails with what aborted the transaction, whichever statement is awaited first', async () => {
  const borrower = await createTenant(migrated.superuserUrl);
  const own = new pg.Client({ connectionString: migrated.superuserUrl });
  await own.connect();
  await own.query('BEGIN');
  const failed = inBorrowedTransaction(own, sendDirectly(own), borrower, async (tx) => {
    tx.query('SELECT 1 / 0').catch(() => undefined);
    return tx.query('SELECT 1');
  });
  await expect(failed).rejects.toMatchObject({ code: '22012' });
  await own.end();
});
