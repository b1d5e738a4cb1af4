import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpResponse, HttpConnection } from '../load/http-connection.js';
import { bulkBody } from '../load/payload.js';
import { bulkSize } from '../load/producers.js';
import { steadyTraffic, trafficOf } from '../load/traffic.js';
import { MemoryWatch } from '../measure/memory-watch.js';
import type { Window } from '../measure/window.js';
import type { BenchRun, Scenario } from '../scenario.js';

/** Per second; several times more than the machine can serve. */
const offeredRequests = 3_000;
/** Maximum of concurrent requests. */
const connectionsByDefault = 3_000;
const jobsPerSecond = 30;
const windowFactor = 3;
const queue = 'bench-overload';

export const overload: Scenario = {
  name: 'overload',
  what: 'many times more bulk enqueues than can be served: memory stays bounded, 503 has Retry-After, no acknowledged job is lost',
  onDemand: true,
  settings: ({ payloadBytes, connections }) => ({
    'payload bytes': payloadBytes,
    'jobs offered a second': offeredRequests * bulkSize,
    connections: connections[0] ?? connectionsByDefault,
    'jobs a second before and after': jobsPerSecond,
  }),
  async run(bench) {
    const { options, say, compare, measure } = bench;
    const traffic = trafficOf(bench, 'bench-steady');
    const measureSteady = (name: string) =>
      measure({ name, operationsIn: 'complete' }, (window) => steadyTraffic(window, traffic, jobsPerSecond));
    const before = await measureSteady('before');
    const acknowledged: string[] = [];
    const seconds = options.seconds * windowFactor;
    await measure({ name: 'overload', seconds }, (window) => flood(bench, window, acknowledged));
    say(`  first accepted request after ${await msUntilRecovered(bench)} ms`);
    const after = await measureSteady('after');
    compare(before, after);
    const lost = await countLost(bench, acknowledged);
    say(`  ${acknowledged.length} jobs acknowledged, ${lost} of them lost`);
    if (lost > 0) throw new Error(`${lost} acknowledged jobs are missing`);
  },
};

/**
 * Offers requests at fixed times. If no connection is free, a request is counted as not sent, so that queued requests do not
 * exhaust the memory of the generator.
 */
async function flood({ stack, options }: BenchRun, window: Window, acknowledged: string[]): Promise<void> {
  const memory = new MemoryWatch(stack.services);
  const body = bulkBody(queue, options.payloadBytes, bulkSize);
  const connections = Array.from(
    { length: options.connections[0] ?? connectionsByDefault },
    () => new HttpConnection(stack.baseUrl, stack.apiKey),
  );
  const free = [...connections];
  const inFlight = new Set<Promise<void>>();
  let notSent = 0;
  const from = performance.now();
  for (let due = 0; !window.over; await sleep(1)) {
    const upto = ((performance.now() - from) * offeredRequests) / 1_000;
    for (; due < upto; due++) {
      const connection = free.pop();
      if (!connection) {
        notSent++;
        continue;
      }
      const request = offer(connection, body, window, acknowledged).finally(() => free.push(connection));
      inFlight.add(request);
      void request.finally(() => inFlight.delete(request));
    }
  }
  await Promise.all(inFlight);
  await Promise.all(connections.map((connection) => connection.close()));
  window.figure('requests not sent', notSent);
  memory.stop(window);
}

async function offer(connection: HttpConnection, body: string, window: Window, acknowledged: string[]): Promise<void> {
  const startedAt = performance.now();
  const response = await connection.post('/api/v1/jobs/bulk', body).catch((error: Error) => error);
  if (response instanceof Error) return window.fail(response.message);
  if (response.status >= 400) return window.fail(refusalOf(response));
  const { succeeded } = JSON.parse(response.body) as { succeeded: { job_id: string }[] };
  for (const { job_id: id } of succeeded) acknowledged.push(id);
  window.count(startedAt, succeeded.length);
}

const refusalOf = ({ status, retryAfter, body }: HttpResponse): string =>
  `${status}, ${retryAfter === null ? 'WITHOUT Retry-After' : 'with Retry-After'}, ${body.slice(0, 80)}`;

/** Time until a single enqueue is accepted. */
async function msUntilRecovered({ stack }: BenchRun): Promise<number> {
  const from = performance.now();
  const connection = new HttpConnection(stack.baseUrl, stack.apiKey);
  const body = JSON.stringify({ queue_name: queue, payload: {} });
  try {
    while ((await connection.post('/api/v1/jobs', body)).status !== 201) await sleep(20);
  } finally {
    await connection.close();
  }
  return Math.round(performance.now() - from);
}

/** Acknowledged jobs that have no record or no live row. */
async function countLost({ stack }: BenchRun, acknowledged: string[]): Promise<number> {
  const atOnce = 50_000;
  let lost = 0;
  for (let i = 0; i < acknowledged.length; i += atOnce) {
    lost += await stack.number(
      `SELECT count(*) FROM unnest($1::uuid[]) AS id
       WHERE NOT EXISTS (SELECT FROM jobs WHERE jobs.id = id.id) OR NOT EXISTS (SELECT FROM job_queue WHERE job_id = id.id)`,
      [acknowledged.slice(i, i + atOnce)],
    );
  }
  return lost;
}
