import { createTestDatabase, type TestDatabase } from '@spooled/testing';
import { Database } from './database.js';
import { runAlone } from './run-alone.js';

let database: TestDatabase;
const opened: Database[] = [];

/** As another process would: with connections of its own. */
function open(): Database {
  const db = new Database({
    ...database,
    applicationName: 'spec',
    maxConnections: 1,
    minConnections: 0,
    acquireTimeoutMs: 5_000,
    onError: () => undefined,
  });
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

describe('runAlone', () => {
  it('lets one process work at a time, under each name, and leaves no lock behind', async () => {
    const [one, other] = [open(), open()];
    const meanwhile = await runAlone(one, 'sweep', async () => ({
      same: await runAlone(other, 'sweep', async () => 'ran'),
      different: await runAlone(other, 'count', async () => 'ran'),
    }));
    expect(meanwhile).toEqual({ same: null, different: 'ran' });
    expect(await runAlone(other, 'sweep', async () => 'ran')).toBe('ran');
  });

  it('gives the lock back when the work fails, and passes the failure on', async () => {
    const [one, other] = [open(), open()];
    await expect(runAlone(one, 'fail', () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
    expect(await runAlone(other, 'fail', async () => 'ran')).toBe('ran');
  });
});
