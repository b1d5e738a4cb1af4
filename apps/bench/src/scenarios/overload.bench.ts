import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpResponse, HttpConnection } from '../load/http-connection.js';
import { bulkBody } from '../load/payload.js';
import { bulkSize } from '../load/producers.js';
import { lives } from '../load/traffic.js';
import { MemoryWatch } from '../measure/memory-watch.js';
import type { Window } from '../measure/window.js';
import { compareSteps } from '../output/compare.js';
import type { BenchRun, Scenario } from '../scenario.js';

/** Several times of what the machine can do. */
const offeredRequests = 3_000;
/** So many requests wait at the same time at most. */
const connectionsByDefault = 3_000;
const livesPerSecond = 30;
const leastWindows = 3;
const queue = 'bench-overload';

export const overload: Scenario = {
  name: 'overload',
  what: 'many times more bulk enqueues than can be done: memory stays bounded, 503 says when to come back, nothing acknowledged is lost',
  onDemand: true,
  settings: ({ payloadBytes, connections }) => ({
    'payload bytes': payloadBytes,
    'jobs offered a second': offeredRequests * bulkSize,
    connections: connections[0] ?? connectionsByDefault,
    'lives a second before and after': livesPerSecond,
  }),
  async run(bench) {
    const { stack, options, say, measure } = bench;
    const place = { apiKey: stack.apiKey, queue: 'bench-steady' };
    const traffic = { baseUrl: stack.baseUrl, payloadBytes: options.payloadBytes, next: () => place };
    const calm = (name: string) =>
      measure({ name, operationsIn: 'complete' }, (window) => lives(window, traffic, livesPerSecond));
    const before = await calm('before');
    const acknowledged: string[] = [];
    const seconds = options.seconds * leastWindows;
    await measure({ name: 'overload', seconds }, (window) => flood(bench, window, acknowledged));
    say(`  answers normally again after ${await msUntilCalm(bench)} ms`);
    const after = await calm('after');
    for (const line of compareSteps(before, after)) say(line);
    const lost = await countLost(bench, acknowledged);
    say(`  ${acknowledged.length} jobs acknowledged, ${lost} of them lost`);
    if (lost > 0) throw new Error(`${lost} acknowledged jobs are not there`);
  },
};

/**
 * Offers requests at fixed times. One that finds every connection waiting for an answer is not sent and counted so: a client
 * has only so many, and the generator's own memory must not be what is measured.
 */
async function flood({ stack, options }: BenchRun, window: Window, acknowledged: string[]): Promise<void> {
  const memory = new MemoryWatch(stack.services);
  const body = bulkBody(queue, options.payloadBytes, bulkSize);
  const lanes = Array.from(
    { length: options.connections[0] ?? connectionsByDefault },
    () => new HttpConnection(stack.baseUrl, stack.apiKey),
  );
  const free = [...lanes];
  const underWay = new Set<Promise<void>>();
  let notSent = 0;
  const from = performance.now();
  for (let due = 0; !window.over; await sleep(1)) {
    const upto = ((performance.now() - from) * offeredRequests) / 1_000;
    for (; due < upto; due++) {
      const lane = free.pop();
      if (!lane) {
        notSent++;
        continue;
      }
      const one = offer(lane, body, window, acknowledged).finally(() => free.push(lane));
      underWay.add(one);
      void one.finally(() => underWay.delete(one));
    }
  }
  await Promise.all(underWay);
  await Promise.all(lanes.map((lane) => lane.close()));
  window.figure('requests not sent', notSent);
  for (const [name, value] of Object.entries(memory.stop())) window.figure(name, value);
}

async function offer(lane: HttpConnection, body: string, window: Window, acknowledged: string[]): Promise<void> {
  const startedAt = performance.now();
  const answer = await lane.post('/api/v1/jobs/bulk', body).catch((error: Error) => error);
  if (answer instanceof Error) return window.fail(answer.message);
  if (answer.status >= 400) return window.fail(refusalOf(answer));
  const { succeeded } = JSON.parse(answer.body) as { succeeded: { job_id: string }[] };
  for (const { job_id: id } of succeeded) acknowledged.push(id);
  window.count(startedAt, succeeded.length);
}

const refusalOf = ({ status, retryAfter, body }: HttpResponse): string =>
  `${status}, ${retryAfter === null ? 'WITHOUT Retry-After' : 'with Retry-After'}, ${body.slice(0, 80)}`;

/** Time until a single enqueue is accepted at once. */
async function msUntilCalm({ stack }: BenchRun): Promise<number> {
  const from = performance.now();
  const lane = new HttpConnection(stack.baseUrl, stack.apiKey);
  const body = JSON.stringify({ queue_name: queue, payload: {} });
  try {
    while ((await lane.post('/api/v1/jobs', body)).status !== 201) await sleep(20);
  } finally {
    await lane.close();
  }
  return Math.round(performance.now() - from);
}

/** Acknowledged jobs that have no record or no live row. */
async function countLost({ stack }: BenchRun, acknowledged: string[]): Promise<number> {
  const atOnce = 50_000;
  let lost = 0;
  for (let i = 0; i < acknowledged.length; i += atOnce) {
    const { rows } = await stack.superuser.query<{ lost: string }>(
      `SELECT count(*) AS lost FROM unnest($1::uuid[]) AS id
       WHERE NOT EXISTS (SELECT FROM jobs WHERE jobs.id = id.id) OR NOT EXISTS (SELECT FROM job_queue WHERE job_id = id.id)`,
      [acknowledged.slice(i, i + atOnce)],
    );
    lost += Number(rows[0]?.lost);
  }
  return lost;
}
