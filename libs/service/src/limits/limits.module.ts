import { Global, Module } from '@nestjs/common';
import { CredentialFeed, Database } from '@spooled/data-access';
import { newId, SERVICE, SETTINGS, type ServiceContext, type SettingsOf } from '@spooled/platform';
import { QueueTokens, RateLimits, type RedisCredentialCache, type RedisShards, StreamSlots } from '@spooled/transport';
import { CredentialsModule } from '../auth/credentials.module.js';
import { provider } from '../provider.js';
import type { addressSettings, rateLimitSettings } from '../settings/limit.settings.js';
import { REDIS, SHARED_CREDENTIALS } from '../tokens.js';
import { AddressLimits } from './address-limits.js';
import { QueueRates } from './queue-rates.js';
import { openRateLimiter } from './rate-limits.js';

const openAddressLimits = (limiter: RateLimits, settings: SettingsOf<typeof addressSettings>): AddressLimits =>
  new AddressLimits(limiter, settings);

/** Rate limits of callers, shared by all replicas through Redis. */
@Global()
@Module({
  providers: [
    provider(
      RateLimits,
      (redis: RedisShards | null, settings: SettingsOf<typeof rateLimitSettings>) => openRateLimiter(redis, settings),
      [REDIS, SETTINGS],
    ),
    provider(AddressLimits, openAddressLimits, [RateLimits, SETTINGS]),
  ],
  exports: [RateLimits, AddressLimits],
})
export class LimitsModule {}

const openQueueRates = (
  database: Database,
  redis: RedisShards | null,
  changes: RedisCredentialCache | null,
  feed: CredentialFeed,
): QueueRates => new QueueRates(database, redis && new QueueTokens(redis), changes, feed);

/** Rate limits of queues. */
@Global()
@Module({
  imports: [CredentialsModule],
  providers: [provider(QueueRates, openQueueRates, [Database, REDIS, SHARED_CREDENTIALS, CredentialFeed])],
  exports: [QueueRates],
})
export class QueueRatesModule {}

function openSlots(redis: RedisShards | null, { onStop }: ServiceContext): StreamSlots {
  const slots = new StreamSlots(redis, newId());
  onStop('stream slots', () => slots.close());
  return slots;
}

/** Number of open streams per organization over all replicas. */
@Global()
@Module({ providers: [provider(StreamSlots, openSlots, [REDIS, SERVICE])], exports: [StreamSlots] })
export class StreamSlotsModule {}
