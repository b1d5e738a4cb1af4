import { setTimeout as sleep } from 'node:timers/promises';
import { withConnections } from '../load/closed-loop.js';
import { countRequest } from '../load/http-connection.js';
import { bulkBody, jobBody } from '../load/payload.js';
import { bulkSize } from '../load/producers.js';
import { openLoop, probeLoop } from '../load/open-loop.js';
import { cycles, steadyTraffic, type Traffic, trafficOf } from '../load/traffic.js';
import type { Window } from '../measure/window.js';
import type { Scenario } from '../scenario.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { createTenants } from '../stack/tenants.js';

const quietPerSecond = 10;
const quietBulksPerSecond = 5;
const quietBulkSize = 20;
const floodFactor = 1_000;
const bulkLoops = 16;
const singleConnections = 64;
/** At ten requests per second a p99 needs a longer window. */
const windowFactor = 5;

type Flood = (window: Window, traffic: Traffic) => Promise<void>;

export const fairness: Scenario = {
  name: 'fairness',
  what: 'BX-03: latencies of a quiet tenant alone, and while another tenant sends a thousand times as much',
  onDemand: true,
  settings: ({ payloadBytes }) => ({
    'payload bytes': payloadBytes,
    'quiet jobs a second': quietPerSecond,
    'quiet bulk requests a second': quietBulksPerSecond,
    'jobs in each of them': quietBulkSize,
    'flood by bulk, jobs a second offered': quietPerSecond * floodFactor,
    'connections of that flood': bulkLoops,
    'flood by single requests, connections': singleConnections,
  }),
  async run(bench) {
    const { stack, options, compare, measure } = bench;
    const [noisy] = await createTenants(stack, 1);
    const seconds = options.seconds * windowFactor;
    const quiet = trafficOf(bench, 'bench-quiet');
    const noise = trafficOf(bench, () => ({ apiKey: noisy!.apiKey, queue: 'bench-noisy' }), 'flood ');
    const measureWith = (name: string, flood: Flood) =>
      measure({ name, seconds, operationsIn: 'complete' }, async (window) => {
        await Promise.all([
          steadyTraffic(window, quiet, quietPerSecond),
          quietBulks(window, quiet),
          flood(window, noise),
          probeLoops(window, stack),
        ]);
      });

    const alone = await measureWith('quiet alone', async () => undefined);
    const bulk = await measureWith('during bulk flood', floodInBulk);
    const single = await measureWith('during single flood', floodOneByOne);
    for (const step of [bulk, single]) compare(alone, step);
  },
};

/** Small bulk requests of the quiet tenant, in a row of their own. Their jobs stay, in a queue that nobody claims from. */
function quietBulks(window: Window, { baseUrl, payloadBytes, next }: Traffic): Promise<void> {
  const { apiKey } = next();
  const body = bulkBody('bench-quiet-bulk', payloadBytes, quietBulkSize);
  return openLoop({ baseUrl, apiKey }, window, quietBulksPerSecond, async (connection, dueAt) => {
    await countRequest(connection.post('/api/v1/jobs/bulk', body), window, 'bulk', dueAt);
  });
}

/**
 * Response times of health checks of gateway and engine, as rows of their own: the part of a quiet tenant's latency that is spent
 * waiting for their event loops.
 */
async function probeLoops(window: Window, { baseUrl, ports }: BenchStack): Promise<void> {
  const engine = { baseUrl: `http://127.0.0.1:${ports.engine.metricsPort}`, path: '/health/live' };
  await Promise.all([
    probeLoop(window, 'gateway loop', { baseUrl, path: '/health', perSecond: quietPerSecond }),
    probeLoop(window, 'engine loop', { ...engine, perSecond: quietPerSecond }),
  ]);
}

/** At most a thousand times the quiet rate, in batches of a hundred. */
async function floodInBulk(window: Window, traffic: Traffic): Promise<void> {
  const from = performance.now();
  const roundMs = (bulkSize * 1_000) / (quietPerSecond * floodFactor);
  let rounds = 0;
  await cycles(window, traffic, bulkLoops, async () => {
    const dueAt = from + rounds++ * roundMs;
    await sleep(Math.max(0, dueAt - performance.now()), undefined, { signal: window.signal }).catch(() => undefined);
  });
}

/** Single requests in a closed loop: a thousand times the quiet rate is more than the machine can serve. */
function floodOneByOne(window: Window, traffic: Traffic): Promise<void> {
  const { apiKey, queue } = traffic.next();
  const body = jobBody(queue, traffic.payloadBytes);
  const claim = JSON.stringify({ queue_name: queue, worker_id: 'bench', limit: 1 });
  const requests = [
    { row: 'flood enqueue', path: '/api/v1/jobs', body },
    { row: 'flood claim', path: '/api/v1/jobs/claim', body: claim },
  ];
  return withConnections(traffic.baseUrl, apiKey, singleConnections, async (connection, index) => {
    const { row, path, body: text } = requests[index % requests.length]!;
    while (!window.over) await countRequest(connection.post(path, text), window, row, performance.now());
  });
}
