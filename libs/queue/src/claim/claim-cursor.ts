import type { ClaimedJob } from '@spooled/contracts';
import { systemClock } from '@spooled/clock';
import type { Clock } from '@spooled/domain';
import { LRUCache } from 'lru-cache';

/** Position in a queue: priority and age of a job, as claim_jobs_v1 reads them. */
export interface QueuePosition {
  priority: number;
  created_at: string;
}

/** A claim's search for ready jobs in one queue. */
export interface Search {
  /** How long it took; 0 if it skipped few entries of dead, locked and expired rows. */
  ms: number;
  /** The search started at the first job of the queue. */
  fullScan: boolean;
}

interface Cursor {
  position: QueuePosition;
  /** Duration of the last full scan if it was slow, otherwise 0. */
  slowMs: number;
  /** When that scan began, on the monotonic clock. */
  scannedAt: number;
}

const slowClaimMs = 10;
const slowClaimMsPerJob = 0.2;
/** Full scans are limited to 5 % of wall time; a job that only a full scan finds waits for at most 5 s. */
const scanIntervalFactor = 20;
const minScanIntervalMs = 250;
const maxScanIntervalMs = 5_000;

/**
 * For queues whose claims have become slow: the position of the last granted job, where the next claims start. Claims
 * are slow while an old snapshot keeps vacuum from removing dead index entries before the waiting jobs. All other
 * queues are scanned from their first job each time and keep their exact order.
 */
export class ClaimCursors {
  private readonly cursors = new LRUCache<string, Cursor>({ maxSize: 10_000, sizeCalculation: () => 1 });

  constructor(private readonly clock: Clock = systemClock) {}

  /** Where a claim starts; undefined = full scan. The caller does that scan, so concurrent claims keep using the cursor. */
  from(queue: string): QueuePosition | undefined {
    const cursor = this.cursors.get(queue);
    if (!cursor?.slowMs) return undefined;
    const now = this.clock.monotonic();
    const intervalMs = Math.min(maxScanIntervalMs, Math.max(minScanIntervalMs, scanIntervalFactor * cursor.slowMs));
    if (now - cursor.scannedAt < intervalMs) return cursor.position;
    cursor.scannedAt = now;
    return undefined;
  }

  /** `jobs` in the order in which they were granted. */
  record(queue: string, jobs: ClaimedJob[], { ms, fullScan }: Search): void {
    const last = jobs.at(-1);
    if (!last) return void this.cursors.delete(queue);
    const previous = this.cursors.get(queue);
    this.cursors.set(queue, {
      position: { priority: last.priority, created_at: last.createdAt },
      slowMs: fullScan || !previous ? slowDuration(ms, jobs.length) : previous.slowMs,
      scannedAt: previous?.slowMs ? previous.scannedAt : this.clock.monotonic(),
    });
  }
}

const slowDuration = (ms: number, jobs: number): number => (ms > slowClaimMs && ms > slowClaimMsPerJob * jobs ? ms : 0);
