/** The state of one posted webhook. Times in ms of the monotonic clock. */
export interface Entry {
  deliveryId: string;
  queue: string;
  /** Fails at every attempt, so that it becomes a dead letter. */
  poison: boolean;
  acceptedAt?: number;
  startedAt?: number;
  endedAt?: number;
  jobId?: string;
  completions: number;
  dead: boolean;
}

/** The demo's own records, independent of the system's, so that both can be compared at the end. */
export class Ledger {
  readonly entries = new Map<string, Entry>();
  /** Null for jobs that the demo did not create. */
  private readonly byJob = new Map<string, Entry | null>();
  private readonly open = new Map<string, number>();
  accepted = 0;
  attempts = 0;
  failures = 0;
  retries = 0;
  heartbeats = 0;
  leasesLost = 0;
  ended = 0;
  private aborted = false;
  private lastProgress = performance.now();
  readonly startedAt = performance.now();

  constructor(readonly total: number) {}

  expect(entry: Entry): void {
    this.entries.set(entry.deliveryId, entry);
    this.open.set(entry.queue, (this.open.get(entry.queue) ?? 0) + 1);
  }

  accept(entry: Entry): void {
    entry.acceptedAt = performance.now();
    this.accepted++;
    this.progress();
  }

  /** The entry of a claimed job; null for jobs that the demo did not create, undefined before `identify`. */
  entryOf(jobId: string): Entry | null | undefined {
    return this.byJob.get(jobId);
  }

  /** Notes which webhook became this job. @throws Error when one webhook became two jobs */
  identify(jobId: string, deliveryId: string | null): Entry | null {
    const entry = this.entries.get(deliveryId ?? '') ?? null;
    this.byJob.set(jobId, entry);
    if (!entry) return null;
    entry.jobId ??= jobId;
    if (entry.jobId !== jobId) throw new Error(`Webhook ${deliveryId} became two jobs: ${entry.jobId} and ${jobId}`);
    return entry;
  }

  start(entry: Entry): void {
    entry.startedAt ??= performance.now();
    this.attempts++;
    this.progress();
  }

  complete(entry: Entry): void {
    entry.completions++;
    this.end(entry);
  }

  fail(entry: Entry, willRetry: boolean): void {
    this.failures++;
    if (willRetry) this.retries++;
    else {
      entry.dead = true;
      this.end(entry);
    }
    this.progress();
  }

  /** Queues with jobs of the demo left, largest first. */
  openQueues(): string[] {
    return [...this.open]
      .filter(([, left]) => left > 0)
      .sort((a, b) => b[1] - a[1])
      .map(([queue]) => queue);
  }

  abort(): void {
    this.aborted = true;
  }

  get finished(): boolean {
    return this.aborted || this.ended >= this.total;
  }

  /** Milliseconds since the last change. */
  get msSinceProgress(): number {
    return performance.now() - this.lastProgress;
  }

  private end(entry: Entry): void {
    this.progress();
    if (entry.endedAt !== undefined) return;
    entry.endedAt = performance.now();
    this.ended++;
    this.open.set(entry.queue, (this.open.get(entry.queue) ?? 1) - 1);
  }

  private progress(): void {
    this.lastProgress = performance.now();
  }
}
