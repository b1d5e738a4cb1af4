/** A timer of a `Clock`. Methods return at once and may be called twice. */
export interface Timer {
  cancel(): void;
  /** Starts it again, also when it has ended. */
  refresh(): void;
  /** The process does not wait for this timer when it stops. */
  unref(): this;
}

/** The time of a process. What decides by time takes a clock, so that a spec can move it (decision 166). */
export interface Clock {
  /** Unix time in ms; it may jump. For times that leave the process. */
  now(): number;
  /** Milliseconds since an unspecified moment; they never go back. For deadlines and intervals. */
  monotonic(): number;
  /** Resolves after `ms`, or when `signal` is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `run` once. */
  after(ms: number, run: () => void): Timer;
  /** Calls `run` again and again. */
  every(ms: number, run: () => void): Timer;
}
