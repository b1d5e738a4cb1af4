import { productMetrics } from '@spooled/contracts';
import { integer, type Metrics, serverSettings, setting, type SettingsOf, telemetrySettings } from '@spooled/platform';
import { databaseSettings, redisSettings } from '@spooled/service';

/** All settings of the scheduler; plan overrides (SPOOLED_PLAN_*) are read by `parsePlanOverrides`. */
export const schedulerSettings = {
  ...serverSettings,
  ...telemetrySettings,
  ...redisSettings,
  DATABASE_URL: databaseSettings.DATABASE_URL,
  DATABASE_SYSTEM_URL: databaseSettings.DATABASE_SYSTEM_URL,
  DATABASE_ACQUIRE_TIMEOUT_SECS: databaseSettings.DATABASE_ACQUIRE_TIMEOUT_SECS,
  DATABASE_MAX_CONNECTIONS: setting(
    integer({ min: 1, max: 1000 }).default(5),
    'Maximum connections for tenant transactions; connections for system tasks are additional.',
  ),
  DATABASE_QUERY_TIMEOUT_MS: setting(
    integer({ min: 1500, max: 60_000 }).default(10_000),
    'Statement timeout in milliseconds; retention, partitions and gauges have none.',
  ),
  WORKER_HEARTBEAT_INTERVAL_SECS: setting(
    integer({ min: 1, max: 3600 }).default(10),
    'Seconds between two heartbeats of a worker; after 2 missed ones it is degraded, after 5 offline.',
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

/** Injects the operator's plan overrides: `@Inject(PLAN_OVERRIDES) overrides: PlanOverrides`. */
export const PLAN_OVERRIDES = Symbol('plan overrides');
