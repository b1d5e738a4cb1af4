/** A periodic task. Replicas take turns; an advisory lock keeps two from running the same task at once. */
export interface ScheduledTask {
  /** Names its lock, its log lines and its metrics; never changes. */
  readonly name: string;
  /** Pause between two rounds, milliseconds. */
  readonly intervalMs: number;
  /** A round that did this much has left something to do: the next one follows at once. */
  readonly fullBatch: number;
  /** One round; returns how much it did. Between two steps of a long round it looks at `stopping`. */
  run(stopping: AbortSignal): Promise<number>;
}

/** A task with a known next deadline: checked every `intervalMs`, run when the deadline has passed. */
export interface DeadlineTask extends ScheduledTask {
  /** Runs at least this often, whatever `msUntilDue` says: the safety net below the alarm. */
  readonly sweepMs: number;
  /** By the database's clock; 0 or less = overdue, null = nothing waits. */
  msUntilDue(): Promise<number | null>;
}

/** Injects all tasks of this service. */
export const SCHEDULED_TASKS = Symbol('scheduled tasks');
