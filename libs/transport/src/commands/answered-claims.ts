import { expiringBy } from '@spooled/clock';
import type { Clock } from '@spooled/domain';
import { LRUCache } from 'lru-cache';

/** Longer than a command may be redelivered, as one past its deadline (60 s at most) is dropped, and its last run may answer late. */
const ttl = 120_000;
/** So many take about 20 MB. */
const maxRecent = 100_000;
/** Claims answered with the leases of a previous run; they are rare, and their first run may answer very late. */
const maxAdopted = 10_000;

/**
 * Records which claims were answered, to decide what happens to leases in a response without a waiting caller: two runs
 * of one claim may both respond.
 */
export class AnsweredClaims {
  private readonly recent: LRUCache<string, true>;
  private readonly adopted = new LRUCache<string, true>({ maxSize: maxAdopted, sizeCalculation: () => 1 });

  constructor(clock: Clock) {
    this.recent = new LRUCache({ maxSize: maxRecent, sizeCalculation: () => 1, ...expiringBy(clock), ttl });
  }

  /** A claim was answered with jobs; `adopted`: by a run that found the leases of a previous one. */
  record(claimId: string, adopted: boolean): void {
    this.recent.set(claimId, true);
    if (adopted) this.adopted.set(claimId, true);
  }

  /** Whether the leases of a response without a waiting caller reached no worker. */
  isUnclaimed(claimId: string, adopted: boolean): boolean {
    // The run that granted them responds after the run that adopted them: the worker has them.
    if (this.adopted.has(claimId)) return false;
    return !adopted || !this.recent.has(claimId);
  }
}
