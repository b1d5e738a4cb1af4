import type { ClientReadableStream } from '@grpc/grpc-js';
import type { BatchJob, JobBatch, JobCancellation } from '@spooled/contracts/grpc';
import type { Window } from '../measure/window.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { BatchConnection } from './batch-connection.js';

const nothing = Buffer.alloc(0);

/** A worker over StreamBatches and SettleMany. What is refused counts as a failure of the window. */
export class BatchWorker {
  private readonly connection: BatchConnection;
  private readonly stream: ClientReadableStream<JobBatch>;
  private readonly settling = new Set<Promise<void>>();
  private closing = false;

  constructor(
    { grpcAddress, apiKey }: Pick<BenchStack, 'grpcAddress' | 'apiKey'>,
    private readonly window: Window,
    private readonly id: string,
    { queue, onJobs, onCancellations }: Handlers,
  ) {
    this.connection = new BatchConnection(grpcAddress, apiKey);
    const request = { queue_names: [queue], worker_id: id, lease_duration_secs: 3_600, prefetch: 1_000 };
    this.stream = this.connection.streamBatches(request);
    this.stream.on('error', (error) => {
      // The stream is cancelled at the end, which is reported as an error.
      if (!this.closing) window.fail(`StreamBatches: ${error.message}`);
    });
    this.stream.on('data', ({ jobs, cancellations }) => {
      if (jobs.length > 0) onJobs(jobs, this);
      if (cancellations.length > 0) onCancellations?.(cancellations, this);
    });
  }

  /** Does not wait for the answer. */
  complete(jobs: readonly BatchJob[]): void {
    this.settle(jobs.map(({ id, lease_id }) => ({ job_id: id, lease_id, complete: { result: nothing } })));
  }

  /** Reports attempts that were asked to end as failed, which cancels their jobs. Does not wait for the answer. */
  giveUp(jobs: readonly JobCancellation[]): void {
    this.settle(jobs.map((job) => ({ ...job, fail: { error: 'was asked to end' } })));
  }

  /** Resolves when all answers have arrived. */
  async close(): Promise<void> {
    this.closing = true;
    await Promise.all(this.settling);
    this.stream.cancel();
    this.connection.close();
  }

  private settle(settlements: Parameters<BatchConnection['settleMany']>[0]['settlements']): void {
    const settled = this.connection
      .settleMany({ worker_id: this.id, settlements })
      .then((results) => {
        for (const { code, message } of results) if (code !== '') this.window.fail(`${code} ${message}`);
      })
      .catch((error: Error) => this.window.fail(`SettleMany: ${error.message}`, '', settlements.length))
      .finally(() => this.settling.delete(settled));
    this.settling.add(settled);
  }
}

interface Handlers {
  queue: string;
  onJobs(jobs: BatchJob[], worker: BatchWorker): void;
  onCancellations?(jobs: JobCancellation[], worker: BatchWorker): void;
}
