import { setTimeout as sleep } from 'node:timers/promises';
import type { Wakeup, WakeupSender } from '@spooled/data-access';

/** A wait for jobs of one queue. */
export interface QueueWait {
  /** Resolves when jobs of the queue may have become claimable. */
  woken: Promise<void>;
  end(): void;
}

/** Wakes the waiting claims of this process and of services when one of its transactions has made jobs claimable. */
export class Wakeups {
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(
    private readonly organizationId: string,
    private readonly others: Pick<WakeupSender, 'send' | 'close'>,
  ) {}

  wake(queues: readonly Wakeup[]): void {
    for (const { organizationId, queueName } of queues) {
      if (organizationId === this.organizationId) for (const wake of this.waiting.get(queueName) ?? []) wake();
    }
    this.others.send(queues);
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

  /** Resolves when other processes have been told what is pending. */
  close(): Promise<void> {
    return this.others.close();
  }
}

/** Waits for the first of the events, and at most `ms` milliseconds. @throws the reason of the signal */
export async function pause(events: Promise<void>[], ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const timer = sleep(ms, undefined, { signal: AbortSignal.any([signal, ending.signal]) });
  try {
    await Promise.race([...events, timer]);
  } catch {
    signal.throwIfAborted();
  } finally {
    timer.catch(() => undefined);
    ending.abort();
  }
}
