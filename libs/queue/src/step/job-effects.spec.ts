import type { CommandKind, CommandOf } from '@spooled/contracts';
import { claim, command, enqueue, fromNow, newJob, unlimited } from '@spooled/testing';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) as string;

/** What a command published, apart from what other tests did. */
async function effectsOf<K extends CommandKind>(one: CommandOf<K>) {
  fixture.effects.length = 0;
  await fixture.run(one);
  const all = fixture.effects;
  return {
    events: all.flatMap(({ events }) => events.flatMap((batch) => batch.events)),
    organizations: [...new Set(all.flatMap(({ events }) => events.map(({ organizationId }) => organizationId)))],
    wakeups: all.flatMap(({ wakeups }) => wakeups),
    spans: all.flatMap(({ spans }) => spans),
  };
}

const statusChange = (id: string, from: string, to: string) => ({
  type: 'JobStatusChange',
  data: { job_id: id, queue_name: 'emails', old_status: from, new_status: to, status: to, timestamp: time },
});

describe('what subscribers, traces and waiting workers get to know of a job', () => {
  let org: string;
  let woken: { organizationId: string; queueName: string }[];
  beforeEach(async () => {
    org = await fixture.organization();
    woken = [{ organizationId: org, queueName: 'emails' }];
  });

  it('that is created, claimed and completed', async () => {
    const job = newJob({ priority: 7 });
    const created = await effectsOf({ ...enqueue(org, [job]), traceparent });
    expect(created).toEqual({
      events: [{ type: 'JobCreated', data: { job_id: job.id, queue_name: 'emails', priority: 7, timestamp: time } }],
      organizations: [org],
      wakeups: woken,
      spans: [],
    });

    const claimed = await effectsOf(claim(org, { workerId: 'w1' }));
    const of = { traceparent, organizationId: org, jobId: job.id, queueName: 'emails', workerId: 'w1' };
    expect(claimed).toEqual({
      events: [statusChange(job.id, 'pending', 'processing')],
      organizations: [org],
      wakeups: [],
      spans: [{ ...of, name: 'queue wait', startTime: time, endTime: time, waitReasons: [] }],
    });
    const record = await fixture.job(job.id);
    const [wait] = claimed.spans;
    expect(new Date(wait!.startTime)).toEqual(record.created_at);
    expect(new Date(wait!.endTime)).toEqual(record.started_at);

    const { complete } = workerCommands(org);
    const completed = await effectsOf(complete({ id: job.id, leaseId: record.lease_id as string }));
    expect(completed).toEqual({
      events: [
        {
          type: 'JobCompleted',
          data: {
            job_id: job.id,
            queue_name: 'emails',
            duration_ms: expect.any(Number),
            result: '{"sent": true}',
            timestamp: time,
          },
        },
        statusChange(job.id, 'processing', 'completed'),
      ],
      organizations: [org],
      wakeups: [],
      spans: [{ ...of, name: 'attempt', startTime: time, endTime: time }],
    });
    const [attempt] = completed.spans;
    expect(new Date(attempt!.startTime)).toEqual(record.started_at);
  });

  it('that has no trace and no result', async () => {
    const job = newJob();
    await fixture.run(enqueue(org, [job]));
    const { spans } = await effectsOf(claim(org));
    const { proof } = workerCommands(org);
    const completed = await effectsOf(command('job.complete', org, { ...proof({ id: job.id }), result: null }));
    expect([...spans, ...completed.spans]).toEqual([]);
    expect(completed.events[0]!.data).not.toHaveProperty('result');
  });

  it('that becomes due later, or waits for another', async () => {
    const parent = newJob({ scheduledAt: fromNow(3_600_000).toISOString() });
    const child = newJob({ parentJobId: parent.id });
    expect(await effectsOf(enqueue(org, [parent]))).toMatchObject({ events: [{ type: 'JobCreated' }], wakeups: [] });
    expect(await effectsOf(enqueue(org, [child]))).toMatchObject({ events: [{ type: 'JobCreated' }], wakeups: [] });
    const past = newJob({ scheduledAt: fromNow(-1_000).toISOString() });
    expect((await effectsOf(enqueue(org, [past]))).wakeups).toEqual(woken);
    await fixture.run(claim(org));

    await fixture.sql('UPDATE job_queue SET due_at = now() WHERE job_id = $1', [parent.id]);
    expect((await effectsOf(claim(org))).events).toEqual([
      statusChange(parent.id, 'scheduled', 'pending'),
      statusChange(parent.id, 'pending', 'processing'),
    ]);
    expect((await effectsOf(workerCommands(org).complete(parent))).wakeups).toEqual(woken);
    expect((await effectsOf(enqueue(org, [newJob({ parentJobId: parent.id })]))).wakeups).toEqual(woken);
  });

  it('that exists already: nothing', async () => {
    const keyed = () => enqueue(org, [newJob({ idempotencyKey: 'one' })]);
    await fixture.run(keyed());
    expect(await effectsOf(keyed())).toMatchObject({ events: [], wakeups: [] });
  });

  it('that fails, becomes a dead letter, and is retried', async () => {
    const job = newJob({ maxRetries: 1 });
    const child = newJob({ parentJobId: job.id });
    await fixture.run({ ...enqueue(org, [job]), traceparent });
    await fixture.run(enqueue(org, [child]));
    const { fail } = workerCommands(org);
    // Retries before this attempt.
    const failedEvent = (retry_count: number) => ({
      type: 'JobFailed',
      data: { job_id: job.id, queue_name: 'emails', error: 'smtp says no', retry_count, timestamp: time },
    });
    await fixture.claimOne(org);
    const failed = await effectsOf(fail(job));
    expect(failed).toEqual({
      events: [failedEvent(0), statusChange(job.id, 'processing', 'pending')],
      organizations: [org],
      wakeups: [],
      spans: [
        {
          name: 'attempt',
          traceparent,
          organizationId: org,
          jobId: job.id,
          queueName: 'emails',
          workerId: 'w1',
          error: 'smtp says no',
          startTime: time,
          endTime: time,
        },
      ],
    });

    await fixture.sql('UPDATE job_queue SET due_at = now() WHERE job_id = $1', [job.id]);
    await fixture.claimOne(org);
    expect((await effectsOf(fail(job))).events).toEqual([
      failedEvent(1),
      statusChange(job.id, 'processing', 'deadletter'),
      statusChange(child.id, 'pending', 'cancelled'),
    ]);

    const retried = await effectsOf(command('job.retry', org, { jobId: job.id, queues: null, quota: unlimited }));
    expect(retried.events).toContainEqual(statusChange(job.id, 'deadletter', 'pending'));
    expect(retried.events).toContainEqual(statusChange(child.id, 'cancelled', 'pending'));
    expect(retried.wakeups).toEqual(woken);
  });
});

describe('BX-07 the span of a wait says why the job waited', () => {
  let org: string;
  beforeEach(async () => void (org = await fixture.organization()));

  const create = async (...jobs: ReturnType<typeof newJob>[]) => {
    await fixture.run({ ...enqueue(org, jobs), traceparent });
    return jobs[0]!;
  };
  /** The reasons of the jobs that one claim gets. */
  const reasons = async (limit = 9) =>
    (await effectsOf(claim(org, { limit }))).spans.map(({ waitReasons }) => waitReasons);
  const setQueue = (set: string) =>
    fixture.sql(`UPDATE queue_config SET ${set} WHERE organization_id = $1 AND queue_name = 'emails'`, [org]);
  const configure = (settings: object = {}) =>
    fixture.sql(`INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'emails', $2)`, [
      org,
      settings,
    ]);

  it('of time: for its start, and for its next attempt', async () => {
    // The first one: after a claim that was slow, the next one begins where that one ended.
    const retried = await create(newJob());
    await fixture.run(claim(org));
    await fixture.run(workerCommands(org).fail(retried));
    await create(newJob({ scheduledAt: fromNow(3_600_000).toISOString() }));
    await create(newJob({ scheduledAt: fromNow(-3_600_000).toISOString() }));
    await fixture.sql(
      `UPDATE job_queue SET due_at = current_ts() - interval '1 s' WHERE organization_id = $1 AND due_at IS NOT NULL`,
      [org],
    );
    expect(await reasons()).toEqual(expect.arrayContaining([['scheduled'], [], ['retry_backoff']]));
  });

  it('of its parents', async () => {
    const parent = await create(newJob());
    await create(newJob({ parentJobId: parent.id }));
    expect(await reasons()).toEqual([[]]);
    await fixture.run(workerCommands(org).complete(parent));
    expect(await reasons()).toEqual([['dependencies']]);
  });

  it('of a pause that has ended since it could be claimed, not of an earlier one', async () => {
    await configure();
    await setQueue('enabled = false');
    await create(newJob());
    await setQueue('enabled = true');
    await create(newJob());
    // A change that leaves the queue as it was ends no pause.
    await setQueue('enabled = true');
    expect(await reasons()).toEqual([['queue_paused'], []]);
  });

  it('of the concurrency limit of its queue, where the claim takes the last free slots', async () => {
    await configure({ concurrency: 3 });
    await create(newJob(), newJob(), newJob(), newJob());
    expect(await reasons(2)).toEqual([[], []]);
    expect(await reasons(2)).toEqual([['concurrency_limit']]);
    expect(await reasons(2)).toEqual([]);
  });
});
