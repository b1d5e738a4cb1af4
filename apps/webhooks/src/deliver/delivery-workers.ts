import type { DeliveryRef } from '@spooled/contracts';
import { TimeLimitError, within, type AppLogger } from '@spooled/platform';
import { createDeliveryWorker, type DeliveryWorker } from '@spooled/transport';
import { DelayedError, type Job } from 'bullmq';
import type { Deliverer } from './deliverer.service.js';

export interface DeliveryShard {
  url: string;
  isConnected(): boolean;
}

export interface DeliveryWorkersOptions {
  /** Attempts under way at once for each Redis. */
  concurrency: number;
  /** Time that attempts under way may still take when the process stops. */
  graceMs: number;
}

/** How soon BullMQ gives the deliveries of a dead process to another: with its own 30 s each it took a minute. */
const recovery = { lockDuration: 10_000, stalledInterval: 5_000 };
/** For BullMQ's own farewell, once all attempts have ended. */
const farewellMs = 1_000;

/** Takes delivery ids from BullMQ, one worker per Redis. BullMQ only tells when to look; what is due, the row decides. */
export class DeliveryWorkers {
  private readonly workers: { worker: DeliveryWorker; shard: DeliveryShard }[];

  constructor(
    shards: readonly DeliveryShard[],
    private readonly deliverer: Pick<Deliverer, 'deliver' | 'finish'>,
    private readonly logger: AppLogger,
    private readonly options: DeliveryWorkersOptions,
  ) {
    this.workers = shards.map((shard) => ({ shard, worker: this.open(shard.url, options.concurrency) }));
  }

  /** Takes nothing new and lets attempts under way finish; those that need longer are put back. */
  async close(): Promise<void> {
    const { graceMs } = this.options;
    const closing = this.workers.map(({ worker, shard }) => this.closeOne(worker, shard));
    await this.deliverer.finish(graceMs);
    await Promise.all(closing);
  }

  /** BullMQ waits for its Redis for ever; a Redis that is away must not keep this process from ending. */
  private async closeOne(worker: DeliveryWorker, shard: DeliveryShard): Promise<void> {
    try {
      await within(this.options.graceMs + farewellMs, () => worker.close(!shard.isConnected()));
    } catch (err) {
      if (!(err instanceof TimeLimitError)) throw err;
      this.logger.warn({ err }, 'a delivery worker did not close in time; its deliveries will be found in the table');
    }
  }

  private open(url: string, concurrency: number): DeliveryWorker {
    const process = (job: Job<DeliveryRef>, token?: string) => this.process(job, token);
    const worker = createDeliveryWorker(url, process, { log: this.logger, concurrency, ...recovery });
    worker.on('failed', (job, err) =>
      this.logger.warn({ delivery_id: job?.id, err }, 'a delivery could not be worked on'),
    );
    return worker;
  }

  private async process(job: Job<DeliveryRef>, token: string | undefined): Promise<void> {
    const againInMs = await this.deliverer.deliver(job.data);
    if (againInMs === null) return;
    await job.moveToDelayed(Date.now() + Math.ceil(againInMs), token);
    throw new DelayedError();
  }
}
