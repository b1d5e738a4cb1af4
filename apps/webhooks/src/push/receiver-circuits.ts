/** What a call told of its receiver; `unknown`: it was cut off by us. */
export type Reached = 'answered' | 'unreachable' | 'unknown';

export interface ReceiverCircuitOptions {
  /** Calls in a row without an answer that open the circuit. */
  failures: number;
  /** Pause after opening; doubles each time that the trial call after it gets no answer either. */
  firstPauseMs: number;
  maxPauseMs: number;
}

/**
 * Spares a receiver that does not answer, and the attempts of its jobs. When the circuit opens no call may begin until the caller
 * has made a pause; then one trial call may, and any answer closes the circuit. Has no clock: the caller keeps the pauses.
 */
export class ReceiverCircuit {
  private failures = 0;
  /** Since the last answer; 0 = closed. */
  private openings = 0;
  private trials = 0;

  constructor(private readonly options: ReceiverCircuitOptions) {}

  get isOpen(): boolean {
    return this.openings > 0;
  }

  /** Calls that may begin now. */
  get allowance(): number {
    return this.isOpen ? this.trials : Infinity;
  }

  /** The pause is over. */
  allowTrial(): void {
    if (this.isOpen) this.trials = 1;
  }

  /** Call it when a call begins; the result goes to `settle`. */
  begin(): { isTrial: boolean } {
    const isTrial = this.isOpen;
    if (isTrial) this.trials = 0;
    return { isTrial };
  }

  /** Notes how a call ended. Returns how long to pause from now on, 0 = not at all. */
  settle({ isTrial }: { isTrial: boolean }, reached: Reached): number {
    if (reached === 'answered') this.close();
    if (reached === 'unknown' && isTrial) this.allowTrial();
    if (reached !== 'unreachable') return 0;
    // The end of a call from before the circuit opened tells nothing new.
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
