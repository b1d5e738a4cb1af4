import { GroupCommit } from '@spooled/queue';
import { warmUpEngine } from '@spooled/service';
import { eventually, useDatabase } from '@spooled/testing';
import pg from 'pg';
import { startGateway, type TestGateway } from './gateway.fixture.js';
import { warmUpGateway } from './warm-up.js';

const database = useDatabase();

const minConnections = 3;

async function withGateway(urls: Parameters<typeof startGateway>[0], test: (gateway: TestGateway) => Promise<void>) {
  const gateway = await startGateway(urls, { env: { DATABASE_MIN_CONNECTIONS: String(minConnections) } });
  try {
    await test(gateway);
  } finally {
    await gateway.stop();
  }
}

/** Rows of each table of the database, as a superuser sees them. Each process reports a second after its start that it runs, in a row. */
async function countRows(): Promise<Record<string, number>> {
  const client = new pg.Client(database.superuserUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; rows: number }>(`
      SELECT relname AS name,
        (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I', relname), false, true, '')))[1]::text::int AS rows
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'service_processes'`);
    return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]));
  } finally {
    await client.end();
  }
}

const isUnfinished = ({ logs }: TestGateway): boolean =>
  logs.some((line) => line.includes('warm-up was not completed'));

describe('the warm-up before a service is ready', () => {
  it('runs the paths of the first requests without writing a row, on the minimum of connections', async () => {
    await withGateway(database, async (gateway) => {
      const before = await countRows();
      // Its time is limited, and a step may need longer on a busy machine.
      await eventually(async () => {
        gateway.logs.length = 0;
        await warmUpGateway(gateway.app, gateway.service);
        expect(isUnfinished(gateway)).toBe(false);
      });
      await warmUpEngine(gateway.app.get(GroupCommit));
      expect(await countRows()).toEqual(before);
      const client = new pg.Client(database.superuserUrl);
      await client.connect();
      const { rows } = await client.query(
        `SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = 'spooled gateway' AND datname = current_database()`,
      );
      await client.end();
      expect(rows[0].open).toBeGreaterThanOrEqual(minConnections);
      expect(gateway.logs.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([]);
    });
  });

  it('ends when PostgreSQL is away, and says so', async () => {
    const nowhere = 'postgresql://spooled_app@127.0.0.1:1/none';
    await withGateway({ appUrl: nowhere, systemUrl: nowhere }, async (gateway) => {
      await warmUpGateway(gateway.app, gateway.service);
      expect(isUnfinished(gateway)).toBe(true);
    });
  });
});
