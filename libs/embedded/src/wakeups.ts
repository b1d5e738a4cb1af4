/** A wait for jobs of one queue. */
export interface QueueWait {
  /** Resolves when jobs of the queue may have become claimable. */
  woken: Promise<void>;
  end(): void;
}

/** Wakes the waiting claims of this process when one of its transactions has made jobs claimable. */
export class Wakeups {
  private readonly waiting = new Map<string, Set<() => void>>();

  wake(queueName: string): void {
    for (const wake of this.waiting.get(queueName) ?? []) wake();
  }

  /** Begins before the claim that may find nothing, so that no wake-up is missed. */
  wait(queueName: string): QueueWait {
    const waits = this.waiting.get(queueName) ?? new Set();
    this.waiting.set(queueName, waits);
    let wake = (): void => undefined;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    waits.add(wake);
    const end = () => {
      waits.delete(wake);
      if (waits.size === 0 && this.waiting.get(queueName) === waits) this.waiting.delete(queueName);
    };
    return { woken, end };
  }
}
