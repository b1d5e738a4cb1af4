/** Something that time makes happen. Replicas may run the same duty in turn, never at once. */
export interface Duty {
  /** Names its lock, its log lines and its metrics; never changes. */
  readonly name: string;
  /** Pause between two rounds, milliseconds. */
  readonly intervalMs: number;
  /** A round that did this much has left something to do: the next one follows at once. */
  readonly fullBatch: number;
  /** One round; returns how much it did. Between two steps of a long round it looks at `stopping`. */
  run(stopping: AbortSignal): Promise<number>;
}

/** A duty that knows when its next work is due. It is asked each `intervalMs`, and run when the moment has come. */
export interface ArmedDuty extends Duty {
  /** Runs at least this often, whatever `msUntilDue` says: the safety net below the alarm. */
  readonly sweepMs: number;
  /** By the database's clock; 0 or less = overdue, null = nothing waits. */
  msUntilDue(): Promise<number | null>;
}

/** Injects all duties of this service. */
export const DUTIES = Symbol('duties');
