import { command, enqueue, newJob, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

describe('orphaned dependents', () => {
  const fixture = useEngine();
  let org: string;
  beforeEach(async () => void (org = await fixture.organization()));
  // What one test leaves blocked would be found in the next.
  afterEach(() => fixture.sql('DELETE FROM job_queue'));

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
    fixture.effects.length = 0;
    expect(await resolve()).toBe(expected === false ? 0 : 1);
    expect(await isMet(id)).toBe(expected);
    const woken = fixture.effects.flatMap(({ wakeups }) => wakeups);
    expect(woken).toEqual(expected === true ? [{ organizationId: org, queueName: 'emails' }] : []);
    const told = fixture.events(org).map(({ data }) => data);
    const change = { job_id: id, old_status: 'pending', new_status: 'cancelled' };
    expect(told).toMatchObject(expected === 'cancelled' ? [change] : []);
    expect(await resolve()).toBe(0);
  });

  it('SP-51 whose parents were deleted are released after an hour', async () => {
    const id = await orphan('all', ['deleted', 'deleted']);
    await age(id, '59 min');
    expect([await resolve(), await isMet(id)]).toEqual([0, false]);
    await age(id, '61 min');
    fixture.effects.length = 0;
    expect([await resolve(), await isMet(id)]).toEqual([1, true]);
    expect(fixture.effects.flatMap(({ wakeups }) => wakeups)).toEqual([{ organizationId: org, queueName: 'emails' }]);
  });

  it.each<['all' | 'any', Parent[], unknown]>([
    ['all', ['deleted', 'live'], false],
    ['all', ['deleted', 'completed'], true],
    ['all', ['deleted', 'deadletter'], 'cancelled'],
    ['any', ['deleted', 'live'], false],
    ['any', ['deleted', 'cancelled'], 'cancelled'],
  ])(
    'SP-49 SP-51 that need %s of parents %j, one of them deleted long ago, become %j',
    async (mode, parents, expected) => {
      const id = await orphan(mode, parents);
      await age(id, '2 hours');
      expect(await resolve()).toBe(expected === false ? 0 : 1);
      expect(await isMet(id)).toBe(expected);
    },
  );

  it('SP-49 wait for a parent that they are given while they are released', async () => {
    const id = await orphan('all', ['deleted']);
    await age(id, '2 hours');
    const parent = newJob();
    await fixture.run(enqueue(org, [parent]));
    const holder = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT add_dependencies_v1($1, $2, $3, NULL, NULL)', [org, id, [parent.id]]);
      const resolved = resolve();
      await untilLocked(fixture.superuser);
      await holder.query('COMMIT');
      expect([await resolved, await isMet(id)]).toEqual([0, false]);
    } finally {
      await holder.end();
    }
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

  it('SP-51 are searched for behind any number of jobs that wait rightly', async () => {
    // Twenty are looked at for each that may be found.
    const parent = newJob();
    const waiting = Array.from({ length: 40 }, () => newJob({ parentJobId: parent.id }));
    await fixture.run(enqueue(org, [parent]));
    await fixture.run(enqueue(org, waiting));
    const last = await orphan('all', ['completed']);
    const search = () => fixture.maintenance.resolveOrphanedDependents(1);
    const found = [];
    for (let n = 0; n < 6; n++) found.push(await search());
    // Behind the last one it begins again.
    expect(found).toEqual([0, 0, 1, 0, 0, 0]);
    const first = await orphan('all', ['completed']);
    await fixture.sql('DELETE FROM job_queue WHERE job_id = ANY ($1)', [waiting.map(({ id }) => id)]);
    expect([await isMet(last), await search(), await isMet(first)]).toEqual([true, 1, true]);
  });

  it('SP-51 are released with a line in their history that says why', async () => {
    const id = await orphan('all', ['deleted']);
    await age(id, '2 hours');
    await resolve();
    expect(
      await fixture.sql(`SELECT actor, details FROM job_history WHERE job_id = $1 AND event = 'dependencies_met'`, [
        id,
      ]),
    ).toEqual([{ actor: 'system dependencies', details: { reason: 'parent_deleted' } }]);
  });
});
