import { randomUUID } from 'node:crypto';
import { claim, enqueue, newJob } from '@spooled/testing';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';
import { expiredIn, refusalError } from './lease-refusal.js';

describe('SP-25 the refusal of a worker', () => {
  const fixture = useEngine();
  let org: string;
  /** Jobs of worker `w1` by what has become of them, each under the lease with the same name. */
  const jobs: Record<string, { id: string; leaseId: string }> = {};

  beforeAll(async () => {
    org = await fixture.organization();
    const { complete, fail } = workerCommands(org);
    await fixture.run(enqueue(org, [newJob(), newJob(), newJob(), newJob()]));
    const [completed, dead, cancelled, held] = (await fixture.run(claim(org, { limit: 4 }))).jobs;
    await fixture.run(complete(completed!));
    await fixture.run(fail(dead!, false));
    for (const { id, leaseId } of [dead!, cancelled!])
      await fixture.sql(`UPDATE jobs SET assigned_worker_id = 'w1', lease_id = $2 WHERE id = $1`, [id, leaseId]);
    await fixture.sql('DELETE FROM job_queue WHERE job_id = $1', [cancelled!.id]);
    await fixture.sql(`UPDATE jobs SET outcome = 'cancelled' WHERE id = $1`, [cancelled!.id]);
    const waiting = { ...newJob(), leaseId: randomUUID() };
    await fixture.run(enqueue(org, [waiting]));
    const unknown = { id: randomUUID(), leaseId: randomUUID() };
    Object.assign(jobs, { completed, dead, cancelled, held, waiting, unknown });
  });

  const refusal = async (job: string, worker: string, lease: string | null, scope: string[] | null, of = org) => {
    const leaseId = lease === null ? null : (jobs[lease]?.leaseId ?? randomUUID());
    const [row] = await fixture.sql<{ answer: { why: string; same: boolean } }>(
      'SELECT lease_refusal_v1($1, $2, $3, $4, $5) AS answer',
      [of, jobs[job]!.id, worker, leaseId, scope],
    );
    return row!.answer;
  };

  it.each([
    ['completed', 'w1', 'completed', 'completed', true],
    ['completed', 'w1', null, 'completed', true],
    ['completed', 'w1', 'another', 'lease', false],
    ['completed', 'w2', 'completed', 'lease', false],
    ['completed', 'w2', null, 'gone', false],
    ['held', 'w1', 'held', 'lease', false],
    ['held', 'w1', null, 'lease', false],
    ['held', 'w2', 'another', 'lease', false],
    ['held', 'w2', null, 'gone', false],
    ['cancelled', 'w1', 'cancelled', 'lease', false],
    ['cancelled', 'w1', null, 'cancelled', false],
    ['cancelled', 'w2', null, 'gone', false],
    ['dead', 'w1', 'dead', 'lease', false],
    ['dead', 'w1', null, 'gone', false],
    ['waiting', 'w1', null, 'gone', false],
    ['unknown', 'w1', 'unknown', 'gone', false],
    ['unknown', 'w1', null, 'gone', false],
  ])('for the %s job by %s with lease %s is %s', async (job, worker, lease, why, same) => {
    expect(await refusal(job, worker, lease, null)).toEqual({ why, same });
    expect(await refusal(job, worker, lease, ['bills', 'emails'])).toEqual({ why, same });
    expect(await refusal(job, worker, lease, ['bills'])).toMatchObject({ why: 'gone' });
    expect(await refusal(job, worker, lease, null, randomUUID())).toEqual({ why: 'gone', same: false });
  });
});

describe('the error of a refused worker', () => {
  it.each([
    ['lease', 409, 'LEASE_EXPIRED', /lease/i],
    ['completed', 409, 'CONFLICT', /^Job is already completed$/],
    ['cancelled', 409, 'CONFLICT', /^Job is already cancelled$/],
    ['gone', 404, 'NOT_FOUND', /^Job not found$/],
  ])('for "%s" is %d %s', (why, status, code, message) => {
    expect(refusalError(why)).toMatchObject({ status, code, message: expect.stringMatching(message) });
  });

  it('is worth a look into the lease store where the lease has expired', () => {
    const rows = ['lease', 'gone', null, 'completed', 'lease'].map((why, command) => ({ command, why }));
    expect(expiredIn(rows)).toEqual([0, 4]);
  });
});
