import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { databaseSources } from '../migrate/sources.js';
import { migrate } from '../migrate/migrate.js';
import { openConnections, startPgBouncer, type TestPgBouncer, useDatabase, useForAll } from '@spooled/testing';

const database = useDatabase();
const pooler: TestPgBouncer = useForAll(
  () => startPgBouncer(database),
  (it) => it.stop(),
);

/** How a process that starts with these addresses ends its checks. */
async function start(appUrl: string, systemUrl: string): Promise<unknown> {
  const db = openConnections({ appUrl, systemUrl }, { maxConnections: 1 });
  try {
    return await db.verifyServer().then(
      () => 'starts',
      (error: { status?: number; message: string }) => [error.status, error.message],
    );
  } finally {
    await db.close();
  }
}

describe('SP-78 a process behind PgBouncer', () => {
  const { appUrl, systemUrl } = { appUrl: () => database.appUrl, systemUrl: () => database.systemUrl };

  it('starts with the passwords of both roles', async () => {
    expect(await start(pooler.through(appUrl()), pooler.through(systemUrl()))).toBe('starts');
  });

  it('does not wait for PostgreSQL if its login is refused, which PgBouncer reports as a connection error', async () => {
    const refused = pooler.through(appUrl(), 'wrong');
    expect(await start(refused, pooler.through(systemUrl()))).toEqual([
      undefined,
      expect.stringContaining('(SASL authentication failed): correct'),
    ]);
    const elsewhere = pooler.through(appUrl()).replace(/\/[^/]*$/, '/another');
    expect(await start(elsewhere, pooler.through(systemUrl()))).toEqual([
      undefined,
      expect.stringContaining('(no such database: another): correct'),
    ]);
  });

  it('does not wait as a role that would have to switch to another one', async () => {
    expect(await start(pooler.through(database.ownerUrl), pooler.through(systemUrl()))).toEqual([
      undefined,
      expect.stringContaining('(unsupported startup parameter: options): log in as the role itself'),
    ]);
  });

  it('does not wait if PostgreSQL refuses the login of PgBouncer', async () => {
    const outdated = await startPgBouncer(database, { SPOOLED_APP_PASSWORD: 'outdated' });
    const answer = await start(outdated.through(appUrl(), 'outdated'), outdated.through(systemUrl()));
    await outdated.stop();
    expect(answer).toEqual([
      undefined,
      expect.stringContaining('(password authentication failed for user "spooled_app"): correct'),
    ]);
  });
});

describe('SP-78 the settings of PgBouncer', () => {
  it('require TLS to PostgreSQL if POSTGRES_TLS does', async () => {
    const server = createServer();
    const asked = (async () => {
      const [socket] = (await once(server.listen(0, '127.0.0.1'), 'connection')) as [Socket];
      const [request] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return request.readInt32BE(4);
    })();
    await once(server, 'listening');
    const behind = new URL(database.appUrl);
    behind.port = String((server.address() as AddressInfo).port);
    const urls = { appUrl: behind.href, systemUrl: database.systemUrl };
    const encrypting = await startPgBouncer(urls, { POSTGRES_TLS: 'require' });
    const client = new pg.Client({ connectionString: encrypting.through(behind.href) });
    client.connect().catch(() => undefined);
    try {
      // The number of SSLRequest.
      expect(await asked).toBe(80_877_103);
    } finally {
      server.close();
      await encrypting.stop();
    }
  });
});

describe('SP-78 passwords change without interruption', () => {
  /** What the process does all the time, over one login, and as which role and with which limit its statements run. */
  const use = async (appUrl: string) => {
    const db = openConnections({ appUrl, systemUrl: database.systemUrl }, { maxConnections: 1 });
    try {
      await db.verifyServer();
      const sql = `SELECT session_user::text AS login, current_user::text AS role,
        (SELECT setting FROM pg_settings WHERE name = 'statement_timeout') AS timeout`;
      const [row] = await db.inBatch((tx) => tx.query(sql), { timeoutMs: 'none' });
      return row;
    } finally {
      await db.close();
    }
  };
  const loginAs = (login: string, password: string) => {
    const url = new URL(database.appUrl);
    url.username = login;
    url.password = password;
    return url.href;
  };

  it('because each role may have a second login, which acts as the role and has its limits', async () => {
    await migrate(database.superuserUrl, { ...databaseSources(process.cwd()), appNextPassword: 'second' });
    const both = await startPgBouncer(database, { SPOOLED_APP_NEXT_PASSWORD: 'second' });
    try {
      const first = await use(both.through(database.appUrl));
      const second = await use(both.through(loginAs('spooled_app_next', 'second')));
      expect([first, second]).toEqual([
        { login: 'spooled_app', role: 'spooled_app', timeout: '15000' },
        { login: 'spooled_app_next', role: 'spooled_app', timeout: '15000' },
      ]);
    } finally {
      await both.stop();
    }
  });
});

describe('SP-78 a PgBouncer that is replaced', () => {
  /** A connection, and when it ends. */
  const open = async (through: TestPgBouncer) => {
    const client = new pg.Client({ connectionString: through.through(database.appUrl) });
    client.on('error', () => undefined);
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    await client.connect();
    return { client, ended };
  };

  it('sends idle clients elsewhere, and those that would wait for the end of an open transaction', async () => {
    const replaced = await startPgBouncer(database);
    try {
      const [holder, idle] = [await open(replaced), await open(replaced)];
      await holder.client.query('BEGIN');
      await replaced.drain();
      await idle.ended;
      const late = await open(replaced);
      const finished = replaced.finish();
      // Such as work under a lock that the open transaction holds.
      await expect(late.client.query('BEGIN')).rejects.toThrow();
      expect((await holder.client.query('COMMIT')).command).toBe('COMMIT');
      expect(await finished).toBe(0);
    } finally {
      await replaced.stop();
    }
  });
});
