import type { ClaimedJob } from '@spooled/contracts';
import { LRUCache } from 'lru-cache';

/** Where a claim may begin to look: priority and age of a job. */
export interface From {
  p: number;
  t: string;
}

interface LastGrant {
  from: From;
  isSlow: boolean;
  /** When all of the queue was looked through for the last time, on the monotonic clock. */
  lookedAt: number;
}

/** What became claimable behind the place at which claims begin is found after so long at the latest. */
const wholeLookMs = 250;
const slowMs = 10;
const slowMsAJob = 0.2;

/**
 * Remembers, for queues whose claims have become slow, what was granted last, for the next claims to begin there. Claims are slow
 * while something holds an old snapshot open and vacuum cannot remove what lies before the waiting jobs. All other queues are
 * looked through from their first job each time, and keep their order to the letter.
 */
export class LastGrants {
  private readonly grants = new LRUCache<string, LastGrant>({ max: 10_000 });

  /** Undefined: look through the whole queue. */
  from(queue: string): From | undefined {
    const grant = this.grants.get(queue);
    return grant?.isSlow && performance.now() - grant.lookedAt < wholeLookMs ? grant.from : undefined;
  }

  /** `jobs` in the order in which they were granted; `whole`: by a look without `from`. */
  note(queue: string, jobs: { job: ClaimedJob; leaseSeconds: number }[], whole: boolean): void {
    const last = jobs.at(-1);
    if (!last) return void this.grants.delete(queue);
    const before = this.grants.get(queue);
    this.grants.set(queue, {
      from: { p: last.job.priority, t: last.job.createdAt },
      isSlow: whole || !before ? isSlow(jobs) : before.isSlow,
      lookedAt: whole || !before ? performance.now() : before.lookedAt,
    });
  }
}

/** Leases run from the moment at which they are written, attempts from the beginning of the statement. */
function isSlow(jobs: { job: ClaimedJob; leaseSeconds: number }[]): boolean {
  const { job, leaseSeconds } = jobs[0]!;
  const tookMs = Date.parse(job.leaseExpiresAt) - leaseSeconds * 1000 - Date.parse(job.startedAt);
  return tookMs > slowMs && tookMs > slowMsAJob * jobs.length;
}
