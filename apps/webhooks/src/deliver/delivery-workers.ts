import type { DeliveryRef } from '@spooled/contracts';
import type { AppLogger } from '@spooled/platform';
import { createDeliveryWorker, type DeliveryWorker, type ShardAddress } from '@spooled/transport';
import { DelayedError, type Job } from 'bullmq';
import type { Deliverer } from './deliverer.service.js';

export interface DeliveryWorkersOptions {
  maxConcurrent: number;
  /** Time that attempts under way may still take when the process stops. */
  graceMs: number;
}

/** Takes delivery ids from BullMQ, one worker per Redis. BullMQ only tells when to look; what is due, the row decides. */
export class DeliveryWorkers {
  private readonly workers: DeliveryWorker[];

  constructor(
    shards: readonly ShardAddress[],
    private readonly deliverer: Pick<Deliverer, 'deliver' | 'interrupt'>,
    private readonly logger: AppLogger,
    private readonly options: DeliveryWorkersOptions,
  ) {
    const concurrency = Math.max(1, Math.floor(options.maxConcurrent / shards.length));
    this.workers = shards.map(({ url }) => this.open(url, concurrency));
  }

  /** Takes nothing new and lets attempts under way finish; those that need longer are put back. */
  async close(): Promise<void> {
    const end = setTimeout(() => this.deliverer.interrupt(), this.options.graceMs);
    await Promise.all(this.workers.map((worker) => worker.close()));
    clearTimeout(end);
  }

  private open(url: string, concurrency: number): DeliveryWorker {
    const process = (job: Job<DeliveryRef>, token?: string) => this.process(job, token);
    const worker = createDeliveryWorker(url, process, { log: this.logger, concurrency });
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
