import type { ClientReadableStream } from '@grpc/grpc-js';
import type { BatchJob, JobBatch, JobCancellation, Settlement } from '@spooled/contracts/grpc';
import type { Window } from '../measure/window.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { GrpcConnection } from './grpc-connection.js';

/** Jobs that a worker may hold, by default. */
export const prefetch = 1_000;
const nothing = Buffer.alloc(0);

/** A worker over StreamBatches and SettleMany. What is refused counts as a failure of the window. */
export class BatchWorker {
  private readonly connection: GrpcConnection;
  private readonly stream: ClientReadableStream<JobBatch>;
  private readonly settling = new Set<Promise<unknown>>();
  private closing = false;

  constructor(
    stack: BenchStack,
    private readonly window: Window,
    private readonly id: string,
    { queue, onJobs, onCancellations, prefetch: most = prefetch }: Handlers,
  ) {
    this.connection = new GrpcConnection(stack);
    const request = { queue_names: [queue], worker_id: id, lease_duration_secs: 3_600, prefetch: most };
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

  /** Resolves to the jobs that were completed; never rejects. */
  async complete(jobs: readonly BatchJob[]): Promise<BatchJob[]> {
    const settlements = jobs.map(({ id, lease_id }) => ({ job_id: id, lease_id, complete: { result: nothing } }));
    const accepted = await this.settle(settlements);
    return jobs.filter((_, i) => accepted[i]);
  }

  /** Reports attempts that were asked to end as failed, which cancels their jobs. Does not wait for the answer. */
  giveUp(jobs: readonly JobCancellation[]): void {
    void this.settle(jobs.map((job) => ({ ...job, fail: { error: 'was asked to end' } })));
  }

  /** Resolves when all answers have arrived. */
  async close(): Promise<void> {
    this.closing = true;
    await Promise.all(this.settling);
    this.stream.cancel();
    this.connection.close();
  }

  /** Whether each was accepted; none when the request failed. */
  private settle(settlements: Settlement[]): Promise<boolean[]> {
    const settled = this.send(settlements).finally(() => this.settling.delete(settled));
    this.settling.add(settled);
    return settled;
  }

  private async send(settlements: Settlement[]): Promise<boolean[]> {
    try {
      const { results } = await this.connection.settleMany({ worker_id: this.id, settlements });
      for (const { code, message } of results) if (code !== '') this.window.fail(`${code} ${message}`);
      return results.map(({ code }) => code === '');
    } catch (error) {
      this.window.fail(`SettleMany: ${(error as Error).message}`, '', settlements.length);
      return [];
    }
  }
}

interface Handlers {
  queue: string;
  prefetch?: number;
  onJobs(jobs: BatchJob[], worker: BatchWorker): void;
  onCancellations?(jobs: JobCancellation[], worker: BatchWorker): void;
}
