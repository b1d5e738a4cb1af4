import { randomUUID } from 'node:crypto';
import type { ClaimedJob } from '@spooled/contracts';
import { claim, enqueue, newJob } from '@spooled/testing';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

describe('the fence of leases', () => {
  const fixture = useEngine();
  let org: string;
  let held: ClaimedJob;

  beforeAll(async () => {
    org = await fixture.organization();
    await fixture.run(enqueue(org, [newJob({ queueName: 'emails' })]));
    [held] = (await fixture.run(claim(org))).jobs as [ClaimedJob];
  });

  const fence = `FROM job_queue q CROSS JOIN (SELECT $2::uuid, $3::text, $4::text, $5::text[], $6::boolean, $7::interval OFFSET 0)
      AS i(org, worker, lease, scope, renewed, later)
    WHERE q.job_id = $1 AND holds_lease_v1(q, i.org, i.worker, i.lease, i.scope, i.renewed, q.lease_expires_at + i.later)`;
  const before = '-1 microsecond';

  it.each([
    ['passes its holder until the lease ends', {}, 1],
    ['stops at the end of the lease', { later: '0' }, 0],
    ['passes a lease that Redis holds longer', { later: '1 hour', renewed: true }, 1],
    ['passes the worker by its name alone', { lease: null }, 1],
    ['stops another worker', { worker: 'w2' }, 0],
    ['stops a worker without a name', { worker: null }, 0],
    ['stops another lease', { lease: randomUUID() }, 0],
    ['passes a key of its queue', { scope: ['bills', 'emails'] }, 1],
    ['stops a key of other queues', { scope: ['bills'] }, 0],
    ['stops a key of no queue', { scope: [] }, 0],
    ['stops another organization', { org: randomUUID() }, 0],
  ])('%s', async (_, more, rows) => {
    const asked = { org, worker: 'w1', lease: held.leaseId, scope: null, renewed: null, later: before, ...more };
    const values = [held.id, asked.org, asked.worker, asked.lease, asked.scope, asked.renewed, asked.later];
    expect(await fixture.sql(`SELECT ${fence}`, values)).toHaveLength(rows);
  });

  it('stops the last holder of a job that waits', async () => {
    const values = [held.id, org, 'w1', null, null, true, before];
    await fixture.sql(`UPDATE job_queue SET state = 'ready' WHERE job_id = $1`, [held.id]);
    expect(await fixture.sql(`SELECT ${fence}`, values)).toEqual([]);
  });

  it('is a part of the plans that it stands in, not a call for each row', async () => {
    const values = [held.id, org, 'w1', null, null, null, before];
    const plan = JSON.stringify(await fixture.sql(`EXPLAIN (VERBOSE) SELECT ${fence} FOR UPDATE OF q`, values));
    expect(plan).toContain('lease_expires_at');
    expect(plan).not.toContain('holds_lease_v1');
  });
});
