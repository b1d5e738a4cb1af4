import type { HeldLease } from '@spooled/sdk/internal';

/** Passes requests to cancel running jobs to the workers of this process. Those of other processes come with renewals. */
export class Cancellations {
  private readonly listeners = new Set<(lease: HeldLease) => void>();

  /** Returns the end of the subscription. */
  onRequest(listener: (lease: HeldLease) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  request(lease: HeldLease): void {
    for (const listener of this.listeners) listener(lease);
  }
}
