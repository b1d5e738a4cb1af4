import { Worker, type Processor, type WorkerOptions } from 'bullmq';
import { Redis } from 'ioredis';
import type { DeliveryRef } from '@spooled/contracts';
import { deliveryQueueName, deliveryQueuePrefix } from './delivery-queue.js';
import type { TransportLog } from '../connection/transport-log.js';

export type DeliveryProcessor = Processor<DeliveryRef, void>;
export type DeliveryWorker = Worker<DeliveryRef, void>;

/**
 * Starts a BullMQ worker for the deliveries of one Redis. `close()` of the worker also closes its connections.
 * `url` is one shard's; a service works on all of them with one worker each.
 */
export function createDeliveryWorker(
  url: string,
  processor: DeliveryProcessor,
  { log, ...options }: Omit<WorkerOptions, 'connection' | 'prefix'> & { log: TransportLog },
): DeliveryWorker {
  // BullMQ demands a connection that waits for Redis instead of failing fast.
  const retryStrategy = (attempt: number) => Math.min(50 * 2 ** (attempt - 1), 1000);
  const connection = new Redis(url, { maxRetriesPerRequest: null, connectionName: deliveryQueueName, retryStrategy });
  const worker = new Worker<DeliveryRef, void>(deliveryQueueName, processor, {
    ...options,
    connection,
    prefix: deliveryQueuePrefix,
  });
  const reports = new OutageReports(log);
  worker.on('error', (error) => reports.failed(error));
  worker.on('ready', () => reports.works());
  worker.on('closed', () => connection.disconnect());
  return worker;
}

/** BullMQ repeats its errors at each attempt to reconnect; one line for each, until it works again, is enough. */
class OutageReports {
  private readonly reported = new Set<string>();

  constructor(private readonly log: TransportLog) {}

  failed(error: Error): void {
    if (this.reported.has(error.message)) return;
    if (this.reported.size >= 100) this.reported.clear();
    this.reported.add(error.message);
    this.log.warn({ queue: deliveryQueueName, err: error }, 'The delivery worker met an error');
  }

  works(): void {
    if (this.reported.size === 0) return;
    this.reported.clear();
    this.log.info({ queue: deliveryQueueName }, 'The delivery worker runs again');
  }
}
