/**
 * Places shared by tenants: none takes more than it leaves free. So one alone holds at most half of the places, two a third each,
 * and there is always one for the next tenant, whatever the others' calls do. Decided when a call begins, because a call that runs
 * cannot be interrupted for another tenant's sake.
 */
export class TenantShares {
  private readonly held = new Map<string, number>();
  private unused: number;

  constructor(places: number) {
    this.unused = places;
  }

  get free(): number {
    return this.unused;
  }

  /** How many more places the tenant may take now. The first one only has to be free. */
  available(tenant: string): number {
    const held = this.held.get(tenant) ?? 0;
    const share = Math.floor((this.unused - held) / 2);
    return Math.max(share, held === 0 ? Math.min(1, this.unused) : 0);
  }

  take(tenant: string, places: number): void {
    this.unused -= places;
    this.held.set(tenant, (this.held.get(tenant) ?? 0) + places);
  }

  giveBack(tenant: string, places: number): void {
    this.unused += places;
    const held = this.held.get(tenant)! - places;
    if (held > 0) this.held.set(tenant, held);
    else this.held.delete(tenant);
  }
}
