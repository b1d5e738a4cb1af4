import { Module } from '@nestjs/common';
import { Database } from '@spooled/data-access';
import { AppLogger } from '@spooled/platform';
import { QueueRates } from '@spooled/service';
import { QueueTokens, type RedisCredentialCache, RedisLeases, type RedisShards } from '@spooled/transport';
import { LEASES, REDIS, SHARED_CREDENTIALS } from '../stores/tokens.js';
import { CompletionBatcher } from './completion-batcher.js';
import { LeaseReleaser } from './lease-releaser.js';
import { WaitQueues } from './wait-queues.js';
import { WaitingClaims } from './waiting-claims.js';
import { WorkController } from './work.controller.js';
import { WorkService } from './work.service.js';

const queueRates = {
  provide: QueueRates,
  useFactory: (database: Database, redis: RedisShards | null, changes: RedisCredentialCache | null) =>
    new QueueRates(database, redis && new QueueTokens(redis), changes),
  inject: [Database, REDIS, SHARED_CREDENTIALS],
};

const leases = {
  provide: LEASES,
  useFactory: (redis: RedisShards | null, log: AppLogger) => redis && new RedisLeases(redis, { log }),
  inject: [REDIS, AppLogger],
};

/** The workers' side: claims, completions, failures and leases. */
@Module({
  controllers: [WorkController],
  providers: [CompletionBatcher, LeaseReleaser, WaitQueues, WaitingClaims, WorkService, leases, queueRates],
  exports: [LeaseReleaser, WaitQueues, WorkService],
})
export class WorkModule {}
