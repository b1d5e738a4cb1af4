/** Injects the Redis shards, or null in a deployment without Redis: `@Inject(REDIS) redis: RedisShards | null`. */
export const REDIS = Symbol('redis');
