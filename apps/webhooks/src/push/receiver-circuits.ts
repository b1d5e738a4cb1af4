/** Reachability of a receiver by a call; `unknown`: the call was aborted. */
export type Reachability = 'answered' | 'unreachable' | 'unknown';

export interface ReceiverCircuitOptions {
  /** Consecutive calls without a response that open the circuit. */
  failures: number;
  /** Pause after opening; doubles after each failed trial call. */
  firstPauseMs: number;
  maxPauseMs: number;
}

/**
 * Circuit breaker of a receiver; it also saves the attempts of jobs. While it is open no call may start until the
 * caller has paused; then one trial call may, and any response closes the circuit. It has no clock: the caller keeps
 * the pauses.
 */
export class ReceiverCircuit {
  private failures = 0;
  /** Openings since the last response; 0 = closed. */
  private openings = 0;
  private trials = 0;

  constructor(private readonly options: ReceiverCircuitOptions) {}

  get isOpen(): boolean {
    return this.openings > 0;
  }

  /** Number of calls that may start now. */
  get allowance(): number {
    return this.isOpen ? this.trials : Infinity;
  }

  /** To be called after the pause. */
  allowTrial(): void {
    if (this.isOpen) this.trials = 1;
  }

  /** To be called when a call starts; pass the result to `settle`. */
  begin(): { isTrial: boolean } {
    const isTrial = this.isOpen;
    if (isTrial) this.trials = 0;
    return { isTrial };
  }

  /** Records the end of a call. Returns the pause to make, 0 = none. */
  record({ isTrial }: { isTrial: boolean }, reached: Reachability): number {
    if (reached === 'answered') this.close();
    if (reached === 'unknown' && isTrial) this.allowTrial();
    if (reached !== 'unreachable') return 0;
    // A call that started before the circuit opened adds no information.
    if (this.isOpen && !isTrial) return 0;
    this.failures++;
    return this.isOpen || this.failures >= this.options.failures ? this.open() : 0;
  }

  private close(): void {
    this.failures = 0;
    this.openings = 0;
  }

  private open(): number {
    const { firstPauseMs, maxPauseMs } = this.options;
    this.trials = 0;
    return Math.min(maxPauseMs, firstPauseMs * 2 ** this.openings++);
  }
}
