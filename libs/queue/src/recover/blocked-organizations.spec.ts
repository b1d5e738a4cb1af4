import type { Database } from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
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
let failed: string[];
let clock: ManualClock;

/** How each transaction has ended, in their order. */
let ended: ('committed' | 'failed')[];

const noted =
  <Args extends unknown[]>(transaction: (...args: Args) => Promise<unknown>) =>
  async (...args: Args): Promise<unknown> => {
    try {
      const value = await transaction.apply(fixture.db, args);
      ended.push('committed');
      return value;
    } catch (error) {
      ended.push('failed');
      throw error;
    }
  };

/** The database of the spec, which notes how each transaction ends. */
const observed = (): Database =>
  Object.assign(Object.create(fixture.db) as object, {
    asSystem: noted(fixture.db.asSystem),
    withTenant: noted(fixture.db.withTenant),
  }) as unknown as Database;

beforeEach(async () => {
  await fixture.sql('DELETE FROM job_queue');
  [blocked, failed, ended] = [[], [], []];
  clock = new ManualClock();
  maintenance = new Maintenance(observed(), {
    onEffects: () => undefined,
    onBlocked: (id) => blocked.push(id),
    onError: (_, what) => failed.push(what),
    lockMs: 100,
    clock,
  });
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

type Run = (families: Family[], limit?: number) => Promise<number>;
/** `name`: of the task in reports; `together`: organizations share a transaction until it fails. */
const tasks: [what: string, how: How, run: Run, found: number, name: string, together: boolean][] = [
  [
    'leases that have expired',
    'claimed',
    (_, limit = 9) => maintenance.recoverExpiredLeases(limit),
    2,
    'lease-recovery',
    true,
  ],
  [
    'leases of workers that are offline',
    'claimed',
    (families) =>
      maintenance.recoverJobsOfWorkers(families.map(({ organizationId }) => ({ organizationId, id: 'w1' }))),
    2,
    'stale-workers',
    true,
  ],
  ['jobs that have expired', 'expiring', (_, limit = 9) => maintenance.expireJobs(limit), 2, 'job-expiry', false],
  [
    'dependents of jobs that have ended',
    'ended',
    (_, limit = 9) => maintenance.resolveOrphanedDependents(limit),
    1,
    'dependencies',
    false,
  ],
];

describe('an organization whose rows a transaction of an application holds', () => {
  it.each(tasks)('BX-03 does not hold up those of others: %s', async (_, how, run, found) => {
    const families = [await family(how), await family(how)];
    const [held, free] = families as [Family, Family];
    await hold(held);
    await fixture.pass('31 s');
    expect(await run(families)).toBe(found);
    expect([await isDone(held), await isDone(free)]).toEqual([false, true]);
    expect([blocked, failed]).toEqual([[held.organizationId], []]);
    await holder.query('ROLLBACK');
    // It is not tried again at once.
    expect([await run(families), await isDone(held)]).toEqual([0, false]);
    await clock.advance(5_000);
    await run(families);
    expect(await isDone(held)).toBe(true);
  });

  it.each(tasks)('BX-03 is tried again alone, and after the others: %s', async (_, how, run) => {
    const held = await family(how);
    await hold(held);
    await fixture.pass('31 s');
    await run([held]);
    const free = await family(how);
    await fixture.pass('31 s');
    await clock.advance(5_000);
    ended = [];
    expect(await run([held, free])).toBeGreaterThan(0);
    expect(await isDone(free)).toBe(true);
    expect([ended.filter((end) => end === 'failed').length, ended.at(-1)]).toEqual([1, 'failed']);
    await holder.query('ROLLBACK');
    await clock.advance(5_000);
    ended = [];
    await run([held]);
    expect([await isDone(held), ended]).toEqual([true, ended.map(() => 'committed')]);
  });

  it.each([tasks[0]!, tasks[2]!, tasks[3]!])('BX-03 takes no place of the next round: %s', async (_, how, run) => {
    const held = await family(how);
    await fixture.pass('1 s');
    const free = await family(how);
    await hold(held);
    await fixture.pass('31 s');
    // Dependents are counted once they are moved.
    expect([await run([], 1), await isDone(free)]).toEqual([how === 'ended' ? 0 : 1, false]);
    expect([await run([], 1), await isDone(free)]).toEqual([1, true]);
    expect([await isDone(held), blocked]).toEqual([false, [held.organizationId]]);
  });

  it('is not known while the table itself is locked, which is an error', async () => {
    await holder.query('BEGIN; LOCK TABLE job_queue IN EXCLUSIVE MODE');
    await expect(maintenance.recoverExpiredLeases(9)).rejects.toMatchObject({ status: 503 });
  });
});

describe('an organization with a row that PostgreSQL rejects', () => {
  /** As after a mistake in the data. */
  const breakRow = ({ child }: Family) =>
    fixture.sql(`
      CREATE OR REPLACE FUNCTION reject_row() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.job_id = TG_ARGV[0]::uuid THEN
          RAISE EXCEPTION 'the row is rejected';
        END IF;
        RETURN coalesce(NEW, OLD);
      END $$;
      CREATE TRIGGER broken BEFORE UPDATE OR DELETE ON job_queue FOR EACH ROW EXECUTE FUNCTION reject_row('${child}')`);
  const mend = () => fixture.sql('DROP TRIGGER IF EXISTS broken ON job_queue');
  afterEach(mend);

  it.each(tasks)(
    'BX-03 does not hold up the others, and is reported: %s',
    async (_, how, run, found, name, together) => {
      const families = [await family(how), await family(how)];
      const [broken, free] = families as [Family, Family];
      await breakRow(broken);
      await fixture.pass('31 s');
      expect(await run(families)).toBe(found);
      expect([await isDone(broken), await isDone(free)]).toEqual([false, true]);
      expect(failed).toEqual([...(together ? [name] : []), `${name} of organization ${broken.organizationId}`]);
      expect(blocked).toEqual([]);
      await mend();
      expect([await run(families), await isDone(broken)]).toEqual([0, false]);
      await clock.advance(5_000);
      await run(families);
      expect(await isDone(broken)).toBe(true);
    },
  );

  it.each<[what: string, run: (of: Maintenance) => Promise<number>]>([
    ['leases', (of) => of.recoverExpiredLeases(9)],
    ['jobs that have expired', (of) => of.expireJobs(9)],
  ])('is not looked for while PostgreSQL is away: %s', async (_, run) => {
    const unavailable = new SpooledError('SERVICE_UNAVAILABLE', 'PostgreSQL is unavailable');
    const attempt = { worker_id: 'w1', retry_count: 0, max_retries: 0, settings: null, timed_out_after: null };
    const rows = ['a', 'b'].map((organization_id) => {
      return { organization_id, job_id: organization_id, ...attempt, cancel_requested: false };
    });
    const tried: string[] = [];
    const lost = (what: string) => {
      tried.push(what);
      return Promise.reject(unavailable);
    };
    const tx = { run: () => Promise.resolve(rows), one: () => lost('end attempts') };
    const db = {
      asSystem: (_reason: string, work: (of: typeof tx) => unknown) => work(tx),
      withTenant: lost,
    } as unknown as Database;
    const onError = (_error: unknown, what: string) => failed.push(what);
    await expect(run(new Maintenance(db, { onEffects: () => undefined, onError }))).rejects.toBe(unavailable);
    expect([tried.length, failed]).toEqual([1, []]);
  });
});
