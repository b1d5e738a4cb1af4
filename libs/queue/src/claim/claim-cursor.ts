import type { ClaimedJob } from '@spooled/contracts';
import { LRUCache } from 'lru-cache';

/** Where a claim may begin to search: priority and age of a job, as claim_jobs_v2 reads them. */
export interface From {
  priority: number;
  created_at: string;
}

/** A claim's search for ready jobs in one queue. */
export interface Search {
  ms: number;
  /** Without `from`: from the first job of the queue. */
  whole: boolean;
}

interface LastGrant {
  from: From;
  /** How long the last look through the whole queue took, when that was too long; else 0. */
  slowMs: number;
  /** When it began, on the monotonic clock. */
  lookedAt: number;
}

const slowMs = 10;
const slowMsAJob = 0.2;
/** Looks through the whole queue take a twentieth of the time, but what they alone find waits for 5 s at most. */
const restPerLook = 20;
const shortestRestMs = 250;
const longestRestMs = 5_000;

/**
 * Remembers, for queues whose claims have become slow, what was granted last, for the next claims to begin there. Claims are slow
 * while something holds an old snapshot open and vacuum cannot remove what lies before the waiting jobs. All other queues are
 * looked through from their first job each time, and keep their order to the letter.
 */
export class ClaimCursors {
  private readonly grants = new LRUCache<string, LastGrant>({ max: 10_000 });

  /** Undefined: look through the whole queue. The caller does, so others need not at the same time. */
  from(queue: string): From | undefined {
    const grant = this.grants.get(queue);
    if (!grant?.slowMs) return undefined;
    const now = performance.now();
    const restMs = Math.min(longestRestMs, Math.max(shortestRestMs, restPerLook * grant.slowMs));
    if (now - grant.lookedAt < restMs) return grant.from;
    grant.lookedAt = now;
    return undefined;
  }

  /** `jobs` in the order in which they were granted. */
  note(queue: string, jobs: ClaimedJob[], { ms, whole }: Search): void {
    const last = jobs.at(-1);
    if (!last) return void this.grants.delete(queue);
    const before = this.grants.get(queue);
    this.grants.set(queue, {
      from: { priority: last.priority, created_at: last.createdAt },
      slowMs: whole || !before ? slowTime(ms, jobs.length) : before.slowMs,
      lookedAt: before?.slowMs ? before.lookedAt : performance.now(),
    });
  }
}

const slowTime = (ms: number, jobs: number): number => (ms > slowMs && ms > slowMsAJob * jobs ? ms : 0);
