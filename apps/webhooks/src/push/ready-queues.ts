import type { PushQueue } from './push-queue.js';

/** Push queues that may have jobs, by organization; the last served is last. */
export class ReadyQueues {
  private readonly queues = new Map<string, Set<PushQueue>>();

  add(queue: PushQueue): void {
    const queues = this.queues.get(queue.organizationId);
    if (queues) queues.add(queue);
    else this.queues.set(queue.organizationId, new Set([queue]));
  }

  delete(queue: PushQueue): void {
    const queues = this.queues.get(queue.organizationId);
    if (queues?.delete(queue) && queues.size === 0) this.queues.delete(queue.organizationId);
  }

  has(queue: PushQueue): boolean {
    return this.queues.get(queue.organizationId)?.has(queue) ?? false;
  }

  /** Removes a queue; its organization is the last of the round. An iteration in progress visits it again. */
  take(queue: PushQueue): void {
    const { organizationId } = queue;
    const queues = this.queues.get(organizationId)!;
    queues.delete(queue);
    this.queues.delete(organizationId);
    if (queues.size > 0) this.queues.set(organizationId, queues);
  }

  organizations(): Iterable<string> {
    return this.queues.keys();
  }

  /** The organization's next queue with free slots of its own, and how many of `available` it may use. */
  next(organizationId: string, available: number): { queue: PushQueue; slots: number } | null {
    if (available <= 0) return null;
    for (const queue of this.queues.get(organizationId) ?? []) {
      const slots = Math.min(available, queue.available);
      if (slots > 0) return { queue, slots };
    }
    return null;
  }
}
