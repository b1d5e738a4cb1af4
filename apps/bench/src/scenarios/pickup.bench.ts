import { setTimeout as sleep } from 'node:timers/promises';
import { type Protocol, withLanes } from '../load/closed-loop.js';
import { Completions } from '../load/completions.js';
import { GrpcConnection } from '../load/grpc-connection.js';
import { HttpConnection } from '../load/http-connection.js';
import { openLoop } from '../load/open-loop.js';
import { payloadOf } from '../load/payload.js';
import { claimJobs, type ClaimRequest, completeJobs } from '../load/work-over-rest.js';
import type { Window } from '../measure/window.js';
import type { Scenario } from '../scenario.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { PickupTimes, pickupRows } from './pickup-times.js';

const queue = 'bench-pickup';
const rates = [100, 500, 2_000];
const workers = 4;
const pollEveryMs = 100;
const claimLimit = 10;
/** Longer than any window: a claim that waits is ended by its connection. */
const waitSeconds = 20;

type Work = (stack: BenchStack, window: Window, times: PickupTimes, worker: string) => Promise<void>;

export const pickup: Scenario = {
  name: 'pickup',
  what: 'time until a job is in a worker’s hands, single POSTs at a fixed rate; from the answer to the POST, and from its send',
  settings: ({ payloadBytes }) => ({
    'payload bytes': payloadBytes,
    workers,
    'a polling worker claims': claimLimit,
    'and after an empty answer waits ms': pollEveryMs,
  }),
  async run({ stack, options, measure }) {
    const ways: [string, Work][] = [
      ['stream', byStream],
      ['polling', byPolling],
    ];
    if (await offersWaiting(stack)) ways.push(['waiting claim', byWaitingClaim]);
    for (const [name, work] of ways) {
      for (const rate of rates) {
        await stack.empty();
        const step = { name: `${name}, ${rate}/s`, settings: { rate, workers }, operationsIn: pickupRows.accepted };
        await measure(step, (window) =>
          enqueueAndWork(stack, window, { rate, payloadBytes: options.payloadBytes, work }),
        );
      }
    }
  },
};

async function enqueueAndWork(
  stack: BenchStack,
  window: Window,
  { rate, payloadBytes, work }: { rate: number; payloadBytes: number; work: Work },
): Promise<void> {
  const times = new PickupTimes(window);
  window.signal.addEventListener('abort', () => times.tellWaiting(), { once: true });
  const working = Array.from({ length: workers }, (_, i) => work(stack, window, times, `worker-${i}`));
  await enqueueAtRate(stack, window, times, rate, payloadBytes);
  await Promise.all(working);
}

/** One POST for each job; its payload says which one it is. */
function enqueueAtRate(
  protocol: Protocol,
  window: Window,
  times: PickupTimes,
  rate: number,
  payloadBytes: number,
): Promise<void> {
  const { data } = payloadOf(payloadBytes - '"n":123456,'.length);
  return openLoop(protocol, window, rate, async (lane, dueAt) => {
    const n = times.sent(dueAt);
    try {
      const answer = await lane.post('/api/v1/jobs', `{"queue_name":"${queue}","payload":{"n":${n},"data":"${data}"}}`);
      if (answer.status >= 400) return window.fail(`${answer.status} ${answer.body.slice(0, 120)}`);
      times.accepted(n);
    } catch (error) {
      window.fail((error as Error).message);
    }
  });
}

const byStream: Work = async (stack, window, times, worker) => {
  const line = new GrpcConnection(stack.grpcAddress, stack.apiKey);
  const completions = new Completions(line, worker);
  const jobs = line.streamJobs({ queue_name: queue, worker_id: worker, lease_duration_secs: 0 });
  jobs.on('error', (error) => {
    // Cancelling it is how it ends.
    if (!window.over) window.fail(`StreamJobs: ${error.message}`);
  });
  jobs.on('data', ({ id, lease_id, payload }) => {
    times.pickedUp(Number(payload?.n ?? -1));
    completions.complete({ id, lease_id }, (_, problem) => {
      if (problem) window.fail(problem);
    });
  });
  await window.whenClosed;
  jobs.cancel();
  await completions.close();
  line.close();
};

const byPolling: Work = (stack, window, times, worker) =>
  claimUntilOver(stack, window, times, { queue, worker, limit: claimLimit });

const byWaitingClaim: Work = (stack, window, times, worker) =>
  claimUntilOver(stack, window, times, { queue, worker, limit: claimLimit, waitSeconds });

/** Completes on a connection of its own, without waiting for it, as a worker with several jobs at once does. */
async function claimUntilOver(
  { baseUrl, apiKey }: Protocol,
  window: Window,
  times: PickupTimes,
  claim: ClaimRequest,
): Promise<void> {
  const completing = new HttpConnection(baseUrl, apiKey);
  const failed = (error: Error): void => {
    // A claim that still waits at the end is broken off.
    if (!window.over) window.fail(error.message);
  };
  let completed: Promise<unknown> = Promise.resolve();
  await withLanes(baseUrl, apiKey, 1, async (lane) => {
    window.signal.addEventListener('abort', () => void lane.close(), { once: true });
    while (!window.over) {
      const jobs = await claimJobs(lane, claim).catch(failed);
      for (const { payload } of jobs ?? []) times.pickedUp(payload.n!);
      if (jobs?.length) completed = completeJobs(completing, claim.worker, jobs).catch(failed);
      else if (!claim.waitSeconds)
        await sleep(pollEveryMs, undefined, { signal: window.signal }).catch(() => undefined);
    }
  });
  await completed;
  await completing.close();
}

/** Whether this build has claims that wait for work. */
async function offersWaiting({ baseUrl, apiKey }: Protocol): Promise<boolean> {
  const lane = new HttpConnection(baseUrl, apiKey);
  const { body } = await lane.get('/api/v1/openapi.json');
  await lane.close();
  return body.includes('"wait_seconds"');
}
