import { productMetrics } from '@spooled/contracts';
import {
  integer,
  type Metrics,
  serverSettings,
  type ServiceContext,
  setting,
  type SettingsOf,
  telemetrySettings,
  withDefault,
} from '@spooled/platform';
import { consoleSettings, databaseSettings, planSettings, redisSettings, workerSettings } from '@spooled/service';
import { taskSettings } from './tasks/task-intervals.js';

const { DATABASE_MIN_CONNECTIONS: _none, ...database } = databaseSettings;

const days = (doc: string) =>
  setting(integer({ min: 1, max: 36_500 }).optional(), `${doc} Unset = as long as the plan says.`);

/** How long records are kept at most; plans may be stricter. */
export const retentionSettings = {
  JOB_RETENTION_DAYS: days('Longest time in days that completed and cancelled jobs and workflows are kept.'),
  DEAD_LETTER_RETENTION_DAYS: days('Longest time in days that dead letters are kept.'),
  HISTORY_RETENTION_DAYS: days('Longest time in days that the history of jobs and the runs of schedules are kept.'),
  DELIVERY_RETENTION_DAYS: days(
    'Longest time in days that deliveries of outgoing and the log of inbound webhooks are kept.',
  ),
  OFFLINE_WORKER_RETENTION_DAYS: setting(
    integer({ min: 1, max: 36_500 }).default(7),
    'Days after which a worker that is offline is deleted.',
  ),
  AUDIT_RETENTION_DAYS: setting(integer({ min: 1, max: 36_500 }).default(365), 'Days that the audit log is kept.'),
};

type RetentionValues = SettingsOf<typeof retentionSettings>;
/** Unset bounds may be absent. */
export type RetentionSettings = Partial<RetentionValues> & Pick<RetentionValues, 'OFFLINE_WORKER_RETENTION_DAYS'>;

/** The shorter of the plan's and the operator's retention, in days. */
export const atMost = (plan: number, operator: number | undefined): number => Math.min(plan, operator ?? plan);

export const schedulerSettings = {
  ...serverSettings,
  ...telemetrySettings,
  ...redisSettings,
  ...database,
  DATABASE_MAX_CONNECTIONS: withDefault(databaseSettings.DATABASE_MAX_CONNECTIONS, 5),
  // For full batches of recovery; retention, partitions and gauges take as long as they need.
  DATABASE_QUERY_TIMEOUT_MS: withDefault(databaseSettings.DATABASE_QUERY_TIMEOUT_MS, 10_000),
  ...workerSettings,
  ...retentionSettings,
  ...planSettings,
  ...taskSettings,
  EXTERNAL_URL: consoleSettings.EXTERNAL_URL,
  QUEUE_METRICS_PER_ORGANIZATION: setting(
    integer({ min: 0, max: 1000 }).default(10),
    'Queues of each organization that /metrics lists by depth and age, those with the most waiting jobs; at most 1000 altogether. 0 = none.',
  ),
  SERIES_QUEUES_PER_ORGANIZATION: setting(
    integer({ min: 0, max: 1000 }).default(50),
    'Queues of each organization whose rates and depths are kept in steps, the busiest of each step. 0 = only those of whole organizations.',
  ),
};

export type SchedulerSettings = SettingsOf<typeof schedulerSettings>;

export const schedulerMetrics = {
  ...productMetrics,
  taskRuns: {
    type: 'counter',
    name: 'spooled_scheduled_task_runs_total',
    help: 'Runs of a scheduled task: completed, failed, or lock_held when another replica was running it.',
    labels: ['task', 'outcome'],
  },
  taskItems: {
    type: 'counter',
    name: 'spooled_scheduled_task_items_total',
    help: 'Items processed by a scheduled task: jobs moved, rows deleted, workers marked stale.',
    labels: ['task'],
  },
  queueJobs: {
    type: 'gauge',
    name: 'spooled_queue_jobs',
    help: 'Jobs of a queue by state (pending, processing), for the queues with the most pending jobs (QUEUE_METRICS_PER_ORGANIZATION).',
    labels: ['organization', 'queue', 'state'],
  },
  queueMaxAge: {
    type: 'gauge',
    name: 'spooled_queue_max_age_seconds',
    help: 'Age of the oldest claimable job of a queue, for the same queues as spooled_queue_jobs.',
    labels: ['organization', 'queue'],
  },
  isolationCheckPassed: {
    type: 'gauge',
    name: 'spooled_isolation_check_passed',
    help: 'Whether tenants are isolated in the database: 1 after a check of every table, 0 after one that found something wrong; of all processes.',
  },
  scheduleRuns: {
    type: 'counter',
    name: 'spooled_schedule_runs_total',
    help: 'Runs of schedules: completed when they created a job, otherwise failed.',
    labels: ['outcome'],
  },
  scheduleDelay: {
    type: 'histogram',
    name: 'spooled_schedule_delay_seconds',
    help: 'Delay between the due time of a schedule and its run.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600],
  },
  taskDuration: {
    type: 'histogram',
    name: 'spooled_scheduled_task_duration_seconds',
    help: 'Duration of one run of a scheduled task.',
    labels: ['task'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
  },
} as const;

export type SchedulerMetrics = Metrics<typeof schedulerMetrics>;

export type SchedulerService = ServiceContext<SchedulerSettings, SchedulerMetrics>;
