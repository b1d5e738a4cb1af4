import type { TaskName } from './task-intervals.js';

/** A periodic task. An advisory lock ensures that only one process runs it at a time. */
export interface ScheduledTask {
  /** Name in its lock, log lines and metrics; must not change. */
  readonly name: TaskName;
  /** A run that processed this many items is repeated at once. */
  readonly fullBatch: number;
  /** One run; returns the number of items processed. Long runs check `stopping` between steps. */
  run(stopping: AbortSignal): Promise<number>;
}

/** A task with a known next deadline: checked at its interval, run when the deadline has passed. */
export interface DeadlineTask extends ScheduledTask {
  /** By the database's clock; 0 or less = overdue, null = none. */
  msUntilDue(): Promise<number | null>;
}
