import { closedLoop } from '../load/closed-loop.js';
import { Completions } from '../load/completions.js';
import { GrpcConnection } from '../load/grpc-connection.js';
import { holdJobs } from '../load/hold-jobs.js';
import { completion, type HeldJob, succeeded } from '../load/work-over-rest.js';
import type { Window } from '../measure/window.js';
import type { BenchRun, Scenario } from '../scenario.js';
import type { BenchStack } from '../stack/bench-stack.js';

const worker = 'bench';
const batch = 100;
const singleConnections = 16;
const batchConnections = 4;
const streams = 4;
/** Requests in flight on each stream. */
const inFlightPerStream = 64;

export const complete: Scenario = {
  name: 'complete',
  what: 'completion of claimed jobs: one per request, 100 per request, over ProcessJobs; an operation is a job',
  settings: ({ payloadBytes }) => ({ 'payload bytes': payloadBytes, result: 'none' }),
  async run(bench) {
    await measureOne(bench, 8_000, { name: 'singly over REST', settings: { connections: singleConnections } }, singly);
    const many = { name: `${batch} a request over REST`, settings: { connections: batchConnections, batch } };
    await measureOne(bench, 30_000, many, inBatches);
    const streamed = { name: 'over ProcessJobs', settings: { streams, 'in flight on each': inFlightPerStream } };
    await measureOne(bench, 15_000, streamed, overStreams);
  },
};

type Complete = (stack: BenchStack, window: Window, held: HeldJob[]) => Promise<void>;

/** @param jobsPerSecond - more than can be completed; if they run out, the window closes early */
async function measureOne(
  bench: BenchRun,
  jobsPerSecond: number,
  step: { name: string; settings: Record<string, number> },
  load: Complete,
): Promise<void> {
  await bench.stack.empty();
  const held = await holdJobs(bench, worker, Math.ceil((bench.options.seconds + bench.options.warmup) * jobsPerSecond));
  await bench.measure(step, (window) => load(bench.stack, window, held));
}

const singly: Complete = (stack, window, held) =>
  closedLoop(stack, window, singleConnections, (connection) => {
    const job = held.pop();
    if (!job) return undefined;
    return connection.post(
      `/api/v1/jobs/${job.id}/complete`,
      JSON.stringify({ worker_id: worker, lease_id: job.lease_id }),
    );
  });

const inBatches: Complete = (stack, window, held) =>
  closedLoop(
    stack,
    window,
    batchConnections,
    (connection) => {
      const jobs = held.splice(-batch);
      return jobs.length === 0 ? undefined : connection.post('/api/v1/jobs/complete/bulk', completion(worker, jobs));
    },
    succeeded,
  );

const overStreams: Complete = async (stack, window, held) => {
  const work = async (): Promise<void> => {
    const connection = new GrpcConnection(stack);
    const completions = new Completions(connection, worker);
    await new Promise<void>((resolve) => {
      const next = (): void => {
        const job = window.over ? undefined : held.pop();
        if (!job) return completions.inFlight === 0 ? resolve() : undefined;
        completions.complete(job, (startedAt, problem) => {
          if (problem) window.fail(problem);
          else window.count(startedAt);
          next();
        });
      };
      for (let i = 0; i < inFlightPerStream; i++) next();
    });
    await completions.close();
    connection.close();
  };
  await Promise.all(Array.from({ length: streams }, work));
};
