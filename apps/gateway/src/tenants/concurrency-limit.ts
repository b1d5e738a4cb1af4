import { unavailable } from '@spooled/domain';

/** Runs a few pieces of work at a time, in order; the others wait, so that other requests have their turn between them. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly waiting = new Set<() => void>();

  /** @param what names the work in the refusal of what is beyond both bounds */
  constructor(
    private readonly what: string,
    private readonly most: { running: number; waiting: number },
  ) {}

  /** @throws SpooledError 503 when too many wait, or when `gone` aborts before the turn comes: then `work` does not run */
  async run<T>(work: () => Promise<T>, gone: AbortSignal): Promise<T> {
    await this.acquire(gone);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  private async acquire(gone: AbortSignal): Promise<void> {
    if (gone.aborted) throw unavailable(this.what, 1);
    if (this.running < this.most.running) {
      this.running++;
      return;
    }
    if (this.waiting.size >= this.most.waiting) throw unavailable(this.what, 1);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.waiting.delete(begin);
        reject(unavailable(this.what, 1));
      };
      const begin = () => {
        gone.removeEventListener('abort', leave);
        resolve();
      };
      this.waiting.add(begin);
      gone.addEventListener('abort', leave, { once: true });
    });
  }

  /** Hands the place on. */
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
