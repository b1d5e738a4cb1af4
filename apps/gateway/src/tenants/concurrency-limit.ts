import { unavailable } from '@spooled/domain';

/** Limits how many tasks run at a time; others wait in order, so that they do not delay unrelated requests. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly waiting = new Set<() => void>();

  /** @param what name of the task in the error when both limits are reached */
  constructor(
    private readonly what: string,
    private readonly limits: { running: number; waiting: number },
  ) {}

  /** @throws SpooledError 503 without running `task`, when too many wait or when `disconnected` is aborted first */
  async run<T>(task: () => Promise<T>, disconnected: AbortSignal): Promise<T> {
    await this.acquire(disconnected);
    try {
      return await task();
    } finally {
      this.release();
    }
  }

  private async acquire(disconnected: AbortSignal): Promise<void> {
    if (disconnected.aborted) throw unavailable(this.what, 1);
    if (this.running < this.limits.running) {
      this.running++;
      return;
    }
    if (this.waiting.size >= this.limits.waiting) throw unavailable(this.what, 1);
    await new Promise<void>((resolve, reject) => {
      const cancel = () => {
        this.waiting.delete(start);
        reject(unavailable(this.what, 1));
      };
      const start = () => {
        disconnected.removeEventListener('abort', cancel);
        resolve();
      };
      this.waiting.add(start);
      disconnected.addEventListener('abort', cancel, { once: true });
    });
  }

  /** Starts the next waiting task. */
  private release(): void {
    const [next] = this.waiting;
    if (!next) {
      this.running--;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
