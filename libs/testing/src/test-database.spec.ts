import pg from 'pg';
import { createTestDatabase, type TestDatabase } from './test-database.js';

describe('createTestDatabase', () => {
  let one: TestDatabase;
  let two: TestDatabase;

  beforeAll(async () => void ([one, two] = await Promise.all([createTestDatabase(), createTestDatabase()])));
  afterAll(() => Promise.all([one.drop(), two.drop()]));

  it('creates separate databases, each with all migrations applied', async () => {
    await ask(one.ownerUrl, 'CREATE TABLE only_here (id int)');
    expect(await ask(two.ownerUrl, "SELECT to_regclass('only_here') AS found")).toEqual([{ found: null }]);
    expect(await ask(two.ownerUrl, 'SELECT count(*)::int > 0 AS migrated FROM _prisma_migrations')).toEqual([
      { migrated: true },
    ]);
  });

  it('SP-60 gives the services roles that own nothing and cannot bypass row-level security', async () => {
    for (const url of [one.appUrl, one.systemUrl]) {
      const [role] = await ask(
        url,
        'SELECT rolsuper, rolbypassrls, rolcreaterole FROM pg_roles WHERE rolname = current_user',
      );
      expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcreaterole: false });
    }
  });
});

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
