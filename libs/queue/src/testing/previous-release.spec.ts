import { claim, enqueue, newJob } from '@spooled/testing';
import { EngineFixture, workerCommands } from './job-lifecycle.fixture.js';

/**
 * During a rolling upgrade, services of the previous release call their functions on a migrated database. To be removed
 * together with those functions.
 */
describe('services of the previous release', () => {
  let fixture: EngineFixture;
  let org: string;
  beforeAll(async () => {
    fixture = await EngineFixture.open();
    org = await fixture.organization();
  });
  afterAll(() => fixture.close());

  /** A call of a function that takes a batch, by the key of its organization. */
  const call = (name: string, ...parameters: unknown[]) =>
    fixture.db.inBatch((tx) =>
      tx.query<Record<string, unknown>>(
        `SELECT * FROM ${name}(${parameters.map((_, i) => `$${i + 1}`).join(', ')}) AS answer`,
        parameters.map((one) => (typeof one === 'object' ? JSON.stringify(one) : one)),
      ),
    );
  const oldEnqueue = async () => {
    const { id, payload } = newJob();
    const job = { n: 0, id, q: 'emails', p: JSON.parse(payload) as unknown, jt: '', pr: 0 };
    const part = { org, guarded: false, again: false, keyed: false, parented: false, command: 0, jobs: [job] };
    await call('enqueue_jobs_v1', [part], 3, 300);
    return id;
  };
  const oldClaim = async () => {
    const claims = [{ c: 0, id: newJob().id, w: 'w1', s: 60, l: 1 }];
    const [row] = await call('claim_jobs_v1', [{ org, q: 'emails', claims }]);
    return { id: row!.job_id as string, leaseId: row!.lease_id as string };
  };
  const oldItems = (job: { id: string; leaseId: string }, more: object = {}) => [
    { org, items: [{ c: 0, id: job.id, w: 'w1', l: job.leaseId, ...more }] },
  ];

  it('enqueue jobs that new services claim, and complete jobs claimed by them', async () => {
    const id = await oldEnqueue();
    const job = await fixture.claimOne(org);
    expect(job.id).toBe(id);
    await call('renew_leases_v1', oldItems(job, { d: 60 }));
    await call('complete_jobs_v1', oldItems(job, { r: { sent: true } }));
    expect(await fixture.job(id)).toMatchObject({ status: 'completed', result: { sent: true } });
  });

  it('complete jobs in queues with a concurrency limit, and are told about the free place', async () => {
    const limited = await fixture.organization();
    await fixture.db.withTenant(limited, (tx) =>
      tx.query(
        `INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'emails', '{"concurrency":1}')`,
        [limited],
      ),
    );
    await fixture.run(enqueue(limited, [newJob()]));
    const { id, leaseId: lease } = await fixture.claimOne(limited);
    const item = { command: 0, id, worker: 'w1', lease, result: { sent: true } };
    const [row] = await fixture.db.inBatch((tx) =>
      tx.query<{ answer: string }>('SELECT complete_jobs_v3($1::uuid[], $2::json) AS answer', [
        [limited],
        JSON.stringify([[item, { ...item, command: 1, lease: newJob().id }]]),
      ]),
    );
    expect(JSON.parse(row!.answer)).toMatchObject({
      done: [{ command: 0, id, queue: 'emails' }],
      refused: [{ command: 1, why: 'lease' }],
      freed: ['emails'],
    });
    expect(await fixture.job(id)).toMatchObject({ status: 'completed', result: { sent: true } });
  });

  it('claim, fail and release jobs enqueued by new services', async () => {
    const { jobs } = await fixture.run(enqueue(org, [newJob()]));
    const job = await oldClaim();
    expect(job.id).toBe(jobs[0]!.jobId);
    expect(await call('lock_failed_jobs_v1', oldItems(job))).toMatchObject([{ why: null, job_id: job.id }]);
    await call('apply_failures_v1', [{ org, items: [{ id: job.id, e: 'broken', v: 'failed', d: 0 }] }]);
    const again = await oldClaim();
    await fixture.db.withTenant(org, (tx) =>
      tx.query('SELECT * FROM release_leases_v1($1, $2)', [org, JSON.stringify([{ id: again.id, l: again.leaseId }])]),
    );
    const [last] = (await fixture.run(claim(org))).jobs;
    expect(last).toMatchObject({ id: job.id, retryCount: 1 });
    await fixture.run(workerCommands(org).complete({ id: last!.id, leaseId: last!.leaseId }));
    expect(await fixture.job(job.id)).toMatchObject({ status: 'completed' });
  });
});
