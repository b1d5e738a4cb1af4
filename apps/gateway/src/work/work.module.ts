import { Module } from '@nestjs/common';
import {
  ClaimAdmission,
  ProgressReports,
  provider,
  QueueRates,
  QueueRatesModule,
  WakeupsModule,
} from '@spooled/service';
import { DrainedWorkers } from '../workers/drained-workers.js';
import { WorkersModule } from '../workers/workers.module.js';
import { CompletionBatcher } from './completion-batcher.js';
import { LeaseReleaser } from './lease-releaser.js';
import { JobLogsController } from './job-logs.controller.js';
import { JobStepsController, SignalsController } from './job-steps.controller.js';
import { UnackedJobs } from './unacked-jobs.js';
import { WaitQueues } from './wait-queues.js';
import { WaitingClaims } from './waiting-claims.js';
import { WorkController } from './work.controller.js';
import { WorkService } from './work.service.js';

const openClaims = (rates: QueueRates, drained: DrainedWorkers): ClaimAdmission => new ClaimAdmission(rates, drained);

/** The workers' side: claims, completions, failures and leases. */
@Module({
  imports: [QueueRatesModule, WakeupsModule, WorkersModule],
  controllers: [JobLogsController, JobStepsController, SignalsController, WorkController],
  providers: [
    provider(ClaimAdmission, openClaims, [QueueRates, DrainedWorkers]),
    CompletionBatcher,

    LeaseReleaser,
    ProgressReports,
    UnackedJobs,
    WaitQueues,
    WaitingClaims,
    WorkService,
  ],
  exports: [LeaseReleaser, UnackedJobs, WaitQueues, WorkService],
})
export class WorkModule {}
