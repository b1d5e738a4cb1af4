/**
 * Slots shared by tenants: none takes more than it leaves free. One tenant alone gets at most half of the slots, two a
 * third each, and one slot remains for the next tenant. Decided when a call starts, because a running call cannot be
 * preempted.
 */
export class TenantShares {
  private readonly used = new Map<string, number>();
  private unused: number;

  constructor(slots: number) {
    this.unused = slots;
  }

  get free(): number {
    return this.unused;
  }

  /** Number of slots that the tenant may take now. The first one only has to be free. */
  available(tenant: string): number {
    const used = this.used.get(tenant) ?? 0;
    const share = Math.floor((this.unused - used) / 2);
    return Math.max(share, used === 0 ? Math.min(1, this.unused) : 0);
  }

  take(tenant: string, slots: number): void {
    this.unused -= slots;
    this.used.set(tenant, (this.used.get(tenant) ?? 0) + slots);
  }

  release(tenant: string, slots: number): void {
    this.unused += slots;
    const used = this.used.get(tenant)! - slots;
    if (used > 0) this.used.set(tenant, used);
    else this.used.delete(tenant);
  }
}
