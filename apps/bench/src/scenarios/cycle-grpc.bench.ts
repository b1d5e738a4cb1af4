import { withConnections } from '../load/closed-loop.js';
import { Completions } from '../load/completions.js';
import { GrpcConnection } from '../load/grpc-connection.js';
import { BacklogLimit } from '../load/backlog-limit.js';
import { bulkSize, produceBulk, TimedBulkBody } from '../load/producers.js';
import type { Window } from '../measure/window.js';
import type { Scenario } from '../scenario.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { reportRatio } from './floor.bench.js';

const queue = 'bench-cycle-grpc';
const producers = 4;
const workers = 8;
const ahead = 4_000;

interface Cycle {
  stack: BenchStack;
  window: Window;
  backlog: BacklogLimit;
  payloadBytes: number;
}

export const cycleGrpc: Scenario = {
  name: 'cycle-grpc',
  what: 'bulk enqueue, StreamJobs, completion over ProcessJobs; counted when completed, measured from the send of the enqueue',
  againstFloor: true,
  settings: ({ payloadBytes }) => ({
    'payload bytes': payloadBytes,
    producers,
    'bulk enqueue by': 'REST',
    'jobs a request': bulkSize,
    workers,
    'connections a worker': 1,
    'producers ahead by at most': ahead,
  }),
  async run(bench) {
    const { stack, options, measure } = bench;
    const step = await measure({ name: 'whole cycle' }, async (window) => {
      const backlog = new BacklogLimit(ahead, window.signal);
      const cycle: Cycle = { stack, window, backlog, payloadBytes: options.payloadBytes };
      const worked = Array.from({ length: workers }, (_, i) => work(cycle, `worker-${i}`));
      await Promise.all([produceOverRest(cycle), ...worked]);
    });
    reportRatio(bench, step);
  },
};

async function produceOverRest({ stack, window, backlog, payloadBytes }: Cycle): Promise<void> {
  const bulk = new TimedBulkBody(queue, payloadBytes);
  await withConnections(stack.baseUrl, stack.apiKey, producers, (connection) =>
    produceBulk(connection, window, backlog, bulk),
  );
}

/** A worker that completes each job on receipt. */
async function work({ stack, window, backlog }: Cycle, worker: string): Promise<void> {
  const connection = new GrpcConnection(stack.grpcAddress, stack.apiKey);
  const completions = new Completions(connection, worker);
  const jobs = connection.streamJobs({
    queue_name: queue,
    worker_id: worker,
    lease_duration_secs: 3_600,
    prefetch: 1000,
  });
  jobs.on('error', (error) => {
    // The stream is cancelled at the end, which is reported as an error.
    if (!window.over) window.fail(`StreamJobs: ${error.message}`);
  });
  jobs.on('data', ({ id, lease_id, payload }) => {
    const sentAt = Number(payload?.at ?? 0);
    completions.complete({ id, lease_id }, (_, problem) => {
      backlog.release(1);
      if (problem) window.fail(problem);
      else window.count(sentAt);
    });
  });
  await window.whenClosed;
  jobs.cancel();
  await completions.close();
  connection.close();
}
