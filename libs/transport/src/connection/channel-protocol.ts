import type { Redis } from 'ioredis';
import { keys } from './keys.js';

/** How a connection subscribes. */
export interface ChannelProtocol {
  onMessage(redis: Redis, listener: (channel: string, message: string) => void): void;
  subscribe(redis: Redis, channels: string[]): Promise<unknown>;
  unsubscribe(redis: Redis, channel: string): Promise<unknown>;
  /** Rejects, and ioredis reconnects, when the connection is not, or no longer, to the server that publishes. */
  check(redis: Redis): Promise<unknown>;
}

/** Publish/subscribe of one server. */
export const plainChannels: ChannelProtocol = {
  onMessage: (redis, listener) => void redis.on('message', listener),
  subscribe: (redis, channels) => redis.subscribe(...channels),
  unsubscribe: (redis, channel) => redis.unsubscribe(channel),
  check: (redis) => redis.ping(),
};

/**
 * Sharded publish/subscribe (Redis 7) of one partition of a cluster: plain messages would be sent to all nodes. ioredis
 * adds `keyPrefix` to channels, because they have slots as keys do, but not to those of messages.
 */
export const shardedChannels = (keyPrefix: string): ChannelProtocol => ({
  onMessage(redis, listener) {
    redis.on('smessage', (channel: string, message: string) => listener(channel.slice(keyPrefix.length), message));
    // The slot has moved to another node, which this one no longer forwards.
    redis.on('moved', () => redis.disconnect(true));
  },
  subscribe: (redis, channels) => redis.ssubscribe(...channels),
  unsubscribe: (redis, channel) => redis.sunsubscribe(channel),
  // A demoted primary keeps its subscribers, but publishers do not count them. It refuses to read a key.
  check: (redis) => redis.exists(keys.probe),
});
