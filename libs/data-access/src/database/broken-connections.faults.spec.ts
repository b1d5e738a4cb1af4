import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createTestDatabase, openConnections, startTcpProxy, type TcpProxy, type TestDatabase } from '@spooled/testing';
import type { Database } from './database.js';
import { readRequests } from './read-requests.js';
import type { TenantTransaction } from './transactions.js';

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const loginResponse = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const termination = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);

/** Accepts a login and terminates the session in the same packet. */
async function terminatingServer(): Promise<Server> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([loginResponse, termination])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('a connection that is terminated while it is being opened', () => {
  let server: Server;
  let database: Database;
  beforeAll(async () => {
    server = await terminatingServer();
    database = openConnections(
      { appUrl: `postgres://spooled_app@127.0.0.1:${(server.address() as AddressInfo).port}/any` },
      { maxConnections: 2 },
    );
  });
  afterAll(async () => {
    await database.close();
    server.close();
  });

  it.each([
    ['withTenant', () => database.withTenant('org', (tx) => tx.query('SELECT 1'))],
    ['asSystem', () => database.asSystem('spec', (tx) => tx.query('SELECT 1'))],
    ['inBatch', () => database.inBatch((tx) => tx.query('SELECT 1'))],
    ['ping', () => database.ping()],
  ])('%s: the caller gets 503 and the process keeps running', async (_, ask) => {
    await expect(ask()).rejects.toMatchObject({ status: 503 });
  });
});

describe('connections that a pooler closes while it shuts down', () => {
  let server: TestDatabase;
  let proxy: TcpProxy;
  let database: Database;
  beforeAll(async () => {
    server = await createTestDatabase();
    proxy = await startTcpProxy(server.appUrl);
    database = openConnections(
      { appUrl: proxy.through(server.appUrl), systemUrl: proxy.through(server.systemUrl) },
      { maxConnections: 3 },
    );
  });
  afterAll(async () => {
    await database.close();
    proxy.close();
    await server.drop();
  });

  it('SP-78 transactions that had not begun run on new connections', async () => {
    const transactions = () =>
      Promise.all(
        [0, 1, 2].map(async (n) => {
          const rows = await database.inBatch((tx) => tx.query('SELECT $1::int AS n', [n]));
          return (rows[0] as { n: number }).n;
        }),
      );
    expect(await transactions()).toEqual([0, 1, 2]);
    proxy.closeAtNextUse();
    expect(await transactions()).toEqual([0, 1, 2]);
  });

  it('SP-78 a transaction that had begun is not repeated', async () => {
    let runs = 0;
    const interrupted = database.inBatch(async (tx) => {
      runs++;
      await tx.query('SELECT 1');
      proxy.closeAtNextUse();
      await tx.query('SELECT 2');
    });
    await expect(interrupted).rejects.toMatchObject({ status: 503 });
    expect(runs).toBe(1);
  });

  it('SP-78 a transaction of a request that only reads runs again, also when it had begun', async () => {
    let runs = 0;
    const single = openConnections({ appUrl: proxy.through(server.appUrl) }, { maxConnections: 1, minConnections: 0 });
    const read = (tx: TenantTransaction) => {
      runs++;
      return tx.query('SELECT 1').then(() => {
        if (runs === 1) proxy.closeAtNextUse();
        return tx.query('SELECT $1::int AS run', [runs]);
      });
    };
    const rows = await readRequests.run(true, () => single.withTenant(randomUUID(), read));
    expect([rows, runs]).toEqual([[{ run: 2 }], 2]);
    await single.close();
  });
});
