import { Module, type Provider, type Type } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Database } from '@spooled/data-access';
import { parsePlanOverrides } from '@spooled/domain';
import { AppLogger, SERVICE } from '@spooled/platform';
import { Maintenance, ScheduleFiring } from '@spooled/queue';
import { openDatabase, openRedis } from '@spooled/service';
import { RedisLeases, type RedisShards } from '@spooled/transport';
import { CronDuty } from './cron/cron.task.js';
import { DependenciesDuty } from './jobs/dependencies.task.js';
import { DueJobsDuty } from './jobs/due-jobs.task.js';
import { Deadlines } from './tasks/deadlines.js';
import { DutyRunner } from './tasks/task-runner.js';
import { DUTIES, type Duty } from './tasks/scheduled-task.js';
import { EffectsPublisher } from './effects/effects-publisher.js';
import { ExpiryDuty } from './jobs/expiry.task.js';
import { GaugesDuty } from './gauges/gauges.task.js';
import { LeaseRecoveryDuty } from './jobs/lease-recovery.task.js';
import { PartitionsDuty } from './retention/partitions.task.js';
import { CommandsDuty } from './retention/commands.task.js';
import { CountersDuty } from './retention/counters.task.js';
import { CredentialsDuty } from './retention/credentials.task.js';
import { PlanPages } from './retention/plan-pages.js';
import { RetentionDuty } from './retention/retention.task.js';
import { PLAN_OVERRIDES } from './scheduler.config.js';
import type { SchedulerService } from './stores/open-stores.js';
import { REDIS } from './stores/tokens.js';
import { SilentWorkersDuty } from './jobs/stale-workers.task.js';

const duties: Type<Duty>[] = [
  DueJobsDuty,
  CronDuty,
  LeaseRecoveryDuty,
  ExpiryDuty,
  DependenciesDuty,
  SilentWorkersDuty,
  RetentionDuty,
  PartitionsDuty,
  GaugesDuty,
  CountersDuty,
  CommandsDuty,
  CredentialsDuty,
];

const stores: Provider[] = [
  {
    provide: Database,
    // A duty holds one connection for its lock and one for its work, so there must be more than twice as many as duties.
    useFactory: (service: SchedulerService) => openDatabase(service, { critical: true, maxSystemConnections: 28 }),
    inject: [SERVICE],
  },
  {
    provide: REDIS,
    useFactory: (service: SchedulerService) => openRedis(service, { critical: false }),
    inject: [SERVICE],
  },
  {
    provide: Maintenance,
    useFactory: (db: Database, effects: EffectsPublisher, redis: RedisShards | null, log: AppLogger) =>
      new Maintenance(db, {
        onEffects: (committed) => effects.publish(committed),
        leases: redis ? new RedisLeases(redis, { log }) : undefined,
      }),
    inject: [Database, EffectsPublisher, REDIS, AppLogger],
  },
  {
    provide: ScheduleFiring,
    useFactory: (db: Database, effects: EffectsPublisher, logger: AppLogger) =>
      new ScheduleFiring(db, {
        onEffects: (committed) => effects.publish(committed, 'cron_job_created'),
        onError: (err, what) => logger.error({ err, what }, 'a schedule could not run; it goes on with its next time'),
      }),
    inject: [Database, EffectsPublisher, AppLogger],
  },
];

@Module({
  imports: [ScheduleModule.forRoot()],
  providers: [
    ...stores,
    ...duties,
    { provide: DUTIES, useFactory: (...all: Duty[]) => all, inject: duties },
    { provide: PLAN_OVERRIDES, useFactory: () => parsePlanOverrides(process.env) },
    Deadlines,
    EffectsPublisher,
    PlanPages,
    DutyRunner,
  ],
})
export class SchedulerModule {}
