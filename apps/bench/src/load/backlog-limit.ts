/** Limits how many jobs producers may be ahead of workers, so that the backlog cannot grow. */
export class BacklogLimit {
  private jobs = 0;
  private waiting: (() => void)[] = [];

  /** @param signal - aborts all waits */
  constructor(
    private readonly limit: number,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.resume(), { once: true });
  }

  /** Waits until `jobs` more jobs are within the limit. @returns false if the signal has aborted */
  async reserve(jobs: number): Promise<boolean> {
    while (!this.signal.aborted && this.jobs + jobs > this.limit) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    if (this.signal.aborted) return false;
    this.jobs += jobs;
    return true;
  }

  /** Releases jobs that were completed or could not be enqueued. */
  release(jobs: number): void {
    this.jobs -= jobs;
    this.resume();
  }

  private resume(): void {
    for (const resume of this.waiting.splice(0)) resume();
  }
}
