/** How far producers are ahead of workers; makes of both a closed system, whose backlog cannot grow. */
export class Lead {
  private ahead = 0;
  private waiting: (() => void)[] = [];

  /** @param signal - when it aborts, nobody waits any more */
  constructor(
    private readonly limit: number,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.resume(), { once: true });
  }

  /** Waits until so many more jobs fit. @returns false when it is over */
  async take(jobs: number): Promise<boolean> {
    while (!this.signal.aborted && this.ahead + jobs > this.limit) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    if (this.signal.aborted) return false;
    this.ahead += jobs;
    return true;
  }

  /** Jobs that are completed, or were not taken. */
  done(jobs: number): void {
    this.ahead -= jobs;
    this.resume();
  }

  private resume(): void {
    for (const resume of this.waiting.splice(0)) resume();
  }
}
