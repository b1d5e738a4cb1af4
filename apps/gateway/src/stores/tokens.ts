/** Injects the Redis shards, or null in a deployment without Redis: `@Inject(REDIS) redis: RedisShards | null`. */
export const REDIS = Symbol('redis');

/** Injects the cache of credentials that all processes share, null without Redis; its `invalidate` tells of changes. */
export const SHARED_CREDENTIALS = Symbol('shared credentials');

/** Injects the leases that live beyond their rows, null without Redis: `@Inject(LEASES) leases: LeaseStore | null`. */
export const LEASES = Symbol('leases');
