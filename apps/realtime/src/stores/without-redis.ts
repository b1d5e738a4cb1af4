import type { RedisEventSubscriber } from '@spooled/transport';

/** Where the operator runs without Redis nothing is published, so streams open and carry only the system's health. */
export const noEvents: Pick<RedisEventSubscriber, 'subscribe' | 'ready' | 'isSubscribed' | 'since'> = {
  subscribe: () => () => undefined,
  ready: () => Promise.resolve(),
  isSubscribed: () => false,
  since: () => Promise.resolve([]),
};
