import { Worker, type Processor, type WorkerOptions } from 'bullmq';
import type { DeliveryRef } from '@spooled/contracts';
import { deliveryPrefixOf, openWorkerConnection } from '../connection/redis-connection.js';
import type { ShardAddress } from '../connection/shard-map.js';
import { deliveryQueueName } from './delivery-queue.js';
import type { TransportLog } from '../connection/transport-log.js';

export type DeliveryProcessor = Processor<DeliveryRef, void>;
export type DeliveryWorker = Worker<DeliveryRef, void>;

/**
 * Starts a BullMQ worker for the deliveries on one Redis; a service starts one worker per shard. `close()` of
 * the worker also closes its connections.
 */
export function createDeliveryWorker(
  shard: ShardAddress,
  processor: DeliveryProcessor,
  { log, ...options }: Omit<WorkerOptions, 'connection' | 'prefix'> & { log: TransportLog },
): DeliveryWorker {
  const connection = openWorkerConnection(shard.address, deliveryQueueName);
  const worker = new Worker<DeliveryRef, void>(deliveryQueueName, processor, {
    ...options,
    connection,
    prefix: deliveryPrefixOf(shard.address),
  });
  const reports = new ErrorReports(log);
  worker.on('error', (error) => reports.report(error));
  // The worker's own event comes once, after its start, and not after a reconnect.
  connection.on('ready', () => reports.recovered());
  worker.on('closed', () => connection.disconnect());
  return worker;
}

/** BullMQ repeats its errors at each reconnect attempt; each is logged once until the worker recovers. */
class ErrorReports {
  private readonly reported = new Set<string>();

  constructor(private readonly log: TransportLog) {}

  report(error: Error): void {
    if (this.reported.has(error.message)) return;
    if (this.reported.size >= 100) this.reported.clear();
    this.reported.add(error.message);
    this.log.warn({ queue: deliveryQueueName, err: error }, 'Delivery worker failed');
  }

  recovered(): void {
    if (this.reported.size === 0) return;
    this.reported.clear();
    this.log.info({ queue: deliveryQueueName }, 'Delivery worker recovered');
  }
}
