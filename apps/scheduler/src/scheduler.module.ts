import { Module, type Provider, type Type } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Database } from '@spooled/data-access';
import { parsePlanOverrides } from '@spooled/domain';
import { AppLogger, SERVICE } from '@spooled/platform';
import { Maintenance, ScheduleFiring } from '@spooled/queue';
import { openDatabase, openRedis } from '@spooled/stores';
import { RedisLeases, type RedisShards } from '@spooled/transport';
import { CronDuty } from './cron/cron.duty.js';
import { DependenciesDuty } from './dependencies/dependencies.duty.js';
import { DueJobsDuty } from './due-jobs/due-jobs.duty.js';
import { Deadlines } from './duties/deadlines.js';
import { DutyRunner } from './duties/duty-runner.js';
import { DUTIES, type Duty } from './duties/duty.js';
import { EffectsPublisher } from './effects/effects-publisher.js';
import { ExpiryDuty } from './expiry/expiry.duty.js';
import { GaugesDuty } from './gauges/gauges.duty.js';
import { LeaseRecoveryDuty } from './leases/lease-recovery.duty.js';
import { PartitionsDuty } from './partitions/partitions.duty.js';
import { CommandsDuty } from './retention/commands.duty.js';
import { CountersDuty } from './retention/counters.duty.js';
import { CredentialsDuty } from './retention/credentials.duty.js';
import { PlanPages } from './retention/plan-pages.js';
import { RetentionDuty } from './retention/retention.duty.js';
import { PLAN_OVERRIDES } from './scheduler.config.js';
import type { SchedulerService } from './stores/open-stores.js';
import { REDIS } from './stores/tokens.js';
import { SilentWorkersDuty } from './workers/silent-workers.duty.js';

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
