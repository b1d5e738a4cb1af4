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
    expect(await start(refused, pooler.through(systemUrl()))).toEqual([undefined, 'SASL authentication failed']);
    const elsewhere = pooler.through(appUrl()).replace(/\/[^/]*$/, '/another');
    expect(await start(elsewhere, pooler.through(systemUrl()))).toEqual([undefined, 'no such database: another']);
  });

  it('does not wait if PostgreSQL refuses the login of PgBouncer', async () => {
    const outdated = await startPgBouncer(database, { SPOOLED_APP_PASSWORD: 'outdated' });
    const answer = await start(outdated.through(appUrl(), 'outdated'), outdated.through(systemUrl()));
    await outdated.stop();
    expect(answer).toEqual([undefined, 'password authentication failed for user "spooled_app"']);
  });
});
