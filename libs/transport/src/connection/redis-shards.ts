import type { Redis } from 'ioredis';
import { ChannelHub } from './channel-hub.js';
import { ConnectionWatch } from './connection-watch.js';
import { openConnection, type ConnectionRole } from './redis-connection.js';
import { pickShard, type ShardAddress } from './shard-map.js';
import type { TransportLog } from './transport-log.js';

export interface RedisShardsOptions {
  /** From `parseShards`. */
  shards: ShardAddress[];
  /** Shown by Redis in CLIENT LIST, for instance `spooled-gateway`. */
  connectionName: string;
  log: TransportLog;
}

/** One Redis with the connections that this process keeps to it. */
export class RedisShard {
  readonly name: string;
  /** For ordinary commands; those sent in one turn of the event loop share a round trip. */
  readonly commands: Redis;
  readonly channels: ChannelHub;
  private readonly watch: ConnectionWatch;
  private readonly opened: Redis[] = [];

  constructor(
    private readonly address: ShardAddress,
    private readonly options: RedisShardsOptions,
  ) {
    this.name = address.name;
    this.watch = new ConnectionWatch(address.name, options.log);
    this.commands = this.open('commands');
    this.channels = new ChannelHub(this.open('channels'), options.log);
  }

  /** Whether commands can be sent and messages received at this moment. */
  get connected(): boolean {
    return this.commands.status === 'ready' && this.channels.connected;
  }

  /** A further connection, watched like the others and closed together with the shard. */
  open(role: ConnectionRole): Redis {
    const redis = openConnection(this.address.url, role, this.options.connectionName);
    this.watch.add(redis);
    this.opened.push(redis);
    return redis;
  }

  /** Calls `listener` whenever sending or receiving breaks. */
  onLost(listener: () => void): void {
    this.commands.on('close', listener);
    this.channels.onLost(listener);
  }

  /** Sends what is under way, then closes. */
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
  private readonly names: readonly string[];

  constructor(options: RedisShardsOptions) {
    this.all = options.shards.map((address) => new RedisShard(address, options));
    this.names = this.all.map(({ name }) => name);
  }

  /** The shard that serves an organization, or whatever else is spread by a stable key (KF-11). */
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
