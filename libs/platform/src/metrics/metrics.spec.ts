import { createMetrics } from './metrics.js';

const declarations = {
  greetings: { type: 'counter', name: 'greetings_total', help: 'Greetings.', labels: ['tone'] },
  waiting: { type: 'gauge', name: 'waiting', help: 'Guests.' },
  wait: { type: 'histogram', name: 'wait_seconds', help: 'Wait.', buckets: [0.1, 1] },
} as const;

describe('createMetrics', () => {
  it('exports counters and process metrics', async () => {
    const metrics = createMetrics(declarations);
    metrics.greetings.inc({ tone: 'warm' });
    metrics.wait.observe(0.5);
    const text = await metrics.text();
    expect(text).toContain('greetings_total{tone="warm"} 1');
    expect(text).toContain('wait_seconds_bucket{le="1"} 1');
    expect(text).toContain('process_cpu_seconds_total');
    expect(metrics.contentType).toContain('text/plain; version=0.0.4');
  });

  it('omits a gauge that this process never set, so that sums over processes are correct', async () => {
    const metrics = createMetrics(declarations);
    expect(await metrics.text()).not.toMatch(/^waiting /m);
    metrics.waiting.set(0);
    expect(await metrics.text()).toMatch(/^waiting 0$/m);
  });

  it('updates a gauge at each scrape; after a failure it is reported and omitted, not stale', async () => {
    const failures: string[] = [];
    const metrics = createMetrics(declarations, { onError: (metric) => failures.push(metric) });
    const answers = [() => Promise.resolve(7), () => Promise.reject(new Error('database down'))];
    metrics.onScrape('waiting', async (gauge) => gauge.set(await answers.shift()!()));
    expect(await metrics.text()).toMatch(/^waiting 7$/m);
    expect(await metrics.text()).not.toMatch(/^waiting /m);
    expect(failures).toEqual(['waiting']);
  });

  it('keeps the metrics of two services in one process apart', async () => {
    const [one, two] = [createMetrics(declarations), createMetrics(declarations)];
    one.greetings.inc({ tone: 'warm' });
    expect(await two.text()).not.toContain('tone="warm"');
  });
});
