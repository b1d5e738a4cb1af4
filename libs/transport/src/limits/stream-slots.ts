import { keys, type SlotKind } from '../connection/keys.js';
import type { RedisShards } from '../connection/redis-shards.js';

export type { StreamKind } from '../connection/keys.js';

/** A place for one open stream. `release` may be called on every way out; only the first call counts. */
export interface StreamSlot {
  release(): void;
}

interface Holding {
  organizationId: string;
  key: string;
  ids: Set<string>;
}

/**
 * Counts the open streams of each organization over all processes. A process renews what it holds three times in
 * `leaseMs` (a minute), so the places of one that was killed are free again after a minute at most. While Redis is down each process counts
 * its own; when Redis is back the next renewal enters what was opened meanwhile.
 */
export class StreamSlots {
  private readonly holdings = new Map<string, Holding>();
  private readonly renewals: NodeJS.Timeout;
  private taken = 0;

  /**
   * @param shards null = a deployment without Redis: this process counts alone
   * @param processId unique among all processes, for instance a UUID made at boot
   */
  constructor(
    private readonly shards: RedisShards | null,
    private readonly processId: string,
    private readonly leaseMs = 60_000,
  ) {
    this.renewals = setInterval(() => this.renewAll(), leaseMs / 3).unref();
  }

  /** A place, or null when the organization has `limit` streams of this kind open. Never throws. */
  async take(organizationId: string, kind: SlotKind, limit: number): Promise<StreamSlot | null> {
    const holding = this.holdingOf(organizationId, keys.openStreams(organizationId, kind));
    if (holding.ids.size >= limit) return null;
    const id = `${this.processId}:${++this.taken}`;
    // Held from before the answer, so that callers at the same moment count each other also without Redis.
    holding.ids.add(id);
    const redis = this.shards?.shardOf(organizationId).commands;
    const answer = await redis?.takeStreamSlot(holding.key, id, this.leaseMs, limit).catch(() => 1);
    if (answer !== 0) return { release: () => this.release(holding, id) };
    this.forget(holding, id);
    return null;
  }

  close(): void {
    clearInterval(this.renewals);
  }

  private holdingOf(organizationId: string, key: string): Holding {
    const known = this.holdings.get(key);
    if (known) return known;
    const holding = { organizationId, key, ids: new Set<string>() };
    this.holdings.set(key, holding);
    return holding;
  }

  private release(holding: Holding, id: string): void {
    if (!this.forget(holding, id)) return;
    const redis = this.shards?.shardOf(holding.organizationId).commands;
    // Unheard, it lapses by itself.
    redis?.zrem(holding.key, id).catch(() => undefined);
  }

  private forget(holding: Holding, id: string): boolean {
    const held = holding.ids.delete(id);
    if (holding.ids.size === 0 && this.holdings.get(holding.key) === holding) this.holdings.delete(holding.key);
    return held;
  }

  private renewAll(): void {
    for (const { organizationId, key, ids } of this.holdings.values()) {
      const redis = this.shards?.shardOf(organizationId).commands;
      if (ids.size > 0) redis?.renewStreamSlots(key, this.leaseMs, ...ids).catch(() => undefined);
    }
  }
}
