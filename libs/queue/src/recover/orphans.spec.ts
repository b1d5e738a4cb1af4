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
    // Repeated while the connection takes longer to open than a statement may take.
    await eventually(() => db.inBatch((tx) => tx.query('SELECT')));
  });
  afterAll(async () => {
    await db?.close();
    await superuser?.end();
    await stores?.drop();
  });

  it('SP-51 takes as long as it needs: its cost grows with the parents of blocked jobs', async () => {
    await superuser.query(
      `INSERT INTO job_queue (job_id, organization_id, created_at, state, priority, max_retries, queue_name, dependencies_met)
       VALUES (uuidv7(), uuidv7(), now(), 'ready', 0, 3, 'emails', false)`,
    );
    await superuser.query(`CREATE OR REPLACE FUNCTION find_orphans_v1(ids uuid[], most integer)
      RETURNS TABLE (job_id uuid, organization_id uuid, parent uuid, outcome job_status) LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(${(queryTimeoutMs + 500) / 1_000}); END $$`);
    const maintenance = new Maintenance(db, { onEffects: () => undefined, onError: () => undefined });
    expect(await maintenance.resolveOrphanedDependents(10)).toBe(0);
  });
});
