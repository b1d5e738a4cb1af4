import type { JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { DeliveryDispatcher, DeliveryRef } from '@spooled/contracts';
import type { RedisShard, RedisShards } from '../connection/redis-shards.js';
import type { TransportLog } from '../connection/transport-log.js';

export const deliveryQueueName = 'spooled-deliveries';
/** Braces keep all keys of the queue in one slot of a Redis Cluster. */
export const deliveryQueuePrefix = '{spooled}';
const jobName = 'delivery';

export interface DeliveryQueueOptions {
  log: TransportLog;
  /** How BullMQ treats a delivery; by default five attempts after 1, 2, 4, 8 and 16 s, and nothing is kept. */
  jobOptions?: JobsOptions;
}

const defaultJobOptions: JobsOptions = {
  attempts: 5,
  backoff: { type: 'exponential', delay: 1000 },
  removeOnComplete: true,
  removeOnFail: true,
};

/**
 * Hands deliveries to BullMQ on the shard of their organization. A delivery that is queued already is not queued twice:
 * its id is the id of the BullMQ job.
 */
export class DeliveryQueue implements DeliveryDispatcher {
  private readonly lanes = new Map<RedisShard, Lane>();

  constructor(
    private readonly shards: RedisShards,
    private readonly options: DeliveryQueueOptions,
  ) {
    for (const shard of shards.all) this.lanes.set(shard, new Lane(shard, options));
  }

  dispatch(deliveries: DeliveryRef[]): void {
    const perLane = new Map<Lane, DeliveryRef[]>();
    for (const delivery of deliveries) {
      const lane = this.lanes.get(this.shards.shardOf(delivery.organizationId))!;
      const part = perLane.get(lane);
      if (part) part.push(delivery);
      else perLane.set(lane, [delivery]);
    }
    for (const [lane, part] of perLane) void lane.add(part);
  }

  /** Waits for what is being handed over. The shards belong to the caller and stay open. */
  async close(): Promise<void> {
    await Promise.all([...this.lanes.values()].map((lane) => lane.close()));
  }
}

/** The BullMQ queue on one shard. */
class Lane {
  private readonly redis: Redis;
  private readonly adding = new Set<Promise<void>>();
  private queue: Promise<Queue<DeliveryRef>> | undefined;

  constructor(
    private readonly shard: RedisShard,
    private readonly options: DeliveryQueueOptions,
  ) {
    this.redis = shard.open('deliveries');
  }

  async add(deliveries: DeliveryRef[]): Promise<void> {
    const adding = this.addNow(deliveries);
    this.adding.add(adding);
    await adding;
    this.adding.delete(adding);
  }

  async close(): Promise<void> {
    await Promise.all(this.adding);
    await (await this.queue)?.close();
  }

  private async addNow(deliveries: DeliveryRef[]): Promise<void> {
    // BullMQ would wait for the connection, and the deliveries would pile up here; the sweep of the table finds them.
    if (this.redis.status !== 'ready') return;
    const jobs = deliveries.map(({ id, organizationId }) => ({
      name: jobName,
      data: { id, organizationId },
      opts: { ...defaultJobOptions, ...this.options.jobOptions, jobId: id },
    }));
    try {
      this.queue ??= this.openQueue();
      await (await this.queue).addBulk(jobs);
    } catch (error) {
      this.dropQueue();
      const facts = { shard: this.shard.name, deliveries: deliveries.length, err: error };
      this.options.log.warn(facts, 'Deliveries were not handed over; the sweep will find them');
    }
  }

  private async openQueue(): Promise<Queue<DeliveryRef>> {
    // Loaded at the first delivery: 6 MB that most processes never need.
    const { Queue } = await import('bullmq');
    const queue = new Queue<DeliveryRef>(deliveryQueueName, { connection: this.redis, prefix: deliveryQueuePrefix });
    // Each failed call rejects on its own, and the shard logs lost connections.
    queue.on('error', () => undefined);
    return queue;
  }

  /** A queue whose connection broke while it was opening stays broken, so each failure begins anew. */
  private dropQueue(): void {
    const queue = this.queue;
    this.queue = undefined;
    queue?.then((broken) => broken.close()).catch(() => undefined);
  }
}
