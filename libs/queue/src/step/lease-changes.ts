import type { LeaseRef, LeaseStore, WrittenLease } from '@spooled/contracts';

/** Changes of leases to send to the lease store after the commit. */
export class LeaseChanges {
  private readonly toKeep: WrittenLease[] = [];
  private readonly toEnd: LeaseRef[] = [];

  /** A lease was written to its row, and the store may extend it beyond the row's end. */
  written(lease: WrittenLease): void {
    this.toKeep.push(lease);
  }

  /** A job has ended or was released, and the store may hold its lease. */
  ended(lease: LeaseRef): void {
    this.toEnd.push(lease);
  }

  /**
   * Sends the changes. Callers get the response that a job has ended only after this, so that no later renewal of its
   * lease succeeds. If the message is lost, that can happen for at most half a lease: then the row is checked.
   */
  async apply(store: LeaseStore | undefined): Promise<void> {
    if (!store) return;
    await Promise.all([
      this.toKeep.length > 0 ? store.keep(this.toKeep) : undefined,
      this.toEnd.length > 0 ? store.end(this.toEnd) : undefined,
    ]);
  }
}
