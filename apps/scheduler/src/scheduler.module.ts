import { Module, type Type } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { LeaseStore } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { AppLogger, METRICS } from '@spooled/platform';
import { Maintenance, Operations, ScheduleFiring } from '@spooled/queue';
import { EffectsModule, EffectsPublisher, PLAN_OVERRIDES, PlansModule, provider, StoresModule } from '@spooled/service';
import type { PlanOverrides } from '@spooled/domain';
import { CronTask } from './cron/cron.task.js';
import { DeadLetterGroupsTask } from './jobs/dead-letter-groups.task.js';
import { DependenciesTask } from './jobs/dependencies.task.js';
import { DueJobsTask } from './jobs/due-jobs.task.js';
import { Deadlines } from './tasks/deadlines.js';
import { TaskRunner } from './tasks/task-runner.js';
import { SCHEDULED_TASKS, type ScheduledTask } from './tasks/scheduled-task.js';
import { ExpiryTask } from './jobs/expiry.task.js';
import { OperationsTask } from './jobs/operations.task.js';
import { GaugesTask } from './gauges/gauges.task.js';
import { LeaseRecoveryTask } from './jobs/lease-recovery.task.js';
import { PartitionsTask } from './retention/partitions.task.js';
import { CommandsTask } from './retention/commands.task.js';
import { CountersTask } from './retention/counters.task.js';
import { AuditTask } from './retention/audit.task.js';
import { WorkerCountersTask } from './jobs/worker-counters.task.js';
import { CredentialsTask } from './retention/credentials.task.js';
import { PlanPages } from './retention/plan-pages.js';
import { RetentionTask } from './retention/retention.task.js';
import { countEndedAttempts } from './jobs/job-counters.js';
import type { SchedulerMetrics } from './scheduler.config.js';
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
  WorkerCountersTask,
  CommandsTask,
  CredentialsTask,
  AuditTask,
  DeadLetterGroupsTask,
  OperationsTask,
];

const openMaintenance = (
  db: Database,
  effects: EffectsPublisher,
  leases: LeaseStore | null,
  metrics: SchedulerMetrics,
): Maintenance =>
  new Maintenance(db, {
    onEffects: (committed) => {
      countEndedAttempts(metrics, committed.events);
      effects.publish(committed, 'scheduled_activated');
    },
    leases: leases ?? undefined,
  });

const openFiring = (db: Database, effects: EffectsPublisher, logger: AppLogger): ScheduleFiring =>
  new ScheduleFiring(db, {
    onEffects: (committed) => effects.publish(committed, 'cron_job_created'),
    onError: (err, what) => logger.error({ err, what }, 'a schedule could not run; it goes on with its next time'),
  });

const openOperations = (
  db: Database,
  effects: EffectsPublisher,
  leases: LeaseStore | null,
  overrides: PlanOverrides,
  logger: AppLogger,
): Operations =>
  new Operations(db, {
    overrides,
    leases: leases ?? undefined,
    onEffects: (committed) => effects.publish(committed),
    onError: (err, what) => logger.error({ err, what }, 'a step of an operation failed; it is tried again'),
  });

@Module({
  imports: [
    // A task holds one connection for its lock and one for its work, so there must be more than twice as many as tasks.
    StoresModule.forRoot({ database: { critical: true, maxSystemConnections: 34 }, redis: { required: false } }),
    EffectsModule,
    PlansModule,
    ScheduleModule.forRoot(),
  ],
  providers: [
    provider(Maintenance, openMaintenance, [Database, EffectsPublisher, LeaseStore, METRICS]),
    provider(ScheduleFiring, openFiring, [Database, EffectsPublisher, AppLogger]),
    provider(Operations, openOperations, [Database, EffectsPublisher, LeaseStore, PLAN_OVERRIDES, AppLogger]),
    ...tasks,
    { provide: SCHEDULED_TASKS, useFactory: (...all: ScheduledTask[]) => all, inject: tasks },
    Deadlines,
    PlanPages,
    TaskRunner,
  ],
})
export class SchedulerModule {}
