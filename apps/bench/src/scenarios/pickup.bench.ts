import { setTimeout as sleep } from 'node:timers/promises';
import { type Endpoint, withConnections } from '../load/closed-loop.js';
import { accepted, HttpConnection } from '../load/http-connection.js';
import { openLoop } from '../load/open-loop.js';
import { payloadOf } from '../load/payload.js';
import { streamJobs } from '../load/stream-worker.js';
import { claimJobs, type ClaimRequest, completeJobs } from '../load/work-over-rest.js';
import type { Window } from '../measure/window.js';
import type { Scenario } from '../scenario.js';
import type { BenchStack } from '../stack/bench-stack.js';

const queue = 'bench-pickup';
const rates = [100, 500, 2_000];
const workers = 4;
const pollEveryMs = 100;
const claimLimit = 10;
/** Longer than any window; closing the connection ends a waiting claim. */
const waitSeconds = 20;

type Work = (stack: BenchStack, window: Window, times: PickupTimes, worker: string) => Promise<void>;

export const pickup: Scenario = {
  name: 'pickup',
  what: 'time until a worker has the job, single POSTs at a fixed rate; measured from the response to the POST and from its send',
  settings: ({ payloadBytes }) => ({
    'payload bytes': payloadBytes,
    workers,
    'a polling worker claims': claimLimit,
    'delay after an empty claim, ms': pollEveryMs,
  }),
  async run({ stack, options, measure }) {
    const modes: [string, Work][] = [
      ['stream', byStream],
      ['polling', byPolling],
      ['waiting claim', byWaitingClaim],
    ];
    for (const [name, work] of modes) {
      for (const rate of rates) {
        await stack.empty();
        const step = { name: `${name}, ${rate}/s`, settings: { rate, workers }, operationsIn: pickupRows.accepted };
        await measure(step, async (window) => {
          const times = new PickupTimes(window);
          window.signal.addEventListener('abort', () => times.reportWaiting(), { once: true });
          const working = Array.from({ length: workers }, (_, i) => work(stack, window, times, `worker-${i}`));
          await enqueueAtRate(stack, window, times, rate, options.payloadBytes);
          await Promise.all(working);
        });
      }
    }
  },
};

/** One POST per job; the payload contains the number of the job. */
function enqueueAtRate(
  protocol: Endpoint,
  window: Window,
  times: PickupTimes,
  rate: number,
  payloadBytes: number,
): Promise<void> {
  const { data } = payloadOf(payloadBytes - '"n":123456,'.length);
  return openLoop(protocol, window, rate, async (connection, dueAt) => {
    const n = times.sent(dueAt);
    const body = `{"queue_name":"${queue}","payload":{"n":${n},"data":"${data}"}}`;
    if (await accepted(connection.post('/api/v1/jobs', body), window)) times.accepted(n);
  });
}

const byStream: Work = async (stack, window, times, worker) => {
  const request = { queue_name: queue, worker_id: worker, lease_duration_secs: 0, prefetch: 64 };
  await streamJobs(stack, window, request, (job, completions) => {
    times.pickedUp(Number(job.payload?.n ?? -1));
    completions.complete(job, (_, problem) => {
      if (problem) window.fail(problem);
    });
  });
};

const byPolling: Work = (stack, window, times, worker) =>
  claimUntilOver(stack, window, times, { queue, worker, limit: claimLimit });

const byWaitingClaim: Work = (stack, window, times, worker) =>
  claimUntilOver(stack, window, times, { queue, worker, limit: claimLimit, waitSeconds });

/** Completes over a second connection and does not wait for it, as a worker with several concurrent jobs does. */
async function claimUntilOver(
  { baseUrl, apiKey }: Endpoint,
  window: Window,
  times: PickupTimes,
  claim: ClaimRequest,
): Promise<void> {
  const completing = new HttpConnection(baseUrl, apiKey);
  const failed = (error: Error): void => {
    // A claim that still waits at the end is aborted.
    if (!window.over) window.fail(error.message);
  };
  let completed: Promise<unknown> = Promise.resolve();
  await withConnections(baseUrl, apiKey, 1, async (connection) => {
    window.signal.addEventListener('abort', () => void connection.close(), { once: true });
    while (!window.over) {
      const jobs = await claimJobs(connection, claim).catch(failed);
      for (const { payload } of jobs ?? []) times.pickedUp(payload.n!);
      if (jobs?.length) completed = completeJobs(completing, claim.worker, jobs).catch(failed);
      else if (!claim.waitSeconds)
        await sleep(pollEveryMs, undefined, { signal: window.signal }).catch(() => undefined);
    }
  });
  await completed;
  await completing.close();
}

const pickupRows = { accepted: 'from the response', sent: 'from the send' };

/** When each job was sent, accepted and received by a worker; jobs are numbered. */
class PickupTimes {
  private readonly sentAt: number[] = [];
  private readonly acceptedAt: (number | undefined)[] = [];
  private readonly wasPickedUp: boolean[] = [];

  constructor(private readonly window: Window) {}

  /** @returns the job's number */
  sent(at: number): number {
    return this.sentAt.push(at) - 1;
  }

  accepted(n: number): void {
    this.acceptedAt[n] = performance.now();
    // A worker received it before the producer received the response.
    if (this.wasPickedUp[n]) this.window.record(0, pickupRows.accepted);
  }

  /** Reports the jobs that no worker has received yet, which the latencies do not include. */
  reportWaiting(): void {
    const now = performance.now();
    const waiting = this.sentAt.filter((_, n) => !this.wasPickedUp[n]);
    if (waiting.length === 0) return;
    this.window.figure('not picked up', waiting.length, pickupRows.sent);
    this.window.figure('oldest waiting, ms', now - waiting[0]!, pickupRows.sent);
  }

  pickedUp(n: number): void {
    const now = performance.now();
    const [sentAt, acceptedAt] = [this.sentAt[n], this.acceptedAt[n]];
    if (sentAt === undefined) return this.window.fail('unknown job');
    this.wasPickedUp[n] = true;
    if (acceptedAt !== undefined) this.window.record(now - acceptedAt, pickupRows.accepted);
    this.window.record(now - sentAt, pickupRows.sent);
  }
}
