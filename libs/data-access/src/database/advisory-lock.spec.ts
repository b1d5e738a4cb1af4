import { openConnections, useDatabase } from '@spooled/testing';
import pg from 'pg';
import type { Database } from './database.js';
import { withAdvisoryLock } from './advisory-lock.js';

const opened: Database[] = [];
afterAll(() => Promise.all(opened.map((db) => db.close())));
const database = useDatabase();

/** A separate pool of connections, as in another process. */
function open(urls = database): Database {
  const db = openConnections(urls, { maxConnections: 1 });
  opened.push(db);
  return db;
}

describe('withAdvisoryLock', () => {
  it('runs one process at a time per lock name, and releases the lock afterwards', async () => {
    const [one, other] = [open(), open()];
    const meanwhile = await withAdvisoryLock(one, 'sweep', async () => ({
      same: await withAdvisoryLock(other, 'sweep', async () => 'ran'),
      different: await withAdvisoryLock(other, 'count', async () => 'ran'),
    }));
    expect(meanwhile).toEqual({ same: null, different: 'ran' });
    expect(await withAdvisoryLock(other, 'sweep', async () => 'ran')).toBe('ran');
  });

  it('keeps no snapshot, which concurrent builds of indexes would wait for', async () => {
    const watcher = new pg.Client({ connectionString: database.superuserUrl });
    await watcher.connect();
    const held = await withAdvisoryLock(open(), 'index', async () => {
      const { rows } = await watcher.query(
        `SELECT state, backend_xmin AS snapshot FROM pg_stat_activity WHERE application_name = 'spooled lock index'`,
      );
      return rows;
    });
    await watcher.end();
    expect(held).toEqual([{ state: 'idle in transaction', snapshot: null }]);
  });

  it('releases the lock when the work fails, and rethrows the error', async () => {
    const [one, other] = [open(), open()];
    await expect(withAdvisoryLock(one, 'fail', () => Promise.reject(new Error('work failed')))).rejects.toThrow(
      'work failed',
    );
    expect(await withAdvisoryLock(other, 'fail', async () => 'ran')).toBe('ran');
  });
});
