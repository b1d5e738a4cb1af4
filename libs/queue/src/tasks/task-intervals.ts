/** How often a task runs. */
export interface TaskInterval {
  /** Pause between two runs; of a task with a deadline: between two checks of it, milliseconds. */
  intervalMs: number;
  /** A task with a deadline runs at least this often, milliseconds. */
  sweepMs?: number;
  /** What the task does, for the documentation of its setting. */
  what: string;
}

/** Every task with its default intervals. */
export const taskIntervals = {
  'due-jobs': { intervalMs: 500, sweepMs: 5_000, what: 'making scheduled and retried jobs claimable' },
  cron: { intervalMs: 500, sweepMs: 10_000, what: 'running schedules' },
  'lease-recovery': { intervalMs: 500, sweepMs: 30_000, what: 'recovering jobs whose lease has expired' },
  operations: { intervalMs: 500, sweepMs: 10_000, what: 'advancing operations on many jobs' },
  'queue-pauses': { intervalMs: 500, sweepMs: 10_000, what: 'resuming queues whose pause has expired' },
  'cause-reports': { intervalMs: 30_000, what: 'reporting new and growing causes of failures to webhooks' },
  expiry: { intervalMs: 5_000, what: 'cancelling jobs that have expired' },
  dependencies: { intervalMs: 10_000, what: 'releasing dependent jobs that missed the end of their parent' },
  'stale-workers': { intervalMs: 5_000, what: 'marking workers that missed heartbeats' },
  'worker-counters': { intervalMs: 5_000, what: 'adding what was counted to the counters of workers' },
  gauges: { intervalMs: 15_000, what: 'counting jobs and workers for metrics' },
  // Samples are taken at full ten seconds; the interval is how often one looks for them.
  series: { intervalMs: 1_000, sweepMs: 60_000, what: 'sampling the series of queues' },
  retention: { intervalMs: 300_000, what: 'deleting old records' },
  partitions: { intervalMs: 3_600_000, what: 'adding and dropping partitions' },
  counters: { intervalMs: 600_000, what: 'merging old counters' },
  commands: { intervalMs: 60_000, what: 'deleting records of commands' },
  credentials: { intervalMs: 600_000, what: 'deleting old credential changes' },
  audit: { intervalMs: 600_000, what: 'deleting old rows of the audit log and ended operations' },
  // Also soon after the first start of a version; the interval is how often one looks whether a check is due.
  isolation: { intervalMs: 60_000, sweepMs: 86_400_000, what: 'checking that tenants are isolated' },
} satisfies Record<string, TaskInterval>;

export type TaskName = keyof typeof taskIntervals;
