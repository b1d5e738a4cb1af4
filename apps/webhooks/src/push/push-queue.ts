import type { PushTarget } from '@spooled/domain';
import { ReceiverCircuit, type ReceiverCircuitOptions } from './receiver-circuits.js';

/** A push queue as one process sees it: where its jobs go, and how many may be begun now. */
export class PushQueue {
  /** Places in use: calls under way and claims being made. */
  inUse = 0;
  breaker: ReceiverCircuit;
  /** Claims being made. */
  claiming = 0;
  stopListening: () => void = () => undefined;
  private pausedUntil = 0;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  /** `onResume` is called at the end of each pause. */
  constructor(
    readonly organizationId: string,
    readonly queueName: string,
    private current: PushTarget,
    private readonly breakerOptions: ReceiverCircuitOptions,
    private readonly onResume: () => void,
  ) {
    this.breaker = new ReceiverCircuit(breakerOptions);
  }

  get target(): PushTarget {
    return this.current;
  }

  /** Places that the queue itself has for jobs now. */
  get available(): number {
    // A claim that is being made may bring the trial.
    if (this.timer || (this.breaker.isOpen && this.claiming > 0)) return 0;
    return Math.min(this.target.concurrency - this.inUse, this.breaker.allowance);
  }

  /** Another receiver is called at once, whatever the one before it did. */
  retarget(target: PushTarget): void {
    const isMoved = this.current.url !== target.url;
    this.current = target;
    if (!isMoved) return;
    this.breaker = new ReceiverCircuit(this.breakerOptions);
    this.resume();
  }

  /** Nothing is begun for so long; of several pauses the longest counts. */
  pause(delayMs: number): void {
    if (this.closed) return;
    const now = performance.now();
    this.pausedUntil = Math.max(this.pausedUntil, now + delayMs);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.resume();
      this.onResume();
    }, this.pausedUntil - now);
  }

  close(): void {
    this.closed = true;
    this.stopListening();
    this.resume();
  }

  private resume(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pausedUntil = 0;
    this.breaker.allowTrial();
  }
}
