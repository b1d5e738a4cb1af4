/** Whose share something counts in, and its weight there. */
export interface ShareOwner {
  name: string;
  weight: number;
}

/**
 * Capacity shared by tenants: each may hold at most `weight` times what remains free (dynamic thresholds, Choudhury and Hahne
 * 1998). One tenant alone gets `weight / (weight + 1)` of the capacity, so that a further one always finds some free; several
 * get shares in proportion to their weights as what they hold is released. Decided when something is taken, because what runs
 * cannot be preempted.
 */
export class TenantShares {
  private readonly used = new Map<string, number>();
  private unused: number;

  /** @param capacity in any unit, such as requests, connections or bytes; Infinity = unlimited */
  constructor(capacity: number) {
    this.unused = capacity;
  }

  get free(): number {
    return this.unused;
  }

  /** What the tenant may take now, in whole units. The first one only has to be free. */
  available(tenant: string, weight = 1): number {
    const used = this.usedBy(tenant);
    const share = Math.floor((weight * this.unused - used) / (weight + 1));
    return Math.max(share, used === 0 ? Math.min(1, this.unused) : 0);
  }

  take(tenant: string, units: number): void {
    this.unused -= units;
    this.used.set(tenant, this.usedBy(tenant) + units);
  }

  release(tenant: string, units: number): void {
    this.unused += units;
    const used = this.usedBy(tenant) - units;
    if (used > 0) this.used.set(tenant, used);
    else this.used.delete(tenant);
  }

  usedBy(tenant: string): number {
    return this.used.get(tenant) ?? 0;
  }
}
