import { claim, command, enqueue, newJob, unlimited } from '@spooled/testing';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';
import { TestWorkflow } from '../testing/workflow-steps.fixture.js';

const fixture = useEngine();

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
    const dependent = newJob();
    await fixture.run(enqueue(org, [parent]));
    await fixture.run(enqueue(org, [child, dependent]));
    const depend = { jobId: dependent.id, dependsOn: [parent.id], mode: null, queues: null };
    await fixture.run(command('job.addDependencies', org, depend));
    await fixture.run(command('job.cancel', org, { jobId: parent.id, queues: null }));
    const common = { queue_name: 'emails', status: 'cancelled' };
    const told = (await ofEvent(org, 'job.cancelled')) as { job_id: string }[];
    expect(new Map(told.map((data) => [data.job_id, data]))).toEqual(
      new Map<string, object>([
        [parent.id, { job_id: parent.id, ...common, old_status: 'scheduled' }],
        [child.id, { job_id: child.id, ...common, old_status: 'pending', reason: 'parent_failed' }],
        [dependent.id, { job_id: dependent.id, ...common, old_status: 'pending', reason: 'dependency_failed' }],
      ]),
    );
    expect(told).toHaveLength(3);
  });

  it('the jobs of a workflow that is cancelled, with that as the reason', async () => {
    const org = await subscriber(['job.cancelled']);
    const flow = await TestWorkflow.create(fixture, org, { a: {}, b: { on: ['a'] } });
    await flow.cancel();
    const told = (await ofEvent(org, 'job.cancelled')) as { job_id: string }[];
    const data = (job_id: string) => ({
      ...{ job_id, queue_name: 'emails', status: 'cancelled', old_status: 'pending' },
      reason: 'The workflow was cancelled',
    });
    expect(new Map(told.map((one) => [one.job_id, one]))).toEqual(
      new Map(Object.values(flow.ids).map((id) => [id, data(id)])),
    );
    expect(told).toHaveLength(2);
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

  it('retries and dead letters that a worker reports, with the time of the next attempt', async () => {
    const org = await subscriber(['job.retried', 'job.deadlettered', 'job.failed']);
    const job = newJob({ maxRetries: 1 });
    await fixture.run(enqueue(org, [job]));
    await fixture.claimOne(org);
    await fixture.run(workerCommands(org).fail(job));
    const of = { job_id: job.id, queue_name: 'emails' };
    const retried = { ...of, status: 'pending', retry_count: 1, reason: 'failure', scheduled_at: expect.any(String) };
    expect(await recordedDeliveries(org)).toEqual([['job.retried', retried]]);
    const [{ scheduled_at: dueAt }] = (await ofEvent(org, 'job.retried')) as [{ scheduled_at: string }];
    const [row] = await fixture.sql<{ due_at: Date }>('SELECT due_at FROM job_queue WHERE job_id = $1', [job.id]);
    expect(new Date(dueAt)).toEqual(row!.due_at);

    await fixture.sql('UPDATE job_queue SET due_at = now() WHERE job_id = $1', [job.id]);
    await fixture.claimOne(org);
    await fixture.run(workerCommands(org).fail(job));
    const dead = { ...of, status: 'deadletter', error: 'smtp says no' };
    expect((await recordedDeliveries(org)).slice(1)).toEqual([
      ['job.failed', dead],
      ['job.deadlettered', { ...dead, retry_count: 1 }],
    ]);
  });

  it('failures of a batch, each by how it ended, and by the completion webhooks of dead letters', async () => {
    const org = await subscriber(['job.retried', 'job.deadlettered', 'job.failed']);
    const completionWebhook = 'https://done.example/';
    const jobs = [0, 9, 0, 9].map((maxRetries) => newJob({ maxRetries, completionWebhook }));
    await fixture.run(enqueue(org, jobs));
    const { jobs: held } = await fixture.run(claim(org, { limit: 4 }));
    await fixture.engine.execute(held.map((job) => workerCommands(org).fail(job)));
    const rows = await fixture.sql(
      `SELECT job_id, array_agg(concat(event, ' ', url) ORDER BY 1) AS told, bool_and(payload ->> 'job_id' IS NOT DISTINCT FROM job_id::text) AS own
       FROM webhook_deliveries WHERE organization_id = $1 GROUP BY job_id`,
      [org],
    );
    const dead = ['job.deadlettered ', 'job.failed ', `job.failed ${completionWebhook}`];
    const told = (row: Record<string, unknown>) => [row.job_id, (row.told as string[]).sort(), row.own];
    expect(new Map(rows.map((row) => [row.job_id, told(row)]))).toEqual(
      new Map(jobs.map(({ id, maxRetries }) => [id, [id, maxRetries ? ['job.retried '] : dead, true]])),
    );
    expect(await recordedDeliveries(org)).toHaveLength(8);
  });

  it('the webhooks that are enabled and want them, and those of a webhook whose receiver fails are held', async () => {
    const org = await subscriber(['job.created']);
    await fixture.sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events, enabled, held_since)
       SELECT $1, name, 'https://hook.example', ARRAY[event], enabled, held FROM (VALUES
         ('held', 'job.created', true, now()), ('disabled', 'job.created', false, NULL), ('other', 'job.started', true, NULL)
       ) AS hook (name, event, enabled, held)`,
      [org],
    );
    fixture.effects.length = 0;
    const jobs = [newJob(), newJob()];
    await fixture.run(enqueue(org, jobs));
    const rows = await fixture.sql(
      `SELECT d.id, d.job_id, w.name, d.next_attempt_at = 'infinity' AS held FROM webhook_deliveries d JOIN outgoing_webhooks w ON w.id = d.webhook_id
       WHERE d.organization_id = $1 ORDER BY w.name, d.job_id`,
      [org],
    );
    const ids = jobs.map(({ id }) => id).sort();
    expect(rows.map(({ name, held, job_id }) => [name, held, job_id])).toEqual([
      ...ids.map((id) => ['held', true, id]),
      ...ids.map((id) => ['hook', false, id]),
    ]);
    const due = rows.flatMap(({ id, held }) => (held ? [] : [id as string]));
    expect(fixture.effects.flatMap(({ deliveries }) => deliveries.map(({ id }) => id)).sort()).toEqual(due.sort());
  });

  it.each(['lease_expired', 'worker_lost'])(
    'jobs recovered from a worker (%s): a retry, then a dead letter',
    async (how) => {
      const org = await subscriber(['job.retried', 'job.deadlettered']);
      const job = newJob({ maxRetries: 1 });
      await fixture.run(enqueue(org, [job]));
      const recover = async () => {
        await fixture.claimOne(org);
        if (how === 'worker_lost') return fixture.maintenance.recoverJobsOfWorkers([{ organizationId: org, id: 'w1' }]);
        await fixture.sql('UPDATE job_queue SET lease_expires_at = now() WHERE job_id = $1', [job.id]);
        return fixture.maintenance.recoverExpiredLeases(100);
      };
      await recover();
      await recover();
      const of = { job_id: job.id, queue_name: 'emails' };
      expect(await recordedDeliveries(org)).toEqual([
        ['job.retried', { ...of, status: 'pending', retry_count: 1, reason: 'lease_expired' }],
        ['job.deadlettered', { ...of, status: 'deadletter', retry_count: 1, error: expect.stringContaining('w1') }],
      ]);
    },
  );

  it('the retry of an attempt that took too long, as that of a failure', async () => {
    const org = await subscriber(['job.retried']);
    await fixture.run(enqueue(org, [newJob({ timeoutSeconds: 5 })]));
    const { id } = await fixture.claimOne(org);
    await fixture.pass('31 s');
    await fixture.maintenance.recoverExpiredLeases(100);
    const of = { job_id: id, queue_name: 'emails', status: 'pending', retry_count: 1 };
    expect(await ofEvent(org, 'job.retried')).toEqual([{ ...of, reason: 'failure', scheduled_at: expect.any(String) }]);
  });

  it('manual retries and retries of dead letters, with the children that come back', async () => {
    const org = await subscriber(['job.retried']);
    const parent = newJob({ maxRetries: 0 });
    const child = newJob({ parentJobId: parent.id });
    await fixture.run(enqueue(org, [parent]));
    await fixture.run(enqueue(org, [child]));
    const fail = async () => {
      await fixture.claimOne(org);
      await fixture.run(workerCommands(org).fail(parent, false));
    };
    await fail();
    const retry = command('job.retry', org, { jobId: parent.id, queues: null, quota: unlimited });
    await fixture.run(retry);
    await fixture.run({ ...retry, redelivered: true });
    const data = (id: string, reason: string) => ({
      job_id: id,
      queue_name: 'emails',
      status: 'pending',
      retry_count: 0,
      reason,
    });
    const manual = [data(parent.id, 'manual'), data(child.id, 'manual')];
    expect(await ofEvent(org, 'job.retried')).toEqual(expect.arrayContaining(manual));
    await fail();
    const everything = { jobIds: null, queueName: 'emails', limit: 10, quota: unlimited, maxWorkflows: null };
    await fixture.run(command('deadletter.retry', org, everything));
    const all = [...manual, data(parent.id, 'dlq'), data(child.id, 'dlq')];
    const recorded = await ofEvent(org, 'job.retried');
    expect(recorded).toHaveLength(4);
    expect(recorded).toEqual(expect.arrayContaining(all));
  });

  it('a workflow each time it fails or completes, and not while its jobs run', async () => {
    const org = await subscriber(['workflow.completed', 'workflow.failed']);
    const flow = await TestWorkflow.create(fixture, org, { a: {}, b: { on: ['a'] } });
    await flow.claim();
    await flow.fail('a');
    const common = { workflow_id: flow.id, name: 'flow', total_jobs: 2 };
    const failed = ['workflow.failed', { ...common, status: 'failed', completed_jobs: 0, failed_jobs: 1 }];
    expect(await recordedDeliveries(org)).toEqual([failed]);
    await flow.retry();
    await flow.claim();
    await flow.fail('a');
    expect(await recordedDeliveries(org)).toEqual([failed, failed]);
    await flow.retry();
    for (const key of ['a', 'b']) {
      expect(await recordedDeliveries(org)).toHaveLength(2);
      await flow.claim();
      await flow.complete(key);
    }
    const completed = { ...common, status: 'completed', completed_jobs: 2, failed_jobs: 0 };
    expect((await recordedDeliveries(org)).slice(2)).toEqual([['workflow.completed', completed]]);
  });

  it('workflows that end in one transaction, each once and with its own status', async () => {
    const org = await subscriber(['workflow.completed', 'workflow.failed']);
    const flows = [
      await TestWorkflow.create(fixture, org, { a: {} }),
      await TestWorkflow.create(fixture, org, { a: {} }),
      await TestWorkflow.create(fixture, org, { a: {} }),
    ];
    await fixture.run(claim(org, { limit: 3 }));
    const [first, second, failed] = flows as [TestWorkflow, TestWorkflow, TestWorkflow];
    await fixture.engine.execute([first.completion('a'), second.completion('a'), failed.failure('a')]);
    const told = (await recordedDeliveries(org)).map(([event, data]) => [
      event,
      (data as { workflow_id: string }).workflow_id,
    ]);
    const expected = [
      ['workflow.completed', first.id],
      ['workflow.completed', second.id],
      ['workflow.failed', failed.id],
    ];
    expect(told.sort()).toEqual(expected.sort());
  });

  it('a workflow that fails because a lease was lost, but not one that was cancelled', async () => {
    const org = await subscriber(['workflow.completed', 'workflow.failed']);
    const [lost, cancelled] = [
      await TestWorkflow.create(fixture, org, { a: {} }),
      await TestWorkflow.create(fixture, org, { a: {} }),
    ];
    await cancelled.cancel();
    await lost.claim();
    await fixture.sql('UPDATE job_queue SET lease_expires_at = now() WHERE organization_id = $1', [org]);
    await fixture.maintenance.recoverExpiredLeases(100);
    expect(await recordedDeliveries(org)).toMatchObject([['workflow.failed', { workflow_id: lost.id }]]);
  });
});
