import type { JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { DeliveryDispatcher, DeliveryRef } from '@spooled/contracts';
import { InFlight } from '@spooled/domain';
import type { RedisShard, RedisShards } from '../connection/redis-shards.js';
import type { TransportLog } from '../connection/transport-log.js';

export const deliveryQueueName = 'spooled-deliveries';
const jobName = 'delivery';
/** Deliveries of one organization in a second that BullMQ hands out in their order with those of others. Each further thousand comes later. */
const deliveriesPerTurn = 1_000;

export interface DeliveryQueueOptions {
  log: TransportLog;
  /** BullMQ options of a delivery; by default five attempts after 1, 2, 4, 8 and 16 s, and nothing is kept. */
  jobOptions?: JobsOptions;
}

const defaultJobOptions: JobsOptions = {
  attempts: 5,
  backoff: { type: 'exponential', delay: 1000 },
  removeOnComplete: true,
  removeOnFail: true,
};

/**
 * Queues deliveries in BullMQ on the shard of their organization. The delivery id is the BullMQ job id, so a queued
 * delivery is not queued twice.
 */
export class DeliveryQueue implements DeliveryDispatcher {
  private readonly queues = new Map<RedisShard, ShardQueue>();
  /** Dispatched in this second, by organization. */
  private readonly dispatched = new Map<string, number>();
  private second = 0;

  constructor(
    private readonly shards: RedisShards,
    private readonly options: DeliveryQueueOptions,
  ) {
    for (const shard of shards.all) this.queues.set(shard, new ShardQueue(shard, options));
  }

  dispatch(deliveries: DeliveryRef[]): void {
    const byQueue = Map.groupBy(deliveries, ({ organizationId }) =>
      this.queues.get(this.shards.shardOf(organizationId))!,
    );
    for (const [queue, batch] of byQueue)
      void queue.add(batch.map((one): QueuedDelivery => ({ ...one, priority: this.nextPriority(one.organizationId) })));
  }

  /** 0 comes first. A million events of one organization at once, as of a batch, must not come before those of all others (BX-03). */
  private nextPriority(organizationId: string): number {
    const second = Math.floor(this.shards.clock.monotonic() / 1_000);
    if (second !== this.second) this.dispatched.clear();
    this.second = second;
    const before = this.dispatched.get(organizationId) ?? 0;
    this.dispatched.set(organizationId, before + 1);
    return Math.floor(before / deliveriesPerTurn);
  }

  /** Waits for pending additions. The shards belong to the caller and stay open. */
  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }
}

interface QueuedDelivery extends DeliveryRef {
  priority: number;
}

/** The BullMQ queue on one shard. */
class ShardQueue {
  private readonly redis: Redis;
  private readonly adding = new InFlight();
  private queue: Promise<Queue<DeliveryRef>> | undefined;

  constructor(
    private readonly shard: RedisShard,
    private readonly options: DeliveryQueueOptions,
  ) {
    this.redis = shard.open('deliveries');
  }

  add(deliveries: QueuedDelivery[]): Promise<void> {
    return this.adding.track(this.addNow(deliveries));
  }

  async close(): Promise<void> {
    await this.adding.idle();
    await (await this.queue)?.close();
  }

  private async addNow(deliveries: QueuedDelivery[]): Promise<void> {
    // BullMQ would wait for the connection and deliveries would accumulate here; the table sweep finds them.
    if (this.redis.status !== 'ready') return;
    const jobs = deliveries.map(({ id, organizationId, priority }) => ({
      name: jobName,
      data: { id, organizationId },
      opts: { ...defaultJobOptions, ...this.options.jobOptions, jobId: id, priority },
    }));
    try {
      this.queue ??= this.openQueue();
      await (await this.queue).addBulk(jobs);
    } catch (error) {
      this.dropQueue();
      const facts = { shard: this.shard.name, deliveries: deliveries.length, err: error };
      this.options.log.warn(facts, 'Failed to queue deliveries; the sweep will find them');
    }
  }

  private async openQueue(): Promise<Queue<DeliveryRef>> {
    // Loaded at the first delivery: 6 MB that most processes never need.
    const { Queue } = await import('bullmq');
    const { deliveryPrefix: prefix } = this.shard;
    const queue = new Queue<DeliveryRef>(deliveryQueueName, { connection: this.redis, prefix });
    // Each failed call rejects, and `ConnectionWatch` logs lost connections.
    queue.on('error', () => undefined);
    return queue;
  }

  /** A queue whose connection was lost while opening stays broken, so it is reopened after each failure. */
  private dropQueue(): void {
    const queue = this.queue;
    this.queue = undefined;
    queue?.then((broken) => broken.close()).catch(() => undefined);
  }
}
