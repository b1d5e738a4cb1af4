import { Module } from '@nestjs/common';
import { ProgressReports, QueueRatesModule } from '@spooled/service';
import { WorkersModule } from '../workers/workers.module.js';
import { CompletionBatcher } from './completion-batcher.js';
import { LeaseReleaser } from './lease-releaser.js';
import { UnackedJobs } from './unacked-jobs.js';
import { WaitQueues } from './wait-queues.js';
import { WaitingClaims } from './waiting-claims.js';
import { WorkController } from './work.controller.js';
import { WorkService } from './work.service.js';

/** The workers' side: claims, completions, failures and leases. */
@Module({
  imports: [QueueRatesModule, WorkersModule],
  controllers: [WorkController],
  providers: [CompletionBatcher, LeaseReleaser, ProgressReports, UnackedJobs, WaitQueues, WaitingClaims, WorkService],
  exports: [LeaseReleaser, UnackedJobs, WaitQueues, WorkService],
})
export class WorkModule {}
