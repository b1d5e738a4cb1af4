/** As long as a command may be run again: one past its deadline (60 s at most) is dropped. */
const rotateMs = 60_000;
/** Two sets of so many ids take some 20 MB. */
const maxRecent = 100_000;
/** Of claims that were answered with leases of an earlier run; there are few, and their first run may answer very late. */
const maxAdopted = 10_000;

/**
 * Remembers which claims were answered, to tell what has to become of leases in an answer that nobody waits for: two runs of one
 * claim may both answer.
 */
export class AnsweredClaims {
  private recent = new Set<string>();
  private older = new Set<string>();
  private readonly adopted = new Set<string>();
  private rotatedAt = performance.now();

  /** A claim was answered with jobs; `adopted`: by a run that found the leases of an earlier one. */
  note(claimId: string, adopted: boolean): void {
    this.rotate();
    this.recent.add(claimId);
    if (!adopted) return;
    if (this.adopted.size >= maxAdopted) this.adopted.delete(this.adopted.values().next().value!);
    this.adopted.add(claimId);
  }

  /** Whether nobody can have got the leases of an answer for which nobody waits. */
  isUnclaimed(claimId: string, adopted: boolean): boolean {
    // The run that granted them answers after the one that found them: the claimant has them.
    if (this.adopted.has(claimId)) return false;
    return !adopted || !(this.recent.has(claimId) || this.older.has(claimId));
  }

  private rotate(): void {
    const now = performance.now();
    if (now - this.rotatedAt < rotateMs && this.recent.size < maxRecent) return;
    this.older = this.recent;
    this.recent = new Set();
    this.rotatedAt = now;
  }
}
