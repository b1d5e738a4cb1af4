import { type CredentialCache, noSharedCache } from '@spooled/data-access';
import type { RedisCredentialCache, RedisShards } from '@spooled/transport';

/** The transport's cache in the shape that the authenticator asks for; without Redis nothing is shared. */
export const credentialCache = (
  redis: RedisShards | null,
  shared: Pick<RedisCredentialCache, 'get' | 'set' | 'onInvalidate'> | null,
): CredentialCache =>
  redis && shared
    ? {
        get: (hash) => shared.get(hash),
        set: (hash, value, ttlSeconds) => shared.set(hash, value, ttlSeconds),
        onInvalidate: (listener) => shared.onInvalidate(listener),
        connected: () => redis.connected,
      }
    : noSharedCache;
