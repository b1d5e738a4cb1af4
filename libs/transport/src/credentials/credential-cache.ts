import { keys } from '../connection/keys.js';
import type { RedisShard, RedisShards } from '../connection/redis-shards.js';
import type { TransportLog } from '../connection/transport-log.js';

/** A change of cached data. `hashes`: SHA-256 digests of the API keys to remove from the cache. */
export type Invalidation =
  | { kind: 'api_key'; organizationId: string; hashes: string[] }
  | { kind: 'organization'; organizationId: string; hashes: string[] }
  | { kind: 'queue'; organizationId: string; queueName: string }
  | { kind: 'session'; organizationId: string; sessionId: string };

/** `everything`: messages may have been missed, so all data cached in this process is invalid. */
export type InvalidationNotice = Invalidation | { kind: 'everything' };

/** Replaces an invalidated entry. It outlives every request, so a concurrent reader cannot cache the old state. */
const tombstone = '';
const tombstoneSeconds = 60;
/** Changes made during an outage, published afterwards. Beyond this many, entries expire by their TTL. */
const maxPending = 10_000;

/** Cache of API keys by digest, shared by all processes, with invalidation messages to every process (SP-65). */
export class RedisCredentialCache {
  private readonly listeners = new Set<(notice: InvalidationNotice) => void>();
  private readonly pending = new Map<RedisShard, Invalidation[]>();

  constructor(
    private readonly shards: RedisShards,
    private readonly log: TransportLog,
  ) {
    for (const shard of shards.all) this.attach(shard);
  }

  /** The cached value, or null; also null when Redis is unavailable, so that the caller reads the database. */
  async get<T>(hash: string): Promise<T | null> {
    try {
      const text = await this.shards.shardOf(hash).commands.get(keys.apiKey(hash));
      return text ? (JSON.parse(text) as T) : null;
    } catch {
      return null;
    }
  }

  /** Caches a value unless the key has one or was just invalidated. Never throws. */
  async set(hash: string, value: unknown, ttlSeconds: number): Promise<void> {
    const { commands } = this.shards.shardOf(hash);
    await commands.set(keys.apiKey(hash), JSON.stringify(value), 'EX', ttlSeconds, 'NX').catch(() => undefined);
  }

  /**
   * Invalidates cached data here and in every process. Call it after the commit. Never throws; false when a Redis is
   * down: it gets the message after it is back, until then processes that use only that Redis are not notified.
   */
  async invalidate(change: Invalidation): Promise<boolean> {
    // This process must not depend on Redis for its own change.
    this.notify(change);
    const published = await Promise.all(this.shards.all.map((shard) => this.publishTo(shard, change)));
    return published.every(Boolean);
  }

  /** Removes one entry without notifying other processes, for example an expired one. */
  async delete(hash: string): Promise<void> {
    await this.shards
      .shardOf(hash)
      .commands.del(keys.apiKey(hash))
      .catch(() => undefined);
  }

  onInvalidate(listener: (notice: InvalidationNotice) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private attach(shard: RedisShard): void {
    shard.channels.subscribe(keys.invalidations, (message) => this.notify(JSON.parse(message) as Invalidation));
    shard.channels.onResumed(() => this.notify({ kind: 'everything' }));
    shard.commands.on('ready', () => void this.publishPending(shard));
  }

  /** Published on every shard, so that one lost Redis does not cut off processes connected to the others. */
  private async publishTo(shard: RedisShard, change: Invalidation): Promise<boolean> {
    const hashes = 'hashes' in change ? change.hashes : [];
    const here = hashes.filter((hash) => this.shards.shardOf(hash) === shard);
    const pipeline = shard.commands.pipeline();
    for (const hash of here) pipeline.set(keys.apiKey(hash), tombstone, 'EX', tombstoneSeconds);
    shard.publishIn(pipeline, keys.invalidations, JSON.stringify(change));
    try {
      const results = await pipeline.exec();
      const failure = results?.find(([error]) => error)?.[0];
      if (failure) throw failure;
      return true;
    } catch (error) {
      this.keepPending(shard, change, error);
      return false;
    }
  }

  private keepPending(shard: RedisShard, change: Invalidation, error: unknown): void {
    const pending = this.pending.get(shard) ?? [];
    this.pending.set(shard, pending);
    if (pending.length < maxPending) pending.push(change);
    const facts = { shard: shard.name, kind: change.kind, organization_id: change.organizationId, err: error };
    this.log.warn(facts, 'Invalidation not published; retrying when Redis is back');
  }

  private async publishPending(shard: RedisShard): Promise<void> {
    const pending = this.pending.get(shard) ?? [];
    this.pending.delete(shard);
    await Promise.all(pending.map((change) => this.publishTo(shard, change)));
  }

  private notify(notice: InvalidationNotice): void {
    for (const listener of this.listeners) listener(notice);
  }
}
