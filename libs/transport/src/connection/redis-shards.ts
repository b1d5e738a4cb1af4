import { systemClock } from '@spooled/clock';
import type { Clock } from '@spooled/domain';
import type { ChainableCommander, Redis } from 'ioredis';
import { ChannelHub } from './channel-hub.js';
import { plainChannels, shardedChannels } from './channel-protocol.js';
import { ConnectionWatch } from './connection-watch.js';
import {
  countCommands,
  deliveryPrefixOf,
  keyPrefixOf,
  openConnection,
  type ConnectionRole,
} from './redis-connection.js';
import { pickShard, type ShardAddress } from './shard-map.js';
import type { TransportLog } from './transport-log.js';

export interface RedisShardsOptions {
  /** From `parseShards`. */
  shards: ShardAddress[];
  /** Shown by Redis in CLIENT LIST, for instance `spooled-gateway`. */
  connectionName: string;
  log: TransportLog;
  /** For everything that uses these connections. Default: the system's. */
  clock?: Clock;
  /** Called for each command sent on the connections of the shards; for metrics. */
  onCommand?: () => void;
}

/** One Redis and this process's connections to it. */
export class RedisShard {
  readonly name: string;
  /** For ordinary commands; commands of one event-loop turn share a round trip. */
  readonly commands: Redis;
  readonly channels: ChannelHub;
  readonly clock: Clock;
  private readonly watch: ConnectionWatch;
  private readonly opened: Redis[] = [];

  constructor(
    private readonly shard: ShardAddress,
    private readonly options: RedisShardsOptions,
  ) {
    this.name = shard.name;
    this.clock = options.clock ?? systemClock;
    this.watch = new ConnectionWatch(shard.name, options.log);
    this.commands = this.open('commands');
    const protocol = this.isPartition ? shardedChannels(this.keyPrefix) : plainChannels;
    this.channels = new ChannelHub(this.open('channels'), options.log, this.clock, protocol);
  }

  /** Whether commands can be sent and messages received now. */
  get connected(): boolean {
    return this.commands.status === 'ready' && this.channels.connected;
  }

  /** Whether this is a partition of a Redis Cluster, which publishes to the subscribers of that slot only. */
  get isPartition(): boolean {
    return this.shard.address.kind === 'partition';
  }

  private get keyPrefix(): string {
    return keyPrefixOf(this.shard.address);
  }

  /** BullMQ's option `prefix`. */
  get deliveryPrefix(): string {
    return deliveryPrefixOf(this.shard.address);
  }

  /** Adds a message to a transaction or pipeline; its result is the number of subscribers on the same server. */
  publishIn(pipeline: ChainableCommander, channel: string, message: string): ChainableCommander {
    return this.isPartition ? pipeline.spublish(channel, message) : pipeline.publish(channel, message);
  }

  /** @throws Error when Redis is unavailable */
  publish(channel: string, message: string): Promise<unknown> {
    return this.isPartition ? this.commands.spublish(channel, message) : this.commands.publish(channel, message);
  }

  /** Whether a channel has subscribers on the same server. */
  async hasSubscribers(channel: string): Promise<boolean> {
    const [, count] = this.isPartition
      ? await this.commands.pubsub('SHARDNUMSUB', `${this.keyPrefix}${channel}`)
      : await this.commands.pubsub('NUMSUB', channel);
    return Number(count) > 0;
  }

  /** Another connection, monitored like the others and closed with the shard. */
  open(role: ConnectionRole): Redis {
    const redis = openConnection(this.shard.address, role, this.options.connectionName);
    if (this.options.onCommand) countCommands(redis, this.options.onCommand);
    this.watch.add(redis);
    this.opened.push(redis);
    return redis;
  }

  /** Calls `listener` whenever a connection is lost. */
  onLost(listener: () => void): void {
    this.commands.on('close', listener);
    this.channels.onLost(listener);
  }

  /** Waits for pending commands, then closes. */
  async close(): Promise<void> {
    this.watch.stop();
    if (this.commands.status === 'ready') await this.commands.quit().catch(() => undefined);
    this.disconnect();
  }

  /** Closes at once, as a crash would. */
  disconnect(): void {
    this.watch.stop();
    this.channels.close();
    for (const redis of this.opened) redis.disconnect();
  }
}

/** All Redis shards. Connections open in the background: construction never fails because a Redis is down. */
export class RedisShards {
  readonly all: readonly RedisShard[];
  readonly clock: Clock;
  private readonly names: readonly string[];

  constructor(options: RedisShardsOptions) {
    this.clock = options.clock ?? systemClock;
    this.all = options.shards.map((address) => new RedisShard(address, options));
    this.names = this.all.map(({ name }) => name);
  }

  /** The shard of an organization or of any other stable key (KF-11). */
  shardOf(key: string): RedisShard {
    return this.all[this.all.length === 1 ? 0 : pickShard(this.names, key)]!;
  }

  get connected(): boolean {
    return this.all.every((shard) => shard.connected);
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((shard) => shard.close()));
  }
}
