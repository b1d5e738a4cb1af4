import type { ProductMetrics } from '@spooled/contracts';
import type { Metrics, ServiceContext } from '@spooled/platform';
import { parseShards, type ShardAddress } from '@spooled/transport';
import type { WebhooksSettings } from '../webhooks.config.js';

export type WebhooksService = ServiceContext<WebhooksSettings, Metrics<ProductMetrics>>;

/** The Redis servers of the settings; none in a deployment without Redis. */
export function shardAddresses({ REDIS_SHARDS, REDIS_URL }: WebhooksSettings): ShardAddress[] {
  const list = REDIS_SHARDS ?? REDIS_URL;
  return list ? parseShards(list) : [];
}
