import type { LeaseRef, LeaseStore, WrittenLease } from '@spooled/contracts';

/** What a transaction did to leases that the lease store should hear of once it is committed. */
export class LeaseChanges {
  private readonly toKeep: WrittenLease[] = [];
  private readonly toEnd: LeaseRef[] = [];
  /** A lease was written into its row, and the store may hold it beyond the row's end. */
  written(lease: WrittenLease): void {
    this.toKeep.push(lease);
  }

  /** A job has ended or gone back whose lease the store may know. */
  ended(lease: LeaseRef): void {
    this.toEnd.push(lease);
  }

  /**
   * Tells the store. Callers hear that a job has ended only after this, so that nobody is told afterwards that its lease was renewed.
   * Should the word get lost, that can happen for half a lease at most: then the row is asked.
   */
  async apply(store: LeaseStore | undefined): Promise<void> {
    if (!store) return;
    await Promise.all([
      this.toKeep.length > 0 ? store.keep(this.toKeep) : undefined,
      this.toEnd.length > 0 ? store.end(this.toEnd) : undefined,
    ]);
  }
}
