import { Module, type Type } from '@nestjs/common';
import { LeaseStore } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { AppLogger, SERVICE, SETTINGS } from '@spooled/platform';
import { Deadlines, jobTasks, Maintenance, Operations, ScheduleFiring, type ScheduledTask } from '@spooled/queue';
import {
  CheckPool,
  CronTask,
  DueSchedules,
  EffectsModule,
  EffectsPublisher,
  type FiredRun,
  IsolationChecks,
  newPayload,
  PayloadContracts,
  PLAN_OVERRIDES,
  PlansModule,
  provider,
  QueueChanges,
  REDIS,
  StoresModule,
} from '@spooled/service';
import { RedisCredentialCache, type RedisShards } from '@spooled/transport';
import type { PlanOverrides } from '@spooled/domain';
import { SCHEDULED_TASKS, TaskRunner } from './tasks/task-runner.js';
import { CauseReportsTask } from './failures/cause-reports.task.js';
import { GaugesTask } from './gauges/gauges.task.js';
import { PartitionsTask } from './retention/partitions.task.js';
import { auditTask, credentialsTask } from './retention/old-rows.tasks.js';
import { PlanPages } from './retention/plan-pages.js';
import { RetentionTask } from './retention/retention.task.js';
import { IsolationTask } from './isolation/isolation.task.js';
import { QueuePausesTask } from './queues/queue-pauses.task.js';
import { SeriesTask } from './series/series.task.js';
import { countJobEvents } from './jobs/job-counters.js';
import type { SchedulerMetrics, SchedulerService, SchedulerSettings } from './scheduler.config.js';

/** The tasks of this service alone that hold a state. */
const ownTasks: Type<ScheduledTask>[] = [
  RetentionTask,
  PartitionsTask,
  GaugesTask,
  SeriesTask,
  QueuePausesTask,
  CauseReportsTask,
  IsolationTask,
];

const openMaintenance = (
  { metrics, logger }: SchedulerService,
  db: Database,
  effects: EffectsPublisher,
  leases: LeaseStore | null,
): Maintenance =>
  new Maintenance(db, {
    onBlocked: (organizationId) =>
      logger.warn({ organizationId }, 'jobs wait for locks of other transactions; they are tried again'),
    onError: (err, what) => logger.error({ err, what }, 'a task failed for one organization; it is tried again'),
    onEffects: (committed) => {
      countJobEvents(metrics, committed.events);
      effects.publish(committed, 'scheduled_activated');
    },
    leases: leases ?? undefined,
  });

/** Without a feed of changes, which would be one query per second: schedules and replays are rare. */
const openContracts = ({ metrics, logger }: SchedulerService, db: Database, pool: CheckPool): PayloadContracts =>
  new PayloadContracts(db, null, metrics, logger, pool);

function openCron(
  { metrics, logger }: SchedulerService,
  db: Database,
  effects: EffectsPublisher,
  overrides: PlanOverrides,
  contracts: PayloadContracts,
  deadlines: Deadlines,
): CronTask {
  const firing = new ScheduleFiring(db, {
    onEffects: (committed) => effects.publish(committed, 'cron_job_created'),
    onBlocked: (organizationId) =>
      logger.warn({ organizationId }, 'schedules wait for locks of other transactions; they are tried again'),
    onError: (err, what) => logger.error({ err, what }, 'a schedule could not run; it continues with its next run'),
  });
  const schedules = new DueSchedules(db, firing, contracts, overrides);
  return new CronTask(schedules, deadlines, (runs) => countRuns(metrics, runs));
}

function countRuns(metrics: SchedulerMetrics, runs: FiredRun[]): void {
  for (const { jobId, delayMs } of runs) {
    metrics.scheduleRuns.inc({ outcome: jobId === null ? 'failed' : 'completed' });
    metrics.scheduleDelay.observe(delayMs / 1000);
    if (jobId !== null) metrics.jobsEnqueued.inc();
  }
}

const openOperations = (
  { metrics, logger }: SchedulerService,
  db: Database,
  effects: EffectsPublisher,
  leases: LeaseStore | null,
  overrides: PlanOverrides,
  contracts: PayloadContracts,
): Operations =>
  new Operations(db, {
    overrides,
    leases: leases ?? undefined,
    onEffects: (committed) => {
      countJobEvents(metrics, committed.events);
      effects.publish(committed);
    },
    problemOf: (tx, queueName, payload, charge) =>
      contracts.problemOf(
        { organizationId: tx.organizationId, charge: (tokens) => Promise.resolve(charge(tokens)) },
        newPayload(queueName, 'payload', payload),
        tx,
      ),
    onError: (err, what) => logger.error({ err, what }, 'a step of an operation failed; it is tried again'),
  });

/** It caches no rates of queues, because it grants no claims. */
const openQueueChanges = (effects: EffectsPublisher, redis: RedisShards | null, logger: AppLogger): QueueChanges =>
  new QueueChanges({ effects, redis, shared: redis && new RedisCredentialCache(redis, logger), rates: null });

/** The tasks of libs/queue, which an embedded process runs as well, and those of this service. */
const openTasks = (
  db: Database,
  maintenance: Maintenance,
  operations: Operations,
  deadlines: Deadlines,
  effects: EffectsPublisher,
  settings: SchedulerSettings,
  ...others: ScheduledTask[]
): ScheduledTask[] => [
  ...jobTasks({
    ...{ db, maintenance, operations, deadlines },
    heartbeatSeconds: settings.WORKER_HEARTBEAT_INTERVAL_SECS,
    publish: (events) => effects.publish({ events }),
  }),
  credentialsTask(db),
  auditTask(db, settings.AUDIT_RETENTION_DAYS),
  ...others,
];

const stores = [SERVICE, Database, EffectsPublisher];
const tokensOfTasks = [Database, Maintenance, Operations, Deadlines, EffectsPublisher, SETTINGS, CronTask, ...ownTasks];

@Module({
  imports: [
    // A task holds one connection for its lock and one for its work. Ten run at once (`TaskRunner`); `SchedulerPresence` and the check of
    // isolation hold another each, and the rest reads deadlines.
    StoresModule.forRoot({ database: { critical: true, maxSystemConnections: 24 }, redis: { required: false } }),
    EffectsModule,
    PlansModule,
  ],
  providers: [
    provider(Maintenance, openMaintenance, [...stores, LeaseStore]),
    CheckPool,
    provider(PayloadContracts, openContracts, [SERVICE, Database, CheckPool]),
    provider(Operations, openOperations, [...stores, LeaseStore, PLAN_OVERRIDES, PayloadContracts]),
    provider(QueueChanges, openQueueChanges, [EffectsPublisher, REDIS, AppLogger]),
    provider(Deadlines, (db: Database) => new Deadlines(db), [Database]),
    provider(CronTask, openCron, [...stores, PLAN_OVERRIDES, PayloadContracts, Deadlines]),
    ...ownTasks,
    { provide: SCHEDULED_TASKS, useFactory: openTasks, inject: tokensOfTasks },
    PlanPages,
    IsolationChecks,
    TaskRunner,
  ],
})
export class SchedulerModule {}
