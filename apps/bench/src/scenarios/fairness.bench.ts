import { setTimeout as sleep } from 'node:timers/promises';
import { withLanes } from '../load/closed-loop.js';
import { jobBody } from '../load/payload.js';
import { bulkSize } from '../load/producers.js';
import { openLoop } from '../load/open-loop.js';
import { cycles, lives, type Place, type Traffic } from '../load/traffic.js';
import type { Window } from '../measure/window.js';
import { compareSteps } from '../output/compare.js';
import type { Scenario } from '../scenario.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { createTenants } from '../stack/tenants.js';

const quietPerSecond = 10;
const floodFactor = 1_000;
const bulkLoops = 16;
const singleConnections = 64;
/** A p99 of ten a second wants a while. */
const leastWindows = 5;

type Flood = (window: Window, traffic: Traffic) => Promise<void>;

export const fairness: Scenario = {
  name: 'fairness',
  what: "BX-03: a quiet tenant's times alone, and while another tenant enqueues and claims at a thousand times its rate",
  onDemand: true,
  settings: ({ payloadBytes }) => ({
    'payload bytes': payloadBytes,
    'quiet lives a second': quietPerSecond,
    'flood by bulk, jobs a second offered': quietPerSecond * floodFactor,
    'connections of that flood': bulkLoops,
    'flood by single requests, connections': singleConnections,
  }),
  async run(bench) {
    const { stack, options, say, measure } = bench;
    const { baseUrl } = stack;
    const { payloadBytes } = options;
    const [loud] = await createTenants(stack, 1);
    const seconds = options.seconds * leastWindows;
    const quiet: Traffic = { baseUrl, payloadBytes, next: () => ({ apiKey: stack.apiKey, queue: 'bench-quiet' }) };
    const flooded: Place = { apiKey: loud!.apiKey, queue: 'bench-loud' };
    const besides = (name: string, flood: Flood) =>
      measure({ name, seconds, operationsIn: 'complete' }, async (window) => {
        const noise = { baseUrl, payloadBytes, next: () => flooded, prefix: 'flood ' };
        await Promise.all([lives(window, quiet, quietPerSecond), flood(window, noise), probeLoops(window, stack)]);
      });

    const alone = await besides('quiet alone', async () => undefined);
    const bulk = await besides('beside bulk', floodInBulk);
    const single = await besides('beside single', floodOneByOne);
    for (const step of [bulk, single]) for (const line of compareSteps(alone, step)) say(line);
  },
};

/**
 * How long gateway and engine take to answer at all, as rows of their own: what of a quiet tenant's wait is spent in front of their
 * event loops, and what behind them.
 */
async function probeLoops(window: Window, { baseUrl, ports }: BenchStack): Promise<void> {
  const probe = (row: string, base: string, path: string): Promise<void> =>
    openLoop({ baseUrl: base, apiKey: '' }, window, quietPerSecond, async (lane, dueAt) => {
      const answer = await lane.get(path).catch((error: Error) => error);
      if (answer instanceof Error) window.fail(answer.message, row);
      else window.count(dueAt, 1, row);
    });
  await Promise.all([
    probe('gateway loop', baseUrl, '/health'),
    probe('engine loop', `http://127.0.0.1:${ports.engine.metricsPort}`, '/health/live'),
  ]);
}

/** At most a thousand times the quiet rate: enqueues, claims and completions of a hundred each. */
async function floodInBulk(window: Window, traffic: Traffic): Promise<void> {
  const from = performance.now();
  const roundMs = (bulkSize * 1_000) / (quietPerSecond * floodFactor);
  let rounds = 0;
  await cycles(window, traffic, bulkLoops, async () => {
    const dueAt = from + rounds++ * roundMs;
    await sleep(Math.max(0, dueAt - performance.now()), undefined, { signal: window.signal }).catch(() => undefined);
  });
}

/** As many single requests as go: a thousand times the quiet rate is more than the machine can do. */
function floodOneByOne(window: Window, traffic: Traffic): Promise<void> {
  const { apiKey, queue } = traffic.next();
  const body = jobBody(queue, traffic.payloadBytes);
  const claim = JSON.stringify({ queue_name: queue, worker_id: 'bench', limit: 1 });
  const requests = [
    { row: 'flood enqueue', path: '/api/v1/jobs', body },
    { row: 'flood claim', path: '/api/v1/jobs/claim', body: claim },
  ];
  return withLanes(traffic.baseUrl, apiKey, singleConnections, async (lane, index) => {
    const { row, path, body: text } = requests[index % requests.length]!;
    while (!window.over) {
      const startedAt = performance.now();
      const answer = await lane.post(path, text).catch((error: Error) => error);
      if (answer instanceof Error) window.fail(answer.message, row);
      else if (answer.status >= 400) window.fail(`${answer.status} ${answer.body.slice(0, 120)}`, row);
      else window.count(startedAt, 1, row);
    }
  });
}
