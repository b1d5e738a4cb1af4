import type { ClaimedJob } from '@spooled/contracts';
import { claim, command, enqueue, newJob } from '@spooled/testing';
import { EffectsBuilder } from '../step/effects.js';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';
import { TestWorkflow } from '../testing/workflow-steps.fixture.js';
import { completeIn } from './complete-in.js';
import { completeBatch } from './complete.js';

const fixture = useEngine();
let org: string;
beforeEach(async () => void (org = await fixture.organization()));

const traceparent = (n: number) => `00-0af7651916cd43dd8448eb211c80319c-b7ad6b71692033${n}${n}-01`;
const completionWebhook = 'http://localhost:9/done';

/** Three jobs that started 10 minutes ago, after waiting for 5: the second by another worker, after a failed attempt, and renewed. */
async function running(): Promise<ClaimedJob[]> {
  const jobs: ClaimedJob[] = [];
  for (let n = 0; n < 3; n++) {
    const job = newJob({ priority: 9 - n, maxRetries: 3, ...(n === 2 && { completionWebhook }) });
    await fixture.run({ ...enqueue(org, [job]), traceparent: traceparent(n) });
    jobs.push(await fixture.claimOne(org, { workerId: n === 1 ? 'w2' : 'w1', leaseSeconds: 60 }));
  }
  await fixture.sql(
    `UPDATE job_queue SET started_at = current_ts() - interval '10 min', created_at = current_ts() - interval '15 min' WHERE organization_id = $1`,
    [org],
  );
  await fixture.sql(`UPDATE job_queue SET retry_count = 1, last_error = 'before', renewed = true WHERE job_id = $1`, [
    jobs[1]!.id,
  ]);
  fixture.effects.length = 0;
  return jobs;
}

const complete = (job: ClaimedJob, n: number) =>
  command('job.complete', org, {
    ...workerCommands(org).proof(job, { workerId: n === 1 ? 'w2' : 'w1' }),
    result: `{"n": ${n}}`,
  });
const completeAll = (jobs: ClaimedJob[]) => fixture.engine.execute(jobs.map(complete));
/** Rounded: half a minute may pass until they are completed. */
const minutes = (expression: string) => `round(extract(epoch FROM ${expression}) / 60)::int`;

describe('completions of one batch', () => {
  it('keep each its own result, worker, lease and attempts', async () => {
    const jobs = await running();
    await completeAll(jobs);
    const records = await fixture.sql(
      `SELECT id, outcome, result::text AS result, assigned_worker_id AS worker, lease_id, retry_count, last_error,
         ${minutes('completed_at - started_at')} AS ran, ${minutes('lease_expires_at - completed_at')} AS left, completed_at = updated_at AS at_once
       FROM jobs WHERE organization_id = $1 ORDER BY priority DESC`,
      [org],
    );
    expect(records).toEqual(
      jobs.map(({ id, leaseId }, n) => ({
        id,
        outcome: 'completed',
        result: `{"n": ${n}}`,
        worker: n === 1 ? 'w2' : 'w1',
        lease_id: leaseId,
        retry_count: n === 1 ? 1 : 0,
        last_error: n === 1 ? 'before' : null,
        ran: 10,
        left: expect.any(Number),
        at_once: true,
      })),
    );
    expect(await fixture.sql('SELECT FROM job_queue WHERE organization_id = $1', [org])).toEqual([]);
  });

  it('are answered and traced each with its own duration', async () => {
    const jobs = await running();
    await fixture.sql(`UPDATE job_queue SET started_at = current_ts() - interval '4 min' WHERE job_id = $1`, [
      jobs[0]!.id,
    ]);
    const outcomes = await completeAll(jobs);
    const durations = outcomes.map(
      (outcome) => outcome.ok && Math.round((outcome.value as { durationMs: number }).durationMs / 60_000),
    );
    expect(durations).toEqual([4, 10, 10]);
    const spans = fixture.effects.flatMap((effects) => effects.spans).filter((span) => span.organizationId === org);
    const took = ({ startTime, endTime }: { startTime: string; endTime: string }) =>
      Math.round((Date.parse(endTime) - Date.parse(startTime)) / 60_000);
    expect(spans.map((span) => [span.jobId, span.traceparent, took(span)]).sort()).toEqual(
      jobs.map(({ id }, n) => [id, traceparent(n), durations[n]]).sort(),
    );
  });

  it('that have one job are traced and counted as well', async () => {
    const [first] = await running();
    await completeAll([first!]);
    const spans = fixture.effects.flatMap((effects) => effects.spans).filter((span) => span.organizationId === org);
    expect(spans).toMatchObject([{ jobId: first!.id, traceparent: traceparent(0) }]);
    expect(
      await fixture.sql('SELECT workers, jobs FROM worker_counts WHERE organization_id = $1 AND NOT failed', [org]),
    ).toEqual([{ workers: ['w1'], jobs: [1] }]);
  });

  it('are counted once, with how long they waited and ran, and by their workers', async () => {
    // Jobs run until they are completed, and how long that takes is up to the machine.
    const totals = () =>
      fixture.sql(
        `SELECT sum(completed)::int AS completed, round(sum(wait_ms) / 60000.0)::int AS waited,
           round((sum(run_ms) - (SELECT sum(extract(epoch FROM completed_at - started_at)) * 1000 FROM jobs
             WHERE organization_id = $1)) / 1000.0)::int AS ran_longer_than_recorded,
           (count(*) / count(DISTINCT hour))::int AS rows FROM job_stats WHERE organization_id = $1 AND completed > 0`,
        [org],
      );
    await completeAll(await running());
    expect(await totals()).toEqual([{ completed: 3, waited: 15, ran_longer_than_recorded: 0, rows: 1 }]);
    const counts = await fixture.sql('SELECT failed, workers, jobs FROM worker_counts WHERE organization_id = $1', [
      org,
    ]);
    expect(counts).toHaveLength(1);
    const [{ workers, jobs, failed }] = counts as [{ workers: string[]; jobs: number[]; failed: boolean }];
    expect([failed, Object.fromEntries(workers.map((worker, i) => [worker, jobs[i]]))]).toEqual([
      false,
      { w1: 2, w2: 1 },
    ]);
    await completeAll(await running());
    expect(await totals()).toEqual([{ completed: 6, waited: 30, ran_longer_than_recorded: 0, rows: 1 }]);
  });

  it('count no wait before the time that a job was scheduled for', async () => {
    const jobs = await running();
    await fixture.sql(`UPDATE job_queue SET due_at = started_at + interval '1 min' WHERE job_id = $1`, [jobs[0]!.id]);
    await fixture.sql(`UPDATE job_queue SET due_at = started_at - interval '2 min' WHERE job_id = $1`, [jobs[1]!.id]);
    await completeAll(jobs);
    const [row] = await fixture.sql(
      'SELECT round(sum(wait_ms) / 60000.0)::int AS waited FROM job_stats WHERE organization_id = $1 AND completed > 0',
      [org],
    );
    expect(row).toEqual({ waited: 7 });
  });

  it('SP-53 are delivered to the webhook of each job that has one, and to subscribers with their results', async () => {
    const deliveries = () =>
      fixture.sql(
        `SELECT event, job_id, payload -> 'result' ->> 'n' AS result FROM webhook_deliveries WHERE organization_id = $1 ORDER BY event, result`,
        [org],
      );
    const jobs = await running();
    await completeAll(jobs);
    expect(await deliveries()).toMatchObject([{ job_id: jobs[2]!.id }]);
    await fixture.sql('DELETE FROM webhook_deliveries');
    await fixture.sql(
      `INSERT INTO outgoing_webhooks (organization_id, name, url, events) VALUES ($1, 'all', 'http://localhost:9/', '{job.completed}')`,
      [org],
    );
    // The one between them continues.
    const [first, , third] = await running();
    await fixture.engine.execute([complete(first!, 0), complete(third!, 2)]);
    const ofThird = { event: 'job.completed', job_id: third!.id, result: '2' };
    expect(await deliveries()).toEqual([
      { event: 'job.completed', job_id: first!.id, result: '0' },
      ...[ofThird, ofThird],
    ]);
  });

  it('SP-49 release the jobs that wait for them, and no others', async () => {
    const [first, second, third] = await running();
    const children = [newJob(), newJob()];
    await fixture.run(enqueue(org, children));
    for (const [i, parent] of [first!, third!].entries())
      await fixture.run(
        command('job.addDependencies', org, {
          jobId: children[i]!.id,
          dependsOn: [parent.id],
          mode: null,
          queues: null,
        }),
      );
    await completeAll([first!, second!]);
    const met = await fixture.sql(
      'SELECT job_id FROM job_queue WHERE organization_id = $1 AND dependencies_met AND state = $2',
      [org, 'ready'],
    );
    expect(met).toEqual([{ job_id: children[0]!.id }]);
    expect((await fixture.run(claim(org, { limit: 9 }))).jobs.map(({ id }) => id)).toEqual([children[0]!.id]);
  });

  it('SP-25 by the name of the worker complete only the job that is named', async () => {
    const [first, , third] = await running();
    await fixture.run(workerCommands(org).complete({ id: third!.id }));
    const rows = await fixture.sql('SELECT job_id FROM job_queue WHERE organization_id = $1 AND worker_id = $2', [
      org,
      'w1',
    ]);
    expect(rows).toEqual([{ job_id: first!.id }]);
  });

  it('SP-25 are refused outside the queues of a key, also when all of the batch name queues', async () => {
    const jobs = await running();
    const scoped = (job: ClaimedJob, n: number) => {
      const { body, ...rest } = complete(job, n);
      return { ...rest, body: { ...body, queues: ['bills'] } };
    };
    const outcomes = await fixture.engine.execute(jobs.map(scoped));
    expect(outcomes).toMatchObject(jobs.map(() => ({ ok: false, error: { status: 404 } })));
  });

  it('are measured, and end the leases that were renewed in the lease store', async () => {
    const jobs = await running();
    const effects = new EffectsBuilder();
    await fixture.db.inBatch((tx) => completeBatch()(tx, jobs.map(complete), effects));
    const run = jobs.map(({ queueName }) => ({ organizationId: org, queueName, ms: { run: expect.any(Number) } }));
    expect(effects.durations).toEqual(run);
    const renewed = { organizationId: org, jobId: jobs[1]!.id, leaseId: jobs[1]!.leaseId };
    expect(effects.leases).toMatchObject({ toEnd: [renewed], toKeep: [] });
  });

  it('SP-25 with an expired lease is accepted where Redis holds it longer', async () => {
    const [first, second] = await running();
    await fixture.sql(
      `UPDATE job_queue SET lease_expires_at = current_ts() - interval '1 s' WHERE organization_id = $1`,
      [org],
    );
    const completing = (job: ClaimedJob, extended: boolean) =>
      fixture.sql<{ accepted: number }>(
        `SELECT json_array_length(complete_part_v1($1, '{1}', ARRAY[$2::uuid], '{w1}', ARRAY[$3], NULL, ARRAY[$4::boolean], NULL) -> 'done' -> 'id') AS accepted`,
        [org, job.id, job.leaseId, extended],
      );
    expect(await completing(second!, true)).toEqual([{ accepted: 0 }]);
    expect(await completing(first!, false)).toEqual([{ accepted: 0 }]);
    expect(await completing(first!, true)).toEqual([{ accepted: 1 }]);
  });
});

describe('BX-18 a completion in a transaction of the caller', () => {
  it('updates the workflow of the job, and leaves it to the caller to publish the rest', async () => {
    const flow = await TestWorkflow.create(fixture, org, { first: {}, last: { on: ['first'] } });
    await flow.claim();
    fixture.effects.length = 0;
    const { effects, durations } = await fixture.db.inBatch((tx) => completeIn(tx, flow.completion('first')));
    expect(await flow.status()).toBe('running');
    expect(fixture.effects).toEqual([]);
    expect(effects).toMatchObject({ events: [], wakeups: [{ organizationId: org, queueName: 'emails' }] });
    expect(durations).toEqual([{ organizationId: org, queueName: 'emails', ms: { run: expect.any(Number) } }]);
  });

  it('SP-25 is refused without the lease, after which the transaction goes on', async () => {
    const [job] = await running();
    const completed = await fixture.db.inBatch(async (tx) => {
      const foreign = { ...complete(job!, 0), organizationId: await fixture.organization() };
      await expect(completeIn(tx, foreign)).rejects.toMatchObject({ status: 404, message: 'Job not found' });
      return completeIn(tx, complete(job!, 0));
    });
    expect(completed.effects.spans).toMatchObject([{ jobId: job!.id }]);
    expect(await fixture.job(job!.id)).toMatchObject({ status: 'completed' });
  });
});
