import { entriesUpTo, expiringBy } from '@spooled/clock';
import { type Clock, unauthorized } from '@spooled/domain';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.js';
import { ApiKeyDigests } from './api-key-digests.js';
import { findIdentity, findLookup, storeDigest, type ApiKeyIdentity, type CachedIdentity } from './api-key-identity.js';
import { isApiKeyText, lookupOf } from './api-key-text.js';
import { noSharedCache, type CredentialCache, type CredentialNotice } from './credential-cache.js';
import { maxCacheAgeSeconds, type CredentialFeed } from './credential-feed.js';
import { mayBeMissedBy, type CredentialChange } from './recent-changes.js';

const refusalTtlMs = 5_000;
const cacheLimit = entriesUpTo(50_000);

interface CacheEntry {
  identity: CachedIdentity;
  /** When it was read from the database, on the monotonic clock; -Infinity if it came from the shared cache. */
  since: number;
}

/** A lookup in progress; outdated = the key has changed in the meantime, so the result must not be cached. */
interface Load {
  outdated: boolean;
  identity: Promise<ApiKeyIdentity>;
}

export interface AuthenticatorOptions {
  digests?: ApiKeyDigests;
  /** Called for a digest that could not be updated, and for a key whose pepper is not configured. */
  onProblem?: (problem: string, apiKeyId: string, error?: unknown) => void;
}

const refusal = () => unauthorized('Invalid or expired API key');

/**
 * Authenticates API keys (SP-68) in three layers: process cache, shared cache, PostgreSQL (SP-79). A change to a key or its
 * organization invalidates the cached identity in every process, immediately through the shared cache's notices (SP-72) and
 * reliably through the feed: a cached identity is not used while the feed is stale, or when the feed has a later change.
 */
export class ApiKeyAuthenticator {
  private readonly cached: LRUCache<string, CacheEntry>;
  /** Separate from `cached`, so that invalid keys cannot evict valid ones. */
  private readonly refused: LRUCache<string, true>;
  /** The lookup hash of a key by the key's id; never changes, so it is never invalidated. */
  private readonly lookups = new LRUCache<string, string>(cacheLimit);
  private readonly loads = new Map<string, Load>();
  private readonly digests: ApiKeyDigests;
  private readonly clock: Clock;

  constructor(
    private readonly database: Database,
    private readonly feed: CredentialFeed,
    private readonly cache: CredentialCache = noSharedCache,
    private readonly options: AuthenticatorOptions = {},
  ) {
    this.clock = feed.clock;
    const limits = { ...cacheLimit, ...expiringBy(feed.clock) };
    this.cached = new LRUCache({ ...limits, ttl: maxCacheAgeSeconds * 1000 });
    this.refused = new LRUCache({ ...limits, ttl: refusalTtlMs });
    this.digests = options.digests ?? new ApiKeyDigests();
    cache.onInvalidate((notice) => this.invalidate(notice));
    feed.onChange((change) => this.applyChange(change));
  }

  /**
   * @throws SpooledError 401 when the key is malformed, unknown, inactive or expired, or its organization was deleted;
   *   503 when it is not cached and PostgreSQL is unavailable
   */
  async authenticate(text: string): Promise<ApiKeyIdentity> {
    if (!isApiKeyText(text)) throw refusal();
    return this.identify(lookupOf(text), text);
  }

  /**
   * As `authenticate`, for a caller with an access token that was issued for the key. Uses the same caches, so revoking
   * the key revokes its tokens at the same time.
   * @throws SpooledError 401 when the key is unknown, inactive or expired, or its organization was deleted; 503
   */
  async authenticateById(apiKeyId: string): Promise<ApiKeyIdentity> {
    return this.identify(await this.lookupById(apiKeyId), null);
  }

  private async identify(hash: string, text: string | null): Promise<ApiKeyIdentity> {
    const identity = this.findCached(hash) ?? (await this.loadOnce(hash, text));
    if (identity.expiresAt !== null && Date.parse(identity.expiresAt) <= this.clock.now()) throw refusal();
    return identity;
  }

  private async lookupById(apiKeyId: string): Promise<string> {
    const cached = this.lookups.get(apiKeyId);
    if (cached !== undefined) return cached;
    if (this.refused.has(apiKeyId)) throw refusal();
    const found = await findLookup(this.database, apiKeyId);
    if (found === null) {
      this.refused.set(apiKeyId, true);
      throw refusal();
    }
    this.lookups.set(apiKeyId, found);
    return found;
  }

  private findCached(hash: string): ApiKeyIdentity | undefined {
    const entry = this.cached.get(hash);
    return entry && this.feed.isCurrent(entry.since) ? entry.identity : undefined;
  }

  /** Concurrent requests with an uncached key share one lookup. */
  private loadOnce(hash: string, text: string | null): Promise<ApiKeyIdentity> {
    if (this.refused.has(hash)) throw refusal();
    const running = this.loads.get(hash);
    if (running) return running.identity;
    const load = { outdated: false } as Load;
    load.identity = this.load(hash, text, load).finally(() => {
      if (this.loads.get(hash) === load) this.loads.delete(hash);
    });
    this.loads.set(hash, load);
    return load.identity;
  }

  private async load(hash: string, text: string | null, load: Pick<Load, 'outdated'>): Promise<ApiKeyIdentity> {
    const startedAt = this.clock.monotonic();
    const seenChanges = this.feed.changeCount;
    const shared = await this.findShared(hash);
    const identity = shared ?? (await this.verify(hash, text));
    if (identity === null) {
      if (!load.outdated) this.refused.set(hash, true);
      throw refusal();
    }
    // What was read before a change must not be cached after it.
    if (!load.outdated && !this.feed.isSuperseded(identity.read, identity.organizationId, hash, seenChanges)) {
      this.cached.set(hash, { identity, since: shared ? -Infinity : startedAt });
    }
    return identity;
  }

  /** Checks the entry against the feed: Redis may have missed an invalidation while it was unreachable. */
  private async findShared(hash: string): Promise<CachedIdentity | null> {
    if (!this.feed.isCurrent()) return null;
    const found = await this.cache.get<CachedIdentity>(hash);
    if (!found) return null;
    if (this.feed.isValidCacheEntry(found.read, found.organizationId, hash)) return found;
    await this.cache.delete(hash);
    return null;
  }

  private async verify(hash: string, text: string | null): Promise<CachedIdentity | null> {
    const found = await findIdentity(this.database, hash);
    if (!found) return null;
    const { identity, digest } = found;
    if (text !== null && !this.matches(text, digest, identity)) return null;
    void this.cache.set(hash, identity, cacheTtlSeconds(identity, this.clock.now()));
    return identity;
  }

  private matches(text: string, digest: string, { apiKeyId }: ApiKeyIdentity): boolean {
    const check = this.digests.check(text, digest);
    if (check === 'unknown_pepper') this.options.onProblem?.('its pepper is not in API_KEY_PEPPER', apiKeyId);
    if (check === 'outdated') {
      storeDigest(this.database, apiKeyId, this.digests.of(text)).catch((error: unknown) =>
        this.options.onProblem?.('its digest could not be updated', apiKeyId, error),
      );
    }
    return check === 'current' || check === 'outdated';
  }

  /** Removes the entries that a notice invalidates. */
  invalidate({ kind, hashes = [] }: CredentialNotice): void {
    if (kind === 'everything') {
      this.cached.clear();
      this.refused.clear();
      for (const hash of [...this.loads.keys()]) this.drop(hash);
    }
    for (const hash of hashes) this.drop(hash);
  }

  /** Removes the entries that a change read from the database invalidates. */
  private applyChange(change: CredentialChange | 'everything'): void {
    if (change === 'everything') this.invalidate({ kind: 'everything' });
    else if (change.kind === 'api_key') this.invalidateKey(change);
    else if (change.kind === 'organization') this.invalidateOrganization(change);
  }

  private invalidateKey(change: CredentialChange): void {
    const entry = this.cached.peek(change.subject);
    // Most changes have already arrived as a notice, and the cached entry was read after them.
    if (entry && !mayBeMissedBy(entry.identity.read, change)) return;
    this.invalidate({ kind: 'api_key', hashes: [change.subject] });
  }

  private invalidateOrganization(change: CredentialChange): void {
    // `refused` does not record which keys belong to the organization.
    this.refused.clear();
    for (const [hash, { identity }] of this.cached.entries()) {
      if (identity.organizationId === change.organizationId && mayBeMissedBy(identity.read, change)) this.drop(hash);
    }
  }

  private drop(hash: string): void {
    this.cached.delete(hash);
    this.refused.delete(hash);
    const load = this.loads.get(hash);
    if (load) load.outdated = true;
    this.loads.delete(hash);
  }
}

function cacheTtlSeconds({ expiresAt }: ApiKeyIdentity, now: number): number {
  if (expiresAt === null) return maxCacheAgeSeconds;
  return Math.max(1, Math.min(maxCacheAgeSeconds, Math.floor((Date.parse(expiresAt) - now) / 1000)));
}
