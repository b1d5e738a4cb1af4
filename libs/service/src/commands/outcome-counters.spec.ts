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
