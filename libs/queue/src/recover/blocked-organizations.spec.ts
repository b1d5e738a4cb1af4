import { enqueue, ManualClock, newJob } from '@spooled/testing';
import pg from 'pg';
import { useEngine } from '../testing/job-lifecycle.fixture.js';
import { Maintenance } from './maintenance.js';

/** A job, and a child that waits for it. */
interface Family {
  organizationId: string;
  parent: string;
  child: string;
}
type How = 'claimed' | 'expiring' | 'ended';

const fixture = useEngine();
let holder: pg.Client;
let maintenance: Maintenance;
let blocked: string[];
let clock: ManualClock;

const newMaintenance = (onEffects: () => void = () => undefined) =>
  new Maintenance(fixture.db, { onEffects, onBlocked: (id) => blocked.push(id), lockMs: 100, clock });

beforeEach(async () => {
  await fixture.sql('DELETE FROM job_queue');
  blocked = [];
  clock = new ManualClock();
  maintenance = newMaintenance();
  holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
  await holder.connect();
});
afterEach(() => holder.end());

async function family(how: How): Promise<Family> {
  const organizationId = await fixture.organization();
  const [soon] = await fixture.sql<{ at: Date }>(`SELECT current_ts() + interval '30 s' AS at`);
  const parent = newJob({ maxRetries: 0, ...(how === 'expiring' && { expiresAt: soon!.at.toISOString() }) });
  const child = newJob({ parentJobId: parent.id });
  await fixture.run(enqueue(organizationId, [parent]));
  await fixture.run(enqueue(organizationId, [child]));
  if (how === 'claimed') await fixture.claimOne(organizationId);
  if (how === 'ended') {
    await fixture.sql('DELETE FROM job_queue WHERE job_id = $1', [parent.id]);
    await fixture.sql(`UPDATE jobs SET outcome = 'completed' WHERE id = $1`, [parent.id]);
  }
  return { organizationId, parent: parent.id, child: child.id };
}

/** As an application does that adds a job below the child in its transaction. */
async function hold({ child }: Family): Promise<void> {
  await holder.query('BEGIN');
  await holder.query('SELECT FROM job_queue WHERE job_id = $1 FOR UPDATE', [child]);
}

const isDone = async ({ child }: Family): Promise<boolean> =>
  (await fixture.sql('SELECT FROM job_queue WHERE job_id = $1 AND NOT dependencies_met', [child])).length === 0;

const tasks: [what: string, how: How, run: (families: Family[], limit?: number) => Promise<number>, found: number][] = [
  ['leases that have expired', 'claimed', (_, limit = 9) => maintenance.recoverExpiredLeases(limit), 2],
  [
    'leases of workers that are offline',
    'claimed',
    (families) =>
      maintenance.recoverJobsOfWorkers(families.map(({ organizationId }) => ({ organizationId, id: 'w1' }))),
    2,
  ],
  ['jobs that have expired', 'expiring', (_, limit = 9) => maintenance.expireJobs(limit), 2],
  ['dependents of jobs that have ended', 'ended', (_, limit = 9) => maintenance.resolveOrphanedDependents(limit), 1],
];

describe('an organization whose rows a transaction of an application holds', () => {
  it.each(tasks)('BX-03 does not hold up those of others: %s', async (_, how, run, found) => {
    const families = [await family(how), await family(how)];
    const [held, free] = families as [Family, Family];
    await hold(held);
    await fixture.pass('31 s');
    expect(await run(families)).toBe(found);
    expect([await isDone(held), await isDone(free)]).toEqual([false, true]);
    expect(blocked).toEqual([held.organizationId]);
    await holder.query('ROLLBACK');
    // It is not tried again at once.
    expect([await run(families), await isDone(held)]).toEqual([0, false]);
    await clock.advance(5_000);
    await run(families);
    expect(await isDone(held)).toBe(true);
  });

  it.each([tasks[0]!, tasks[2]!])('BX-03 takes no place of the next round: %s', async (_, how, run) => {
    const held = await family(how);
    await fixture.pass('1 s');
    const free = await family(how);
    await hold(held);
    await fixture.pass('31 s');
    expect([await run([], 1), await isDone(free)]).toEqual([1, false]);
    expect([await run([], 1), await isDone(free)]).toEqual([1, true]);
    expect([await isDone(held), blocked]).toEqual([false, [held.organizationId]]);
  });

  it.each([tasks[0]!, tasks[2]!])('is not blocked by an error that is not about a lock: %s', async (_, how, run) => {
    await family(how);
    await fixture.pass('31 s');
    maintenance = newMaintenance(() => {
      throw new Error('about effects');
    });
    await expect(run([])).rejects.toThrow('about effects');
    expect(blocked).toEqual([]);
  });

  it('is not known while the table itself is locked, which is an error', async () => {
    await holder.query('BEGIN; LOCK TABLE job_queue IN EXCLUSIVE MODE');
    await expect(maintenance.recoverExpiredLeases(9)).rejects.toMatchObject({ status: 503 });
  });
});
