import { claim, command, enqueue, newJob } from '@spooled/testing';
import { EngineFixture } from '../testing/job-lifecycle.fixture.js';

let fixture: EngineFixture;
beforeAll(async () => {
  fixture = await EngineFixture.open();
});
afterAll(() => fixture?.close());

const everyEvent = [
  'job.created',
  'job.started',
  'job.completed',
  'job.failed',
  'job.cancelled',
  'worker.registered',
  'worker.deregistered',
];

/** An organization with one webhook for these events. */
async function subscriber(events = everyEvent): Promise<string> {
  const organizationId = await fixture.organization();
  await fixture.sql(
    `INSERT INTO outgoing_webhooks (organization_id, name, url, events) VALUES ($1, 'hook', 'https://hook.example', $2)`,
    [organizationId, events],
  );
  return organizationId;
}

/** Recorded deliveries of the webhook, oldest first; checks that they were dispatched. */
async function recordedDeliveries(organizationId: string): Promise<[string, unknown][]> {
  const rows = await fixture.sql<{ id: string; event: string; payload: unknown }>(
    'SELECT id, event, payload FROM webhook_deliveries WHERE organization_id = $1 ORDER BY id',
    [organizationId],
  );
  const dispatched = fixture.effects.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
  expect(dispatched).toEqual(expect.arrayContaining(rows.map(({ id }) => id)));
  return rows.map(({ event, payload }) => [event, payload]);
}

const ofEvent = async (organizationId: string, name: string) =>
  (await recordedDeliveries(organizationId)).filter(([event]) => event === name).map(([, data]) => data);

describe('SP-53 webhook deliveries are recorded for', () => {
  it('the start of a job, once, even when the claim is redelivered', async () => {
    const org = await subscriber();
    const job = newJob();
    await fixture.run(enqueue(org, [job]));
    const claimed = claim(org, { workerId: 'w7' });
    await fixture.run(claimed);
    await fixture.run({ ...claimed, redelivered: true });
    const start = { job_id: job.id, queue_name: 'emails', worker_id: 'w7' };
    expect(await ofEvent(org, 'job.started')).toEqual([start]);
  });

  it('a cancelled job with its old status, and its children with the reason', async () => {
    const org = await subscriber();
    const parent = newJob({ scheduledAt: '2100-01-01T00:00:00Z' });
    const child = newJob({ parentJobId: parent.id });
    await fixture.run(enqueue(org, [parent]));
    await fixture.run(enqueue(org, [child]));
    await fixture.run(command('job.cancel', org, { jobId: parent.id, queues: null }));
    const common = { queue_name: 'emails', status: 'cancelled' };
    expect(await ofEvent(org, 'job.cancelled')).toEqual([
      { job_id: parent.id, ...common, old_status: 'scheduled' },
      { job_id: child.id, ...common, old_status: 'pending', reason: 'parent_failed' },
    ]);
  });

  it('cancelled children of a job that becomes a dead letter, and of one that already is', async () => {
    const org = await subscriber();
    const parent = newJob({ maxRetries: 0 });
    const child = newJob({ parentJobId: parent.id });
    await fixture.run(enqueue(org, [parent]));
    await fixture.run(enqueue(org, [child]));
    const [job] = (await fixture.run(claim(org))).jobs;
    const proof = { jobId: job!.id, workerId: 'w1', leaseId: null, queues: null };
    await fixture.run(command('job.fail', org, { ...proof, error: 'broken', retry: true }));
    const late = newJob({ parentJobId: parent.id });
    await fixture.run(enqueue(org, [late]));
    const cancelled = (await ofEvent(org, 'job.cancelled')) as { job_id: string; reason: string }[];
    expect(cancelled.map(({ job_id, reason }) => [job_id, reason])).toEqual([
      [child.id, 'parent_failed'],
      [late.id, 'parent_failed'],
    ]);
    expect(await ofEvent(org, 'job.failed')).toEqual([
      { job_id: parent.id, queue_name: 'emails', status: 'deadletter', error: 'broken' },
    ]);
  });

  it('registered and deregistered workers', async () => {
    const org = await subscriber();
    const worker = { workerId: `w-${org}`, queueName: 'emails', hostname: 'host-1' };
    const free = { workerType: null, maxConcurrency: 5, metadata: null, version: null, maxWorkers: null, queues: null };
    await fixture.run(command('worker.register', org, { ...worker, ...free, plan: 'enterprise', upgradeTo: null }));
    await fixture.run(command('worker.deregister', org, { workerId: worker.workerId, queues: null, issuedAt: null }));
    expect(await recordedDeliveries(org)).toEqual([
      ['worker.registered', { worker_id: worker.workerId, queue_name: 'emails', hostname: 'host-1' }],
      ['worker.deregistered', { worker_id: worker.workerId, queue_name: 'emails' }],
    ]);
  });

  it('subscribed events only, and not for another organization in the same batch', async () => {
    const [subscribed, other] = [await subscriber(['job.started']), await subscriber(['queue.paused'])];
    await fixture.engine.execute([enqueue(subscribed, [newJob()]), enqueue(other, [newJob()])]);
    await fixture.engine.execute([claim(subscribed), claim(other)]);
    expect((await recordedDeliveries(subscribed)).map(([event]) => event)).toEqual(['job.started']);
    expect(await recordedDeliveries(other)).toEqual([]);
  });
});
