import { randomUUID } from 'node:crypto';
import { useDatabase, useConnections } from '@spooled/testing';
import { type Fixture, organizationWith as organizationIn } from './job-records.fixture.js';
import { countJobs, findJob, findJobStatuses, findLease, areDependenciesMet } from './job-reads.js';
import { listRelatives } from './job-history.js';

const testDatabase = useDatabase();
const db = useConnections(testDatabase);

const organizationWith = (...fixtures: Fixture[]) => organizationIn(db, fixtures);

describe('single jobs', () => {
  it('returns a payload exactly as it was stored', async () => {
    const payload = '{"b":1,  "a":"\\u0000","n":1.0}';
    const { organizationId, ids } = await organizationWith({ payload });
    const found = await db.withTenant(organizationId, (tx) => findJob(tx, ids[0]!, ['mail']));
    expect(found).toMatchObject({ payload, status: 'pending', result: null, dependencies_met: true });
    expect(await db.withTenant(organizationId, (tx) => findJob(tx, ids[0]!, ['sms']))).toBeUndefined();
  });

  it('returns statuses in the requested order, without unknown ids', async () => {
    const { organizationId, ids } = await organizationWith({ status: 'completed' }, { status: 'processing' });
    const requested = [ids[1]!, randomUUID(), ids[0]!];
    const rows = await db.withTenant(organizationId, (tx) => tx.run(findJobStatuses, { ids: requested, queues: null }));
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      [ids[1], 'processing'],
      [ids[0], 'completed'],
    ]);
    expect(rows[0]).toMatchObject({ attempt: 0, retry_count: 0, max_retries: 3 });
  });

  it('finds the lease of a job', async () => {
    const { organizationId, ids } = await organizationWith({ status: 'processing' }, {});
    await db.withTenant(organizationId, async (tx) => {
      expect(await tx.first(findLease, { id: ids[0]!, queues: null })).toMatchObject({ worker_id: 'w1', held: true });
      expect(await tx.first(findLease, { id: ids[1]!, queues: null })).toBeUndefined();
    });
  });

  it('counts each live job once and finished ones from the counters', async () => {
    const { organizationId } = await organizationWith(
      {},
      { status: 'blocked' },
      { status: 'retrying' },
      { status: 'scheduled' },
      { status: 'processing' },
      { status: 'deadletter', queue: 'sms' },
    );
    const insert = `INSERT INTO job_stats (organization_id, hour, slot, queue_name, completed, cancelled) VALUES ($1, now(), $2, 'mail', 7, 1)`;
    await db.withTenant(organizationId, async (tx) => {
      await tx.query(insert, [organizationId, 0]);
      await tx.query(insert, [organizationId, 1]);
      const all = { pending: 3, scheduled: 1, processing: 1, completed: 14, failed: 0, deadletter: 1, cancelled: 2 };
      expect(await tx.one(countJobs, { queues: null })).toEqual(all);
      expect(await tx.one(countJobs, { queues: ['sms'] })).toMatchObject({ pending: 0, completed: 0, deadletter: 1 });
    });
  });

  it('SP-49 lists the parents and the dependents of a job', async () => {
    const { organizationId, ids } = await organizationWith({ status: 'completed' }, {}, { status: 'blocked' });
    await db.withTenant(organizationId, async (tx) => {
      const edge = 'INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id) VALUES ($1, $2, $3)';
      await tx.query(edge, [organizationId, ids[1], ids[0]]);
      await tx.query(edge, [organizationId, ids[2], ids[1]]);
      expect(await tx.run(listRelatives, { id: ids[1]!, queues: null, limit: 5 })).toEqual([
        { direction: 'down', job_id: ids[2], queue_name: 'mail', status: 'pending', total: 1 },
        { direction: 'up', job_id: ids[0], queue_name: 'mail', status: 'completed', total: 1 },
      ]);
      const met = ids.map(async (id) => (await tx.one(areDependenciesMet, { id: id!, mode: null })).met);
      expect(await Promise.all(met)).toEqual([true, true, false]);
    });
  });
});
