import { systemClock } from '@spooled/clock';
import type { Timer } from '@spooled/domain';
import { keys, type SlotKind } from '../connection/keys.js';
import type { RedisShards } from '../connection/redis-shards.js';

export type { StreamKind } from '../connection/keys.js';

/** A slot of one open stream. `release` is idempotent. */
export interface StreamSlot {
  release(): void;
}

interface OpenStreams {
  organizationId: string;
  key: string;
  ids: Set<string>;
}

/**
 * Counts the open streams of each organization over all processes. A process renews its slots three times per `leaseMs`
 * (1 min), so slots of a crashed process expire after at most that. While Redis is down each process counts its own;
 * the next renewal adds streams opened meanwhile.
 */
export class StreamSlots {
  private readonly open = new Map<string, OpenStreams>();
  private readonly renewals: Timer;
  private lastNumber = 0;

  /**
   * @param shards null = without Redis: this process counts alone
   * @param processId unique among all processes, for example a UUID
   */
  constructor(
    private readonly shards: RedisShards | null,
    private readonly processId: string,
    private readonly leaseMs = 60_000,
  ) {
    const clock = shards?.clock ?? systemClock;
    this.renewals = clock.every(leaseMs / 3, () => this.renewAll()).unref();
  }

  /** A slot, or null when the organization has `limit` open streams of this kind. Never throws. */
  async take(organizationId: string, kind: SlotKind, limit: number): Promise<StreamSlot | null> {
    const streams = this.streamsOf(organizationId, keys.openStreams(organizationId, kind));
    if (streams.ids.size >= limit) return null;
    const id = `${this.processId}:${++this.lastNumber}`;
    // Added before the response, so that concurrent callers count each other even without Redis.
    streams.ids.add(id);
    const redis = this.shards?.shardOf(organizationId).commands;
    const answer = await redis?.takeStreamSlot(streams.key, id, this.leaseMs, limit).catch(() => 1);
    if (answer !== 0) return { release: () => this.release(streams, id) };
    this.remove(streams, id);
    return null;
  }

  close(): void {
    this.renewals.cancel();
  }

  private streamsOf(organizationId: string, key: string): OpenStreams {
    const known = this.open.get(key);
    if (known) return known;
    const streams = { organizationId, key, ids: new Set<string>() };
    this.open.set(key, streams);
    return streams;
  }

  private release(streams: OpenStreams, id: string): void {
    if (!this.remove(streams, id)) return;
    const redis = this.shards?.shardOf(streams.organizationId).commands;
    // If this fails, the slot expires.
    redis?.zrem(streams.key, id).catch(() => undefined);
  }

  private remove(streams: OpenStreams, id: string): boolean {
    const removed = streams.ids.delete(id);
    if (streams.ids.size === 0 && this.open.get(streams.key) === streams) this.open.delete(streams.key);
    return removed;
  }

  private renewAll(): void {
    for (const { organizationId, key, ids } of this.open.values()) {
      const redis = this.shards?.shardOf(organizationId).commands;
      if (ids.size > 0) redis?.renewStreamSlots(key, this.leaseMs, ...ids).catch(() => undefined);
    }
  }
}
