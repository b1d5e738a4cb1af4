import { Module, type Provider, type Type } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Database } from '@spooled/data-access';
import { parsePlanOverrides } from '@spooled/domain';
import { AppLogger, SERVICE } from '@spooled/platform';
import { Maintenance, ScheduleFiring } from '@spooled/queue';
import { openDatabase, openRedis } from '@spooled/service';
import { RedisLeases, type RedisShards } from '@spooled/transport';
import { CronTask } from './cron/cron.task.js';
import { DependenciesTask } from './jobs/dependencies.task.js';
import { DueJobsTask } from './jobs/due-jobs.task.js';
import { Deadlines } from './tasks/deadlines.js';
import { TaskRunner } from './tasks/task-runner.js';
import { SCHEDULED_TASKS, type ScheduledTask } from './tasks/scheduled-task.js';
import { EffectsPublisher } from './effects/effects-publisher.js';
import { ExpiryTask } from './jobs/expiry.task.js';
import { GaugesTask } from './gauges/gauges.task.js';
import { LeaseRecoveryTask } from './jobs/lease-recovery.task.js';
import { PartitionsTask } from './retention/partitions.task.js';
import { CommandsTask } from './retention/commands.task.js';
import { CountersTask } from './retention/counters.task.js';
import { CredentialsTask } from './retention/credentials.task.js';
import { PlanPages } from './retention/plan-pages.js';
import { RetentionTask } from './retention/retention.task.js';
import { PLAN_OVERRIDES } from './scheduler.config.js';
import type { SchedulerService } from './stores/open-stores.js';
import { REDIS } from './stores/tokens.js';
import { StaleWorkersTask } from './jobs/stale-workers.task.js';

const tasks: Type<ScheduledTask>[] = [
  DueJobsTask,
  CronTask,
  LeaseRecoveryTask,
  ExpiryTask,
  DependenciesTask,
  StaleWorkersTask,
  RetentionTask,
  PartitionsTask,
  GaugesTask,
  CountersTask,
  CommandsTask,
  CredentialsTask,
];

const stores: Provider[] = [
  {
    provide: Database,
    // A task holds one connection for its lock and one for its work, so there must be more than twice as many as tasks.
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
    ...tasks,
    { provide: SCHEDULED_TASKS, useFactory: (...all: ScheduledTask[]) => all, inject: tasks },
    { provide: PLAN_OVERRIDES, useFactory: () => parsePlanOverrides(process.env) },
    Deadlines,
    EffectsPublisher,
    PlanPages,
    TaskRunner,
  ],
})
export class SchedulerModule {}
