import type { ClaimedJob } from '@spooled/contracts';
import { command, enqueue, newJob } from '@spooled/testing';
import { useEngine, workerCommands } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();

type Ended = { id: string; organization: string; queue: string };
interface Answer {
  now: string;
  ended: (Ended & { lease: string; worker: string; traceparent: string | null; error: string | null })[];
  children: (Ended & { old: string })[];
  freed: { organization: string; queue: string }[];
}
type Item = { id: string; cause: string; error?: string };

const cancel = async (...batch: { organization: string; items: Item[] }[]): Promise<Answer> => {
  const rows = await fixture.sql<{ answer: Answer }>('SELECT cancel_attempts_v1($1) AS answer', [
    JSON.stringify(batch),
  ]);
  return rows[0]!.answer;
};
const held = async (org: string, queueName = 'emails', traceparent: string | null = null): Promise<ClaimedJob> => {
  await fixture.run({ ...enqueue(org, [newJob({ queueName })]), traceparent });
  return fixture.claimOne(org, { queueName });
};
const waiting = async (org: string, dependsOn: string[], mode: 'all' | 'any' = 'all'): Promise<string> => {
  const job = newJob();
  await fixture.run(enqueue(org, [job]));
  await fixture.run(command('job.addDependencies', org, { jobId: job.id, dependsOn, mode, queues: null }));
  return job.id;
};

describe('BX-30 attempts that are cancelled together', () => {
  it('end each with its own cause and error; what is not leased or not named goes on', async () => {
    const org = await fixture.organization();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const first = await held(org, 'emails', traceparent);
    await fixture.run(
      command('job.progress', org, { ...workerCommands(org).proof(first), progress: 40, message: 'half' }),
    );
    const second = await held(org, 'reports');
    const third = await held(org);
    const ready = newJob();
    await fixture.run(enqueue(org, [ready]));
    const failedOnce = await held(org, 'again');
    await fixture.run(workerCommands(org).fail(failedOnce));
    await fixture.pass('1 hour');
    await fixture.maintenance.activateDue(10);
    const retried = await fixture.claimOne(org, { queueName: 'again' });

    const { now, ended, children, freed } = await cancel({
      organization: org,
      items: [
        { id: first.id, cause: 'acknowledged', error: 'stopped by hand' },
        { id: second.id, cause: 'forced' },
        { id: retried.id, cause: 'released' },
        { id: ready.id, cause: 'forced', error: 'never' },
      ],
    });
    const of = (job: ClaimedJob, queue: string, more: object) => ({
      id: job.id,
      organization: org,
      queue,
      lease: job.leaseId,
      worker: 'w1',
      started_at: expect.any(String),
      traceparent: null,
      error: null,
      ...more,
    });
    expect(ended).toHaveLength(3);
    expect(ended).toEqual(
      expect.arrayContaining([
        of(first, 'emails', { traceparent, error: 'stopped by hand' }),
        of(second, 'reports', {}),
        of(retried, 'again', {}),
      ]),
    );
    expect([children, freed]).toEqual([[], []]);

    const at = new Date(now);
    const isCancelled = { status: 'cancelled', completed_at: at, updated_at: at };
    const common = { ...isCancelled, assigned_worker_id: 'w1', started_at: expect.any(Date) };
    expect(await fixture.job(first.id)).toMatchObject({ ...common, last_error: 'stopped by hand', retry_count: 0 });
    expect(await fixture.job(second.id)).toMatchObject({ ...common, last_error: null, retry_count: 0 });
    expect(await fixture.job(retried.id)).toMatchObject({ ...common, last_error: 'smtp says no', retry_count: 1 });
    expect(await fixture.job(third.id)).toMatchObject({ status: 'processing', last_error: null });
    expect(await fixture.job(ready.id)).toMatchObject({ status: 'pending', last_error: null });

    const times = await fixture.sql('SELECT id FROM jobs WHERE organization_id = $1 AND cancelled_at = completed_at', [
      org,
    ]);
    expect(times).toHaveLength(3);
    const past = await fixture.sql(
      `SELECT job_id, at, attempt, worker_id, lease_id, error, details FROM job_history
       WHERE organization_id = $1 AND event = 'cancelled'`,
      [org],
    );
    const entry = (job: ClaimedJob, more: object) => ({
      job_id: job.id,
      at,
      attempt: 1,
      worker_id: 'w1',
      lease_id: job.leaseId,
      error: null,
      ...more,
    });
    expect(past).toHaveLength(3);
    expect(past).toEqual(
      expect.arrayContaining([
        entry(first, {
          error: 'stopped by hand',
          details: { reason: 'acknowledged', progress: 40, progress_message: 'half' },
        }),
        entry(second, { details: { reason: 'forced' } }),
        entry(retried, { attempt: 2, details: { reason: 'released' } }),
      ]),
    );
    const live = await fixture.sql('SELECT job_id FROM job_queue WHERE organization_id = $1', [org]);
    expect(new Set(live.map(({ job_id: id }) => id))).toEqual(new Set([third.id, ready.id]));
  });

  it('count once each, in the hours of their queues', async () => {
    const org = await fixture.organization();
    const counts = () =>
      fixture.sql(
        `SELECT queue_name, sum(cancelled)::int AS cancelled FROM job_stats
         WHERE organization_id = $1 AND hour IN (SELECT date_trunc('hour', completed_at) FROM jobs WHERE organization_id = $1) GROUP BY queue_name ORDER BY queue_name`,
        [org],
      );
    const items = async (...queues: string[]) => {
      const found: Item[] = [];
      for (const queue of queues) found.push({ id: (await held(org, queue)).id, cause: 'forced' });
      return { organization: org, items: found };
    };
    await cancel(await items('emails', 'reports', 'emails'));
    await cancel(await items('emails'));
    expect(await counts()).toEqual([
      { queue_name: 'emails', cancelled: 3 },
      { queue_name: 'reports', cancelled: 1 },
    ]);
  });

  it('SP-50 cancel the jobs that cannot run without them, each in its own organization', async () => {
    const [one, other] = [await fixture.organization(), await fixture.organization()];
    const parents = [await held(one), await held(other)];
    const childless = await held(one, 'reports');
    const [child, theirs] = [await waiting(one, [parents[0]!.id]), await waiting(other, [parents[1]!.id])];
    const running = await held(one, 'elsewhere');
    const optional = await waiting(one, [parents[0]!.id, running.id], 'any');
    const unrelated = await waiting(one, [running.id]);
    const part = (organization: string, ...jobs: { id: string }[]) => ({
      organization,
      items: jobs.map(({ id }) => ({ id, cause: 'forced' })),
    });
    const { ended, children } = await cancel(part(one, parents[0]!, childless), part(other, parents[1]!));
    expect(ended.map(({ id, organization }) => [id, organization])).toEqual(
      expect.arrayContaining([
        [parents[0]!.id, one],
        [childless.id, one],
        [parents[1]!.id, other],
      ]),
    );
    expect(children).toEqual([
      { id: child, organization: one, queue: 'emails', old: 'pending' },
      { id: theirs, organization: other, queue: 'emails', old: 'pending' },
    ]);
    expect(await fixture.job(child)).toMatchObject({ status: 'cancelled' });
    expect(await fixture.job(optional)).toMatchObject({ status: 'pending' });
    expect(await fixture.job(unrelated)).toMatchObject({ status: 'pending' });
  });

  it('free places of queues that bound how many run at once', async () => {
    const org = await fixture.organization();
    await fixture.sql(
      `INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'emails', '{"concurrency": 2}'),
         ($1, 'idle', '{"concurrency": 2}')`,
      [org],
    );
    const items = [];
    for (const queue of ['emails', 'emails', 'reports'])
      items.push({ id: (await held(org, queue)).id, cause: 'forced' });
    const { freed } = await cancel({ organization: org, items });
    expect(freed).toEqual([{ organization: org, queue: 'emails' }]);
  });
});
