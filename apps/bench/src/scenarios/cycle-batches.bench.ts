import type { BatchJob } from '@spooled/contracts/grpc';
import { BatchWorker, prefetch } from '../load/batch-worker.js';
import { type Cycle, cycleScenario, producers, workers } from '../load/cycle.js';
import { GrpcConnection } from '../load/grpc-connection.js';
import { payloadOf } from '../load/payload.js';
import { bulkSize } from '../load/producers.js';

const queue = 'bench-cycle-batches';
const nothing = Buffer.alloc(0);

export const cycleBatches = cycleScenario({
  name: 'cycle-batches',
  what: 'EnqueueMany, StreamBatches, SettleMany over gRPC; counted when completed, measured from the send of the enqueue',
  settings: { 'jobs a request': bulkSize, workers, prefetch },
  run: (cycle) =>
    Promise.all([
      ...Array.from({ length: producers }, () => produce(cycle)),
      ...Array.from({ length: workers }, (_, i) => work(cycle, `worker-${i}`)),
    ]),
});

async function produce({ stack, window, backlog, payloadBytes }: Cycle): Promise<void> {
  const connection = new GrpcConnection(stack);
  const { data } = payloadOf(payloadBytes - ',"at":123456.789'.length);
  while (await backlog.reserve(bulkSize)) {
    const payload = Buffer.from(`{"data":"${data}","at":${performance.now().toFixed(3)}}`);
    const jobs = Array.from({ length: bulkSize }, () => ({ payload, idempotency_key: '', tags: nothing }));
    await connection.enqueueMany({ queue_name: queue, jobs }).catch((error: Error) => {
      backlog.release(bulkSize);
      window.fail(`EnqueueMany: ${error.message}`, '', bulkSize);
    });
  }
  connection.close();
}

/** A worker that completes the jobs of each message on receipt. */
async function work({ stack, window, backlog }: Cycle, id: string): Promise<void> {
  const onJobs = async (jobs: BatchJob[], own: BatchWorker): Promise<void> => {
    for (const completed of await own.complete(jobs)) window.count(sentAt(completed));
    backlog.release(jobs.length);
  };
  const worker = new BatchWorker(stack, window, id, { queue, onJobs: (jobs, own) => void onJobs(jobs, own) });
  await window.whenClosed;
  await worker.close();
}

/** The time of sending is the last member. */
const sentAt = ({ payload }: BatchJob): number =>
  Number(payload.toString('latin1', payload.lastIndexOf(0x3a) + 1).slice(0, -1));
