import { stopDatabaseClock } from '@spooled/data-access';
import pg from 'pg';
import { moveClock } from './move-clock.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

describe('the time of a database', () => {
  let database: TestDatabase;
  let app: pg.Client;
  beforeEach(async () => {
    database = await createTestDatabase();
    app = await connect(database.appUrl);
  });
  afterEach(async () => {
    await app.end();
    await database.drop();
  });

  const ahead = {
    name: 'ahead',
    text: `SELECT extract(epoch FROM current_ts() - now())::int AS tx,
      extract(epoch FROM current_ts(statement_timestamp()) - statement_timestamp())::int AS statement`,
  };

  it('is that of PostgreSQL', async () => {
    expect((await app.query(ahead)).rows).toEqual([{ tx: 0, statement: 0 }]);
  });

  it('can be moved, also for prepared statements and defaults of open sessions', async () => {
    const fence = `INSERT INTO command_fences (command_id, owner_id, delivery) VALUES (uuidv7(), current_organization(), 2)
      RETURNING extract(epoch FROM created_at - now())::int AS created`;
    await app.query(`SELECT set_config('app.current_org_id', uuidv7()::text, false)`);
    await app.query(ahead);
    await app.query(fence);
    await moveClock(database, '90 s');
    expect((await app.query(ahead)).rows).toEqual([{ tx: 90, statement: 90 }]);
    expect((await app.query(fence)).rows).toEqual([{ created: 90 }]);
    await moveClock(database, '-1 minute');
    expect((await app.query(ahead)).rows).toEqual([{ tx: 30, statement: 30 }]);
  });

  it('can be stopped, and is then only moved', async () => {
    const time = `SELECT current_ts() AS tx, current_ts(clock_timestamp()) AS clock`;
    await moveClock(database, '90 s');
    const stopped = await stopDatabaseClock(database.ownerUrl);
    const at = (ms: number) => ({ tx: new Date(ms), clock: new Date(ms) });
    expect((await app.query(time)).rows).toEqual([at(stopped)]);
    await moveClock(database, '1 minute');
    expect((await app.query(time)).rows).toEqual([at(stopped + 60_000)]);
  });

  it.each(['as it was created', 'whose time a test has moved'])(
    'can be moved by none of the roles of services, in a database %s',
    async (kind) => {
      const moved = kind !== 'as it was created';
      if (moved) await moveClock(database, '1 s');
      const system = await connect(database.systemUrl);
      const attempts = [
        `CREATE OR REPLACE FUNCTION current_ts(at timestamptz DEFAULT now()) RETURNS timestamptz LANGUAGE sql RETURN 'epoch'`,
        `CREATE FUNCTION pg_temp.current_ts() RETURNS timestamptz LANGUAGE sql RETURN 'epoch'`,
        'CREATE SCHEMA earlier',
        'ALTER FUNCTION current_ts OWNER TO CURRENT_USER',
        'SET ROLE spooled_owner',
        ...(moved ? [`UPDATE moved_clock SET moved_by = '1 day'`, 'DROP TABLE moved_clock'] : []),
      ];
      for (const client of [app, system]) {
        for (const attempt of attempts) {
          await expect(client.query(attempt)).rejects.toThrow(/^permission denied|^must be owner/);
        }
      }
      expect((await system.query(ahead)).rows).toEqual([{ tx: Number(moved), statement: Number(moved) }]);
      await system.end();
    },
  );
});

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}
