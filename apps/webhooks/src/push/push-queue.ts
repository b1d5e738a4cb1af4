import type { Clock, PushTarget, Timer } from '@spooled/domain';
import { ReceiverCircuit, type ReceiverCircuitOptions } from './receiver-circuits.js';

/** Slots of a queue that calls and claims in flight use. They stay when the queue is removed and comes back, as by a pause. */
export interface QueueSlots {
  used: number;
}

/** A push queue in this process: its receiver, and how many calls may start now. */
export class PushQueue {
  breaker: ReceiverCircuit;
  /** Claims in flight. */
  claiming = 0;
  unsubscribe: () => void = () => undefined;
  private pausedUntil = 0;
  private timer: Timer | undefined;
  private closed = false;

  /** `onResume` is called at the end of each pause. */
  constructor(
    readonly organizationId: string,
    readonly queueName: string,
    private current: PushTarget,
    readonly slots: QueueSlots,
    private readonly breakerOptions: ReceiverCircuitOptions,
    private readonly clock: Clock,
    private readonly onResume: () => void,
  ) {
    this.breaker = new ReceiverCircuit(breakerOptions);
  }

  get target(): PushTarget {
    return this.current;
  }

  /** Slots that the queue itself has free. */
  get available(): number {
    // A claim in flight may provide the trial call.
    if (this.timer || (this.breaker.isOpen && this.claiming > 0)) return 0;
    return Math.min(this.target.concurrency - this.slots.used, this.breaker.allowance);
  }

  /** A changed URL is called at once, regardless of the previous receiver's circuit. */
  setTarget(target: PushTarget): void {
    const isChanged = this.current.url !== target.url;
    this.current = target;
    if (!isChanged) return;
    this.breaker = new ReceiverCircuit(this.breakerOptions);
    this.resume();
  }

  /** Starts no call for `delayMs`; of several pauses the longest applies. */
  pause(delayMs: number): void {
    if (this.closed) return;
    const now = this.clock.monotonic();
    this.pausedUntil = Math.max(this.pausedUntil, now + delayMs);
    this.timer?.cancel();
    this.timer = this.clock.after(this.pausedUntil - now, () => {
      this.resume();
      this.onResume();
    });
  }

  close(): void {
    this.closed = true;
    this.unsubscribe();
    this.resume();
  }

  private resume(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.pausedUntil = 0;
    this.breaker.allowTrial();
  }
}
