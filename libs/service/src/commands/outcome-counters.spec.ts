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
