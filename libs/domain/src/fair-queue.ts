/** Round robin over tenants, first in first out within each (BX-03). All operations except `waiting` take constant time. */
export class FairQueue<T> {
  private readonly tenants = new Map<string, { items: T[]; head: number }>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** Whether the tenant has no more items than tenants have on average; `smallest` items always are within the share. */
  isWithinShare(tenant: string, smallest: number): boolean {
    const queue = this.tenants.get(tenant);
    const own = queue ? queue.items.length - queue.head : 0;
    return own < smallest || own < this.count / this.tenants.size;
  }

  push(tenant: string, item: T): void {
    const queue = this.tenants.get(tenant);
    if (queue) queue.items.push(item);
    else this.tenants.set(tenant, { items: [item], head: 0 });
    this.count++;
  }

  /** The tenant to serve next; undefined when the queue is empty. */
  get next(): string | undefined {
    return this.tenants.keys().next().value;
  }

  /** The next tenant that `accepts`; constant time when it accepts the first. */
  nextAmong(accepts: (tenant: string) => boolean): string | undefined {
    for (const tenant of this.tenants.keys()) if (accepts(tenant)) return tenant;
    return undefined;
  }

  /** Tenants with items, in round-robin order. */
  waiting(): string[] {
    return [...this.tenants.keys()];
  }

  /** The item that `take` would return. */
  peek(tenant = this.next): T | undefined {
    const queue = tenant === undefined ? undefined : this.tenants.get(tenant);
    return queue?.items[queue.head];
  }

  /** Takes the first item of the tenant, by default of `next`; the tenant moves to the end of the round. */
  take(tenant = this.next): T | undefined {
    const queue = tenant === undefined ? undefined : this.tenants.get(tenant);
    if (tenant === undefined || !queue) return undefined;
    const item = queue.items[queue.head++];
    this.tenants.delete(tenant);
    if (queue.head < queue.items.length) {
      // Taken items are removed in chunks, so that a long queue does not keep them in memory.
      if (queue.head > 1024) {
        queue.items.splice(0, queue.head);
        queue.head = 0;
      }
      this.tenants.set(tenant, queue);
    }
    this.count--;
    return item;
  }
}
