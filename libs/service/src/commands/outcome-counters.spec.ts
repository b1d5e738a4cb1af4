import { type Command, type CommandKind, type Outcome, productMetrics } from '@spooled/contracts';
import { createMetrics } from '@spooled/platform';
import { countOutcomes } from './outcome-counters.js';

describe('jobs accepted', () => {
  const created = { value: { jobs: [{ created: true }, { created: false }, { created: true }] }, jobs: 2 };
  const cases: [CommandKind, { body?: object; value: object; jobs: number }][] = [
    ['job.enqueue', created],
    ['batch.add', created],
    ['workflow.create', { body: { jobs: [{}, {}, {}] }, value: {}, jobs: 3 }],
    ['schedule.trigger', { value: {}, jobs: 1 }],
    ['batch.create', { value: {}, jobs: 0 }],
  ];
  it.each(cases)('are counted for %s', async (kind, { body, value, jobs }) => {
    const metrics = createMetrics(productMetrics);
    countOutcomes(metrics)({ kind, body } as Command, { ok: true, value } as Outcome);
    expect(await metrics.registry.metrics()).toMatch(new RegExp(`^spooled_jobs_enqueued_total ${jobs}$`, 'm'));
  });
});

describe('attempts that failed', () => {
  const counters = ['failed', 'retried', 'deadlettered'];
  it.each([
    ['are retried', { willRetry: true, nextRetryDelaySecs: 1 }, [1, 1, 0]],
    ['become dead letters', { willRetry: false, nextRetryDelaySecs: 0 }, [1, 0, 1]],
    ['are neither if they end a job that was to be cancelled', { willRetry: false, cancelled: true }, [0, 0, 0]],
  ])('%s', async (_, value, expected) => {
    const metrics = createMetrics(productMetrics);
    countOutcomes(metrics)({ kind: 'job.fail' } as Command, { ok: true, value } as Outcome);
    const text = await metrics.registry.metrics();
    const counts = counters.map((name) =>
      Number(new RegExp(`^spooled_jobs_${name}_total (\\d+)$`, 'm').exec(text)?.[1]),
    );
    expect(counts).toEqual(expected);
  });
});

/** What the metrics say after the outcome of one command. */
async function counted(kind: CommandKind, outcome: object): Promise<(line: string) => boolean> {
  const metrics = createMetrics(productMetrics);
  countOutcomes(metrics)({ kind } as Command, outcome as Outcome);
  const lines = (await metrics.registry.metrics()).split('\n');
  return (line) => lines.includes(line);
}

describe('jobs that were completed', () => {
  const lost = { ok: false, error: { status: 409, code: 'LEASE_EXPIRED', message: 'expired' } };

  it.each<[CommandKind, object, number, number]>([
    ['job.complete', { durationMs: 1_500 }, 1, 1.5],
    [
      'job.completeMany',
      { outcomes: [{ ok: true, value: { durationMs: 500 } }, lost, { ok: true, value: { durationMs: null } }] },
      2,
      0.5,
    ],
  ])('are counted for %s, with the durations that are known', async (kind, value, jobs, seconds) => {
    const has = await counted(kind, { ok: true, value });
    expect(has(`spooled_jobs_completed_total ${jobs}`)).toBe(true);
    expect(has(`spooled_job_duration_seconds_sum ${seconds}`)).toBe(true);
    expect(has('spooled_job_duration_seconds_count 1')).toBe(true);
  });

  it('are not counted when the command failed', async () => {
    expect((await counted('job.complete', lost))('spooled_jobs_completed_total 0')).toBe(true);
  });
});

describe('jobs that are tried again on request', () => {
  it.each<[CommandKind, object, number]>([
    ['job.retry', {}, 1],
    ['deadletter.retry', { jobIds: ['a', 'b', 'c'] }, 3],
    ['workflow.retry', { requeuedJobs: 2 }, 2],
  ])('are counted for %s', async (kind, value, jobs) => {
    expect((await counted(kind, { ok: true, value }))(`spooled_jobs_retried_total ${jobs}`)).toBe(true);
  });
});

it('lines of logs are counted by whether they are kept', async () => {
  const has = await counted('job.appendLogs', { ok: true, value: { kept: 3, omitted: 2 } });
  expect(has('spooled_job_log_lines_total{outcome="kept"} 3')).toBe(true);
  expect(has('spooled_job_log_lines_total{outcome="omitted"} 2')).toBe(true);
});
