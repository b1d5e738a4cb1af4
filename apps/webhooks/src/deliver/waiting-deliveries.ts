import type { DeliveryRef } from '@spooled/contracts';

export interface WaitingDeliveriesOptions {
  /** Ids that are kept for one organization, and for all. */
  maxPerOrganization: number;
  maxTotal: number;
}

/** Deliveries whose organization has no free place, in order of arrival; organizations take turns. */
export class WaitingDeliveries {
  private readonly ids = new Map<string, Set<string>>();
  private total = 0;

  constructor(private readonly options: WaitingDeliveriesOptions) {}

  /** @returns false if there is no room; nothing is kept then */
  add({ id, organizationId }: DeliveryRef): boolean {
    const ids = this.ids.get(organizationId);
    if (ids?.has(id)) return true;
    if (this.total >= this.options.maxTotal || (ids?.size ?? 0) >= this.options.maxPerOrganization) return false;
    this.total++;
    if (ids) ids.add(id);
    else this.ids.set(organizationId, new Set([id]));
    return true;
  }

  /** Whether a delivery is kept, or would have no room. */
  covers({ id, organizationId }: DeliveryRef): boolean {
    const ids = this.ids.get(organizationId);
    return ids !== undefined && (ids.has(id) || ids.size >= this.options.maxPerOrganization);
  }

  /** Organizations with waiting deliveries, the one whose turn it is first. */
  organizations(): Iterable<string> {
    return this.ids.keys();
  }

  /** Removes the oldest delivery of the first organization with a place; its next turn comes last. */
  next(hasPlace: (organizationId: string) => boolean): DeliveryRef | null {
    for (const [organizationId, ids] of this.ids) {
      if (!hasPlace(organizationId)) continue;
      const [id] = ids;
      this.ids.delete(organizationId);
      ids.delete(id!);
      this.total--;
      if (ids.size > 0) this.ids.set(organizationId, ids);
      return { id: id!, organizationId };
    }
    return null;
  }

  /** Removes all. */
  takeAll(): DeliveryRef[] {
    const all = [...this.ids].flatMap(([organizationId, ids]) => [...ids].map((id) => ({ id, organizationId })));
    this.ids.clear();
    this.total = 0;
    return all;
  }
}
