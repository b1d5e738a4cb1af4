import { keys } from '../connection/keys.js';
import type { RedisShard, RedisShards } from '../connection/redis-shards.js';
import type { TransportLog } from '../connection/transport-log.js';

/** What changed. `hashes` are the SHA-256 digests of the API keys whose cached entries must go. */
export type Invalidation =
  | { kind: 'api_key'; organizationId: string; hashes: string[] }
  | { kind: 'organization'; organizationId: string; hashes: string[] }
  | { kind: 'queue'; organizationId: string; queueName: string }
  | { kind: 'session'; organizationId: string; sessionId: string };

/** `everything`: messages may have been missed, so nothing that is remembered in this process can be trusted. */
export type InvalidationNotice = Invalidation | { kind: 'everything' };

/**
 * Stands in place of an entry that was invalidated, for longer than any request lives: a reader that fetched the old
 * state from the database just before the change can then not put it back into the cache.
 */
const tombstone = '';
const tombstoneSeconds = 60;
/** Changes made during an outage, kept to be told afterwards. Beyond this many, entries end by their TTL. */
const maxUntold = 10_000;

/** API keys by digest, shared by all processes, with word to every process when one of them changes (SP-65). */
export class RedisCredentialCache {
  private readonly listeners = new Set<(notice: InvalidationNotice) => void>();
  private readonly untold = new Map<RedisShard, Invalidation[]>();

  constructor(
    private readonly shards: RedisShards,
    private readonly log: TransportLog,
  ) {
    for (const shard of shards.all) this.attach(shard);
  }

  /** The cached value, or null: also when Redis cannot answer, so that the caller asks the database. */
  async get<T>(hash: string): Promise<T | null> {
    try {
      const text = await this.shards.shardOf(hash).commands.get(keys.apiKey(hash));
      return text ? (JSON.parse(text) as T) : null;
    } catch {
      return null;
    }
  }

  /** Remembers a value, unless the key has one or was invalidated a moment ago. Never throws. */
  async set(hash: string, value: unknown, ttlSeconds: number): Promise<void> {
    const { commands } = this.shards.shardOf(hash);
    await commands.set(keys.apiKey(hash), JSON.stringify(value), 'EX', ttlSeconds, 'NX').catch(() => undefined);
  }

  /**
   * Forgets what a change has made wrong, here and in every process. Call it after the commit. Never throws; false means
   * that a Redis is down: it is told as soon as it is back, and until then other processes know nothing.
   */
  async invalidate(change: Invalidation): Promise<boolean> {
    // This process must not depend on Redis to hear its own word.
    this.notify(change);
    const told = await Promise.all(this.shards.all.map((shard) => this.tell(shard, change)));
    return told.every(Boolean);
  }

  /** Forgets one entry without telling anyone, for instance one that turned out to be expired. */
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
    shard.commands.on('ready', () => void this.tellRest(shard));
  }

  /** Every shard carries the word, so that one lost Redis does not keep it from those who hear the others. */
  private async tell(shard: RedisShard, change: Invalidation): Promise<boolean> {
    const hashes = 'hashes' in change ? change.hashes : [];
    const here = hashes.filter((hash) => this.shards.shardOf(hash) === shard);
    const pipeline = shard.commands.pipeline();
    for (const hash of here) pipeline.set(keys.apiKey(hash), tombstone, 'EX', tombstoneSeconds);
    pipeline.publish(keys.invalidations, JSON.stringify(change));
    try {
      const results = await pipeline.exec();
      const failure = results?.find(([error]) => error)?.[0];
      if (failure) throw failure;
      return true;
    } catch (error) {
      this.keepUntold(shard, change, error);
      return false;
    }
  }

  private keepUntold(shard: RedisShard, change: Invalidation, error: unknown): void {
    const untold = this.untold.get(shard) ?? [];
    this.untold.set(shard, untold);
    if (untold.length < maxUntold) untold.push(change);
    const facts = { shard: shard.name, kind: change.kind, organization_id: change.organizationId, err: error };
    this.log.warn(facts, 'An invalidation waits until Redis is back');
  }

  private async tellRest(shard: RedisShard): Promise<void> {
    const untold = this.untold.get(shard) ?? [];
    this.untold.delete(shard);
    await Promise.all(untold.map((change) => this.tell(shard, change)));
  }

  private notify(notice: InvalidationNotice): void {
    for (const listener of this.listeners) listener(notice);
  }
}
