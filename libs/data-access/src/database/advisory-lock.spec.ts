import { createTestDatabase, openConnections, type TestDatabase } from '@spooled/testing';
import type { Database } from './database.js';
import { withAdvisoryLock } from './advisory-lock.js';

let database: TestDatabase;
const opened: Database[] = [];

/** A separate pool of connections, as in another process. */
function open(urls = database): Database {
  const db = openConnections(urls, { maxConnections: 1, queryTimeoutMs: 4_000 });
  opened.push(db);
  return db;
}

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await Promise.all(opened.map((db) => db.close()));
  await database?.drop();
});

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

  it('releases the lock when the work fails, and rethrows the error', async () => {
    const [one, other] = [open(), open()];
    await expect(withAdvisoryLock(one, 'fail', () => Promise.reject(new Error('work failed')))).rejects.toThrow(
      'work failed',
    );
    expect(await withAdvisoryLock(other, 'fail', async () => 'ran')).toBe('ran');
  });
});
