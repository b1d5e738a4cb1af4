import { withLanes } from '../load/closed-loop.js';
import { Completions } from '../load/completions.js';
import { GrpcConnection } from '../load/grpc-connection.js';
import { Lead } from '../load/lead.js';
import { bulkSize, TimedBulkBody } from '../load/producers.js';
import type { Window } from '../measure/window.js';
import type { Scenario } from '../scenario.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { tellRatio } from './floor.bench.js';

const queue = 'bench-cycle-grpc';
const producers = 4;
const workers = 8;
const ahead = 4_000;

interface Cycle {
  stack: BenchStack;
  window: Window;
  lead: Lead;
  payloadBytes: number;
}

export const cycleGrpc: Scenario = {
  name: 'cycle-grpc',
  what: 'bulk enqueue, StreamJobs, completion over ProcessJobs; counted when completed, timed from the send of the enqueue',
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
      const lead = new Lead(ahead, window.signal);
      const cycle: Cycle = { stack, window, lead, payloadBytes: options.payloadBytes };
      const worked = Array.from({ length: workers }, (_, i) => work(cycle, `worker-${i}`));
      await Promise.all([produceOverRest(cycle), ...worked]);
    });
    tellRatio(bench, step);
  },
};

async function produceOverRest({ stack, window, lead, payloadBytes }: Cycle): Promise<void> {
  const bulk = new TimedBulkBody(queue, payloadBytes);
  await withLanes(stack.baseUrl, stack.apiKey, producers, async (lane) => {
    while (await lead.take(bulkSize)) {
      const { status, body } = await lane.post('/api/v1/jobs/bulk', bulk.at(performance.now()));
      if (status < 400) continue;
      lead.done(bulkSize);
      window.fail(`${status} ${body.slice(0, 120)}`, '', bulkSize);
    }
  });
}

/** A worker that completes each job as soon as it has it. */
async function work({ stack, window, lead }: Cycle, worker: string): Promise<void> {
  const line = new GrpcConnection(stack.grpcAddress, stack.apiKey);
  const completions = new Completions(line, worker);
  const jobs = line.streamJobs({ queue_name: queue, worker_id: worker, lease_duration_secs: 3_600 });
  jobs.on('error', (error) => {
    // Cancelling it is how it ends.
    if (!window.over) window.fail(`StreamJobs: ${error.message}`);
  });
  jobs.on('data', ({ id, lease_id, payload }) => {
    const sentAt = Number(payload?.at ?? 0);
    completions.complete({ id, lease_id }, (_, problem) => {
      lead.done(1);
      if (problem) window.fail(problem);
      else window.count(sentAt);
    });
  });
  await window.whenClosed;
  jobs.cancel();
  await completions.close();
  line.close();
}
