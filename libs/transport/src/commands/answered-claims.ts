import type { Clock } from '@spooled/domain';

/** As long as a command may be redelivered: one past its deadline (60 s at most) is dropped. */
const rotateMs = 60_000;
/** Two sets of this size take about 20 MB. */
const maxRecent = 100_000;
/** Claims answered with the leases of a previous run; they are rare, and their first run may answer very late. */
const maxAdopted = 10_000;

/**
 * Records which claims were answered, to decide what happens to leases in a response without a waiting caller: two runs
 * of one claim may both respond.
 */
export class AnsweredClaims {
  private recent = new Set<string>();
  private older = new Set<string>();
  private readonly adopted = new Set<string>();
  private rotatedAt: number;

  constructor(private readonly clock: Clock) {
    this.rotatedAt = clock.monotonic();
  }

  /** A claim was answered with jobs; `adopted`: by a run that found the leases of a previous one. */
  record(claimId: string, adopted: boolean): void {
    this.rotate();
    this.recent.add(claimId);
    if (!adopted) return;
    if (this.adopted.size >= maxAdopted) this.adopted.delete(this.adopted.values().next().value!);
    this.adopted.add(claimId);
  }

  /** Whether the leases of a response without a waiting caller reached no worker. */
  isUnclaimed(claimId: string, adopted: boolean): boolean {
    // The run that granted them responds after the run that adopted them: the worker has them.
    if (this.adopted.has(claimId)) return false;
    return !adopted || !(this.recent.has(claimId) || this.older.has(claimId));
  }

  private rotate(): void {
    const now = this.clock.monotonic();
    if (now - this.rotatedAt < rotateMs && this.recent.size < maxRecent) return;
    this.older = this.recent;
    this.recent = new Set();
    this.rotatedAt = now;
  }
}
