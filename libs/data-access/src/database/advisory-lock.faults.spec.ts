import { eventually, openConnections, startTcpProxy, useDatabase } from '@spooled/testing';
import type { Database } from './database.js';
import { withAdvisoryLock } from './advisory-lock.js';

const opened: Database[] = [];
afterAll(() => Promise.all(opened.map((db) => db.close())));
const database = useDatabase();

/** A separate pool of connections, as in another process. */
function open(urls = database): Database {
  const db = openConnections(urls, { maxConnections: 1, queryTimeoutMs: 4_000 });
  opened.push(db);
  return db;
}

function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

describe('withAdvisoryLock', () => {
  it('holds the lock for as long as the work takes, and loses it when its connection stops responding', async () => {
    const proxy = await startTcpProxy(database.superuserUrl);
    const one = open({ ...database, systemUrl: proxy.through(database.systemUrl) });
    const other = open();
    const started = signal();
    const finished = signal();
    // The connection shows three times in this time that it works: two thirds of it are left for a process that gets no processor time.
    const idleMs = 3_000;
    const work = () => {
      started.resolve();
      return finished.promise;
    };
    const lost = withAdvisoryLock(one, 'long', work, idleMs);
    lost.catch(() => undefined);
    const attempt = () => withAdvisoryLock(other, 'long', async () => 'ran');
    await started.promise;
    // Longer than PostgreSQL keeps the lock of a connection that sends nothing.
    await new Promise((resolve) => setTimeout(resolve, 1.5 * idleMs));
    expect(await attempt()).toBeNull();
    proxy.stall();
    await eventually(async () => expect(await attempt()).toBe('ran'), { timeoutMs: 20_000 });
    finished.resolve();
    await expect(lost).rejects.toMatchObject({ status: 503 });
    proxy.close();
  }, 60_000);
});
