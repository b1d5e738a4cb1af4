import type { Database } from '@spooled/data-access';
import {
  command,
  createTestDatabase,
  enqueue,
  eventually,
  newJob,
  openConnections,
  type TestDatabase,
} from '@spooled/testing';
import pg from 'pg';
import { EngineFixture } from '../testing/job-lifecycle.fixture.js';
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
    const found = new Maintenance(db, { onEffects: () => undefined }).resolveOrphanedDependents(10);
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

describe('orphaned dependents', () => {
  let fixture: EngineFixture;
  let org: string;

  beforeAll(async () => {
    fixture = await EngineFixture.open();
  });
  beforeEach(async () => {
    org = await fixture.organization();
  });
  // What one test leaves blocked would be found in the next.
  afterEach(() => fixture.sql('DELETE FROM job_queue'));
  afterAll(() => fixture?.close());

  type Parent = 'completed' | 'deadletter' | 'cancelled' | 'live' | 'deleted';

  /** A job that waits for these parents, which ended without anybody telling it. */
  async function orphan(mode: 'all' | 'any', parents: Parent[]): Promise<string> {
    const child = newJob();
    const created = parents.map(() => newJob());
    await fixture.run(enqueue(org, [child, ...created]));
    const dependsOn = created.map(({ id }) => id);
    await fixture.run(command('job.addDependencies', org, { jobId: child.id, dependsOn, mode, queues: null }));
    for (const [i, parent] of parents.entries()) {
      if (parent === 'live') continue;
      await fixture.sql('DELETE FROM job_queue WHERE job_id = $1', [dependsOn[i]]);
      if (parent === 'deleted') await fixture.sql('DELETE FROM jobs WHERE id = $1', [dependsOn[i]]);
      else await fixture.sql('UPDATE jobs SET outcome = $2 WHERE id = $1', [dependsOn[i], parent]);
    }
    return child.id;
  }

  const age = (id: string, time: string) =>
    fixture.sql(`UPDATE job_queue SET created_at = now() - $2::interval WHERE job_id = $1`, [id, time]);
  const resolve = () => fixture.maintenance.resolveOrphanedDependents(10);
  const isMet = async (id: string) => {
    const [row] = await fixture.sql<{ met: boolean }>(
      'SELECT dependencies_met AS met FROM job_queue WHERE job_id = $1',
      [id],
    );
    return row ? row.met : (await fixture.job(id)).status;
  };

  it.each<['all' | 'any', Parent[], unknown]>([
    ['all', ['completed', 'completed'], true],
    ['all', ['completed', 'live'], false],
    ['all', ['live', 'live'], false],
    ['all', ['deadletter', 'live'], 'cancelled'],
    ['all', ['completed', 'cancelled'], 'cancelled'],
    ['any', ['completed', 'live'], true],
    ['any', ['deadletter', 'completed'], true],
    ['any', ['deadletter', 'live'], false],
    ['any', ['deadletter', 'cancelled'], 'cancelled'],
  ])('SP-51 that need %s of parents %j become %j', async (mode, parents, expected) => {
    const id = await orphan(mode, parents);
    expect(await resolve()).toBe(expected === false ? 0 : 1);
    expect(await isMet(id)).toBe(expected);
    expect(await resolve()).toBe(0);
  });

  it('SP-51 whose parents were deleted are released after an hour', async () => {
    const id = await orphan('all', ['deleted', 'deleted']);
    await age(id, '59 min');
    expect([await resolve(), await isMet(id)]).toEqual([0, false]);
    await age(id, '61 min');
    expect([await resolve(), await isMet(id)]).toEqual([1, true]);
  });

  it('SP-51 are found beside jobs of others that wait rightly, some at a time', async () => {
    const waiting = await orphan('all', ['live']);
    const found = [];
    for (let n = 0; n < 3; n++) found.push(await orphan('all', ['completed']));
    org = await fixture.organization();
    const ofOther = await orphan('all', ['deadletter']);
    const resolved: number[] = [];
    for (let n = 0; n < 4; n++) resolved.push(await fixture.maintenance.resolveOrphanedDependents(1));
    expect(resolved).toEqual([1, 1, 1, 1]);
    for (const id of found) expect(await isMet(id)).toBe(true);
    expect([await isMet(waiting), await isMet(ofOther)]).toEqual([false, 'cancelled']);
  });
});
