import type { DeliveryRef } from '@spooled/contracts';
import { TimeLimitError, within, type AppLogger } from '@spooled/platform';
import { createDeliveryWorker, type DeliveryWorker, type ShardAddress } from '@spooled/transport';
import { DelayedError, type Job } from 'bullmq';
import type { Deliverer } from './deliverer.service.js';

export interface DeliveryShard {
  address: ShardAddress;
  isConnected(): boolean;
}

export interface DeliveryWorkersOptions {
  /** Concurrent attempts per Redis. */
  concurrency: number;
  /** Time for attempts in flight to finish at shutdown. */
  graceMs: number;
}

/** How soon BullMQ redelivers after a crash: with its defaults of 30 s each it took a minute. */
const recovery = { lockDuration: 10_000, stalledInterval: 5_000 };
/** Time for BullMQ to close after all attempts have ended. */
const closeTimeoutMs = 1_000;

/** Takes delivery ids from BullMQ, one worker per Redis. BullMQ only triggers attempts; the row determines what is due. */
export class DeliveryWorkers {
  private readonly workers: { worker: DeliveryWorker; shard: DeliveryShard }[];

  constructor(
    shards: readonly DeliveryShard[],
    private readonly deliverer: Pick<Deliverer, 'deliver' | 'finish'>,
    private readonly logger: AppLogger,
    private readonly options: DeliveryWorkersOptions,
  ) {
    this.workers = shards.map((shard) => ({ shard, worker: this.open(shard.address, options.concurrency) }));
  }

  /** Takes no new deliveries and lets attempts in flight finish; longer ones are returned. */
  async close(): Promise<void> {
    const { graceMs } = this.options;
    const closing = this.workers.map(({ worker, shard }) => this.closeOne(worker, shard));
    await this.deliverer.finish(graceMs);
    await Promise.all(closing);
  }

  /** BullMQ waits for its Redis indefinitely; an unavailable Redis must not block shutdown. */
  private async closeOne(worker: DeliveryWorker, shard: DeliveryShard): Promise<void> {
    try {
      await within(this.options.graceMs + closeTimeoutMs, () => worker.close(!shard.isConnected()));
    } catch (err) {
      if (!(err instanceof TimeLimitError)) throw err;
      this.logger.warn({ err }, 'delivery worker did not close in time; the sweep will find its deliveries');
    }
  }

  private open(address: ShardAddress, concurrency: number): DeliveryWorker {
    const process = (job: Job<DeliveryRef>, token?: string) => this.process(job, token);
    const worker = createDeliveryWorker(address, process, { log: this.logger, concurrency, ...recovery });
    worker.on('failed', (job, err) => this.logger.warn({ delivery_id: job?.id, err }, 'delivery attempt failed'));
    return worker;
  }

  private async process(job: Job<DeliveryRef>, token: string | undefined): Promise<void> {
    const retryInMs = await this.deliverer.deliver(job.data);
    if (retryInMs === null) return;
    await job.moveToDelayed(Date.now() + Math.ceil(retryInMs), token);
    throw new DelayedError();
  }
}
