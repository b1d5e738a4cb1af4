import type { Database } from '@spooled/data-access';
import { createTestDatabase, eventually, openConnections, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import { Maintenance } from './maintenance.js';

/** Statements of this database end half a second earlier, unless their transaction sets another limit. Opening a connection may take as long. */
const queryTimeoutMs = 2_500;

describe('the search for orphaned dependents', () => {
  let stores: TestDatabase;
  let db: Database;
  let superuser: pg.Client;

  beforeAll(async () => {
    stores = await createTestDatabase();
    superuser = new pg.Client({ connectionString: stores.superuserUrl });
    await superuser.connect();
    db = openConnections(stores, { queryTimeoutMs, maxConnections: 1 });
  });
  afterAll(async () => {
    await db?.close();
    await superuser?.end();
    await stores?.drop();
  });

  it('SP-51 takes as long as it needs: its cost grows with the parents of blocked jobs', async () => {
    await superuser.query('BEGIN; LOCK TABLE job_dependencies');
    const found = new Maintenance(db, {
      onEffects: () => undefined,
      onError: () => undefined,
    }).resolveOrphanedDependents(10);
    const isWaiting = async () => {
      // Within a transaction the view stays as it was first read.
      await superuser.query('SELECT pg_stat_clear_snapshot()');
      const { rowCount } = await superuser.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND clock_timestamp() - query_start > $1 * interval '1 millisecond'`,
        [queryTimeoutMs],
      );
      expect(rowCount).toBe(1);
    };
    await Promise.race([eventually(isWaiting), found]);
    await superuser.query('ROLLBACK');
    expect(await found).toBe(0);
  });
});
