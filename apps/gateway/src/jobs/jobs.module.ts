import { Module } from '@nestjs/common';
import { Database } from '@spooled/data-access';
import { AppLogger } from '@spooled/platform';
import { QueueRates } from '@spooled/service';
import { QueueTokens, type RedisCredentialCache, RedisLeases, type RedisShards } from '@spooled/transport';
import { DeadLettersController } from '../dead-letters/dead-letters.controller.js';
import { DeadLettersService } from '../dead-letters/dead-letters.service.js';
import { LEASES, REDIS, SHARED_CREDENTIALS } from '../stores/tokens.js';
import { DependenciesController } from './dependencies.controller.js';
import { DependenciesService } from './dependencies.service.js';
import { JobsController } from './jobs.controller.js';
import { JobsService } from './jobs.service.js';
import { LeaseReleaser } from '../work/lease-releaser.js';
import { WaitQueues } from '../work/wait-queues.js';
import { CompletionBatcher } from '../work/completion-batcher.js';
import { WaitingClaims } from '../work/waiting-claims.js';
import { WorkController } from '../work/work.controller.js';
import { WorkService } from '../work/work.service.js';

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

/** Jobs as producers and workers meet them, and their dead letters. */
@Module({
  controllers: [DeadLettersController, DependenciesController, JobsController, WorkController],
  providers: [
    DeadLettersService,
    DependenciesService,
    JobsService,
    LeaseReleaser,
    WaitQueues,
    CompletionBatcher,
    WaitingClaims,
    WorkService,
    leases,
    queueRates,
  ],
  exports: [DeadLettersService, JobsService, LeaseReleaser, WaitQueues, WorkService],
})
export class JobsModule {}
