import type { RedisCredentialCache, RedisEventSubscriber } from '@spooled/transport';

/** Where the operator runs without Redis nothing is published, so streams open and carry only the system's health. */
export const noEvents: Pick<RedisEventSubscriber, 'subscribe' | 'ready' | 'isLive' | 'since'> = {
  subscribe: () => () => undefined,
  ready: () => Promise.resolve(),
  isLive: () => false,
  since: () => Promise.resolve([]),
};

/** Then no word of changed keys comes either; the regular review of open streams finds them. */
export const noNotices: Pick<RedisCredentialCache, 'onInvalidate'> = { onInvalidate: () => () => undefined };
