import { withConnections } from '../load/closed-loop.js';
import { type Cycle, cycleScenario, producers, workers } from '../load/cycle.js';
import { bulkSize, produceBulk, TimedBulkBody } from '../load/producers.js';
import { streamJobs } from '../load/stream-worker.js';

const queue = 'bench-cycle-grpc';

export const cycleGrpc = cycleScenario({
  name: 'cycle-grpc',
  what: 'bulk enqueue, StreamJobs, completion over ProcessJobs; counted when completed, measured from the send of the enqueue',
  settings: { 'bulk enqueue by': 'REST', 'jobs a request': bulkSize, workers, 'connections a worker': 1 },
  run: (cycle) =>
    Promise.all([produceOverRest(cycle), ...Array.from({ length: workers }, (_, i) => work(cycle, `worker-${i}`))]),
});

async function produceOverRest({ stack, window, backlog, payloadBytes }: Cycle): Promise<void> {
  const bulk = new TimedBulkBody(queue, payloadBytes);
  await withConnections(stack.baseUrl, stack.apiKey, producers, (connection) =>
    produceBulk(connection, window, backlog, bulk),
  );
}

/** A worker that completes each job on receipt. */
function work({ stack, window, backlog }: Cycle, worker: string): Promise<void> {
  const request = { queue_name: queue, worker_id: worker, lease_duration_secs: 3_600, prefetch: 1000 };
  return streamJobs(stack, window, request, (job, completions) => {
    const sentAt = Number(job.payload?.at ?? 0);
    completions.complete(job, (_, problem) => {
      backlog.release(1);
      if (problem) window.fail(problem);
      else window.count(sentAt);
    });
  });
}
