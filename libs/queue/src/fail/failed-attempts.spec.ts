import { randomUUID } from 'node:crypto';
import type { CommandOf } from '@spooled/contracts';
import { claim, command, enqueue, newJob } from '@spooled/testing';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();
let org: string;
beforeEach(async () => void (org = await fixture.organization()));

async function held(organizationId = org, more: Parameters<typeof newJob>[0] = {}) {
  await fixture.run(enqueue(organizationId, [newJob(more)]));
  return fixture.claimOne(organizationId);
}
const refused = (code: string) => ({ ok: false, error: expect.objectContaining({ code }) });
const retried = { ok: true, value: { willRetry: true, nextRetryDelaySecs: expect.any(Number) } };
const dead = { ok: true, value: { willRetry: false, nextRetryDelaySecs: 0 } };

it('MQ-17 a retry waits as long as its failure asks, if its backoff is shorter', async () => {
  const job = await held();
  const { body } = workerCommands(org).fail(job);
  const answer = await fixture.run(command('job.fail', org, { ...body, minDelayMs: 90_000 }));
  expect(answer).toEqual({ willRetry: true, nextRetryDelaySecs: 90 });
  await fixture.pass('80 s');
  expect((await fixture.run(claim(org))).jobs).toEqual([]);
  await fixture.pass('11 s');
  expect((await fixture.claimOne(org)).id).toBe(job.id);
});

describe('failures that several workers report at once', () => {
  it('are each accepted or refused, whatever happens to the others', async () => {
    const other = await fixture.organization();
    const [mine, theirs, completed, last] = [await held(), await held(other), await held(), await held(org)];
    await fixture.run(workerCommands(org).complete(completed));
    const { fail } = workerCommands(org);
    const answers = await fixture.engine.execute([
      fail({ id: randomUUID() }),
      fail(last, false),
      fail({ ...mine, leaseId: randomUUID() }),
      workerCommands(other).fail(theirs),
      fail(theirs),
      fail(completed),
      fail(mine),
    ]);
    expect(answers).toEqual([
      refused('NOT_FOUND'),
      dead,
      refused('LEASE_EXPIRED'),
      retried,
      refused('NOT_FOUND'),
      refused('CONFLICT'),
      retried,
    ]);
    const statuses = [mine, theirs, completed, last].map(async ({ id }) => (await fixture.job(id)).status);
    expect(await Promise.all(statuses)).toEqual(['pending', 'pending', 'completed', 'deadletter']);
  });

  it('SP-25 do not preempt the holder of the lease when another worker reports one first', async () => {
    const job = await held();
    const { fail } = workerCommands(org);
    const stale = { ...fail(job).body, workerId: 'w2', leaseId: randomUUID() };
    const answers = await fixture.engine.execute([command('job.fail', org, stale), fail(job), fail(job)]);
    expect(answers).toEqual([refused('LEASE_EXPIRED'), retried, refused('LEASE_EXPIRED')]);
    expect(await fixture.job(job.id)).toMatchObject({ status: 'pending', retry_count: 1 });
  });

  it('SP-25 are refused to other workers with the same lease, after its end, and outside the queues of a key', async () => {
    const [job, expired, scoped] = [await held(), await held(), await held()];
    await fixture.sql(`UPDATE job_queue SET lease_expires_at = current_ts() - interval '1 s' WHERE job_id = $1`, [
      expired.id,
    ]);
    const { proof } = workerCommands(org);
    const fail = (of: typeof job, more: object) =>
      command('job.fail', org, { ...proof(of, more), error: 'no', retry: true });
    const answers = await fixture.engine.execute([
      fail(job, { workerId: 'w2' }),
      fail(expired, {}),
      fail(scoped, { queues: ['bills'] }),
      fail(scoped, { queues: ['bills', 'emails'] }),
    ]);
    const lost = refused('LEASE_EXPIRED');
    expect(answers).toEqual([lost, lost, refused('NOT_FOUND'), retried]);
    for (const { id } of [job, expired])
      expect(await fixture.job(id)).toMatchObject({ status: 'processing', retry_count: 0, assigned_worker_id: 'w1' });
  });

  it('SP-25 after the end of a lease are accepted where Redis holds it longer', async () => {
    const job = await held();
    await fixture.pass('31 s');
    const item = { command: 0, id: job.id, worker: 'w1', lease: job.leaseId };
    const locked = (renewed: boolean) =>
      fixture.sql('SELECT why, job_id FROM lock_failed_jobs_v1($1)', [
        JSON.stringify([{ organization: org, items: [{ ...item, renewed }] }]),
      ]);
    expect([await locked(false), await locked(true)]).toEqual([
      [{ why: 'lease', job_id: job.id }],
      [{ why: null, job_id: job.id }],
    ]);
  });

  it('are answered as before when they are delivered again, and cost no further attempt', async () => {
    const [first, second, third] = [await held(), await held(), await held()];
    const { fail } = workerCommands(org);
    const again = (one: CommandOf<'job.fail'>) => ({ ...one, redelivered: true });
    const known = fail(first);
    const [before] = await fixture.engine.execute([known]);
    expect(before).toEqual(retried);
    await fixture.pass('10 s');
    const current = await fixture.claimOne(org);

    const answers = await fixture.engine.execute([fail(second, false), again(known), again(fail(third))]);
    expect(answers).toEqual([dead, before, retried]);
    expect(await fixture.job(first.id)).toMatchObject({
      status: 'processing',
      retry_count: 1,
      lease_id: current.leaseId,
    });
    expect(await fixture.job(third.id)).toMatchObject({ status: 'pending', retry_count: 1 });
  });
});

describe('a failed attempt', () => {
  it('is announced with its delay in whole seconds, rounded up', async () => {
    const settings = JSON.stringify({ retry_strategy: 'fixed', retry_delay_ms: 1_500, retry_jitter_ms: 0 });
    const job = await held(org, { settings });
    expect(await fixture.run(workerCommands(org).fail(job))).toEqual({ willRetry: true, nextRetryDelaySecs: 2 });
  });

  it('keeps the first 2,048 characters of its error, without NUL', async () => {
    const job = await held();
    const { proof } = workerCommands(org);
    const error = `a\0b\0${'😀'.repeat(3_000)}`;
    await fixture.run(command('job.fail', org, { ...proof(job), error, retry: true }));
    expect(await fixture.job(job.id)).toMatchObject({ last_error: `ab${'😀'.repeat(2_046)}` });
  });
});
