import type { LeasedJob } from '@spooled/sdk';
import type { HeldLease, Renewal, WorkerClock } from '@spooled/sdk/internal';

export interface PrefetchOptions {
  /** Jobs to prefetch beyond those that run. */
  size: number;
  /** Duration of a lease in milliseconds. */
  leaseMs: number;
  clock: Pick<WorkerClock, 'every'>;
  claim(limit: number): Promise<LeasedJob[]>;
  /** Rejects when the lease is lost or PostgreSQL is away. */
  renew(job: LeasedJob): Promise<Renewal>;
  /** Never rejects. */
  release(jobs: LeasedJob[]): Promise<void>;
}

/** Prefetched jobs of one queue: the next handler starts without a claim. */
export class PrefetchedJobs {
  private jobs: LeasedJob[] = [];
  private filling: Promise<void> | undefined;
  private renewing: ReturnType<WorkerClock['every']> | undefined;
  private mayHaveMore = false;
  private stopped = false;

  constructor(private readonly options: PrefetchOptions) {}

  /**
   * Up to `limit` jobs in the order of their claims, and prefetches further ones. None is claimed here while the claim of others is in
   * flight: it could overtake that one, and together they would be more than `size`. None once stopped.
   * @throws what `claim` throws
   */
  async next(limit: number): Promise<LeasedJob[]> {
    if (this.jobs.length === 0) await this.filling;
    if (this.stopped) return [];
    if (this.jobs.length === 0) return this.claim(limit);
    const taken = this.jobs.splice(0, limit);
    if (this.jobs.length * 2 < this.options.size && this.mayHaveMore) this.fill();
    return taken;
  }

  /** Releases the prefetched jobs, which uses up no attempt; further ones are released as they come. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.renewing?.cancel();
    await Promise.all([this.filling, this.options.release(this.jobs.splice(0))]);
  }

  /** A job whose end was requested does not begin: its release cancels it. */
  async drop({ leaseId }: HeldLease): Promise<void> {
    const dropped = this.jobs.filter((job) => job.leaseId === leaseId);
    this.jobs = this.jobs.filter((job) => job.leaseId !== leaseId);
    await this.options.release(dropped);
  }

  private async claim(limit: number): Promise<LeasedJob[]> {
    const wanted = limit + this.options.size - this.jobs.length;
    const claimed = await this.options.claim(wanted);
    this.mayHaveMore = claimed.length === wanted;
    await this.keep(claimed.slice(limit));
    return claimed.slice(0, limit);
  }

  private fill(): void {
    this.filling ??= this.claim(0)
      // The next claim of the worker meets the same error and reports it.
      .then(
        () => undefined,
        () => void (this.mayHaveMore = false),
      )
      .finally(() => (this.filling = undefined));
  }

  private async keep(jobs: LeasedJob[]): Promise<void> {
    if (jobs.length === 0) return;
    if (this.stopped) return this.options.release(jobs);
    this.jobs.push(...jobs);
    // A job that starts just before its renewal still has two thirds of its lease, and its run renews it after half of one.
    this.renewing ??= this.options.clock.every(this.options.leaseMs / 3, () => void this.renew());
  }

  /** Drops jobs whose lease may be lost: they are recovered when it expires. */
  private async renew(): Promise<void> {
    const prefetched = [...this.jobs];
    const results = await Promise.allSettled(prefetched.map((job) => this.options.renew(job)));
    const lost = new Set(prefetched.filter((_, i) => results[i]!.status === 'rejected'));
    if (lost.size > 0) this.jobs = this.jobs.filter((job) => !lost.has(job));
    const asked = prefetched.filter((_, i) => {
      const result = results[i]!;
      return result.status === 'fulfilled' && result.value.cancelRequested;
    });
    for (const job of asked) await this.drop(job);
  }
}
