import { unauthorized } from '@spooled/domain';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.js';
import { ApiKeyDigests } from './api-key-digests.js';
import { findIdentity, findLookup, storeDigest, type ApiKeyIdentity, type CachedIdentity } from './api-key-identity.js';
import { isApiKeyText, lookupOf } from './api-key-text.js';
import { noSharedCache, type CredentialCache, type CredentialNotice } from './credential-cache.js';
import { cachedAtMostSeconds, type CredentialFeed } from './credential-feed.js';
import { isMissedBy, type CredentialChange } from './known-changes.js';

const refusalTtlMs = 5_000;
/** `max` would reserve room for all of them in every cache from the start, 1.5 MB each. */
const keysAtMost = { maxSize: 50_000, sizeCalculation: () => 1 };

interface Held {
  identity: CachedIdentity;
  /** When it was read from the database, by the process's monotonic clock; what Redis gave is only as good as the feed. */
  since: number;
}

/** A key that is being looked up; outdated = it has changed since, so what comes of it must not be cached. */
interface Load {
  outdated: boolean;
  identity: Promise<ApiKeyIdentity>;
}

export interface AuthenticatorOptions {
  digests?: ApiKeyDigests;
  /** Hears of what does not fail the request: a digest that could not be renewed, a key of a pepper that is not set. */
  onProblem?: (problem: string, apiKeyId: string, error?: unknown) => void;
}

const refusal = () => unauthorized('Invalid or expired API key');

/**
 * Finds out whom an API key speaks for (SP-68). Three layers: this process, the shared cache, PostgreSQL (SP-79). A change to a key or its
 * organization reaches every process at once through the cache's notices (SP-72), and through the feed in any case:
 * nothing that is cached is used while the feed is not current, or when it knows of a later change.
 */
export class ApiKeyAuthenticator {
  private readonly held = new LRUCache<string, Held>({ ...keysAtMost, ttl: cachedAtMostSeconds * 1000 });
  /** Apart from `held`, so that made-up keys cannot push good ones out. */
  private readonly refused = new LRUCache<string, true>({ ...keysAtMost, ttl: refusalTtlMs });
  /** The digest of a key by the key's id: never changes, so it outlives every notice. */
  private readonly lookups = new LRUCache<string, string>(keysAtMost);
  private readonly loads = new Map<string, Load>();
  private readonly digests: ApiKeyDigests;

  constructor(
    private readonly database: Database,
    private readonly feed: CredentialFeed,
    private readonly cache: CredentialCache = noSharedCache,
    private readonly options: AuthenticatorOptions = {},
  ) {
    this.digests = options.digests ?? new ApiKeyDigests();
    cache.onInvalidate((notice) => this.forget(notice));
    feed.onChange((change) => this.forgetChanged(change));
  }

  /**
   * @throws SpooledError 401 when the key is malformed, unknown, inactive or expired, or its organization was deleted;
   *   503 when it is not cached and PostgreSQL is away
   */
  async authenticate(text: string): Promise<ApiKeyIdentity> {
    if (!isApiKeyText(text)) throw refusal();
    return this.identify(lookupOf(text), text);
  }

  /**
   * As `authenticate`, for whoever has proved by other means that the key was his: by a token that was issued for it. The
   * key is held to the same caches, so whatever ends it ends its tokens at the same moment.
   * @throws SpooledError 401 when the key is unknown, inactive or expired, or its organization was deleted; 503
   */
  async authenticateById(apiKeyId: string): Promise<ApiKeyIdentity> {
    return this.identify(await this.lookupById(apiKeyId), null);
  }

  private async identify(hash: string, text: string | null): Promise<ApiKeyIdentity> {
    const identity = this.recall(hash) ?? (await this.loadOnce(hash, text));
    if (identity.expiresAt !== null && Date.parse(identity.expiresAt) <= Date.now()) throw refusal();
    return identity;
  }

  private async lookupById(apiKeyId: string): Promise<string> {
    const known = this.lookups.get(apiKeyId);
    if (known !== undefined) return known;
    if (this.refused.has(apiKeyId)) throw refusal();
    const found = await findLookup(this.database, apiKeyId);
    if (found === null) {
      this.refused.set(apiKeyId, true);
      throw refusal();
    }
    this.lookups.set(apiKeyId, found);
    return found;
  }

  private recall(hash: string): ApiKeyIdentity | undefined {
    const held = this.held.get(hash);
    return held && this.feed.isCurrent(held.since) ? held.identity : undefined;
  }

  /** Requests that arrive together with an unknown key share one lookup. */
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
    const began = performance.now();
    const shown = this.feed.arrivals;
    const shared = await this.recallShared(hash);
    const identity = shared ?? (await this.verify(hash, text));
    if (identity === null) {
      if (!load.outdated) this.refused.set(hash, true);
      throw refusal();
    }
    // What was read before a change must not be cached after it.
    if (!load.outdated && !this.feed.isSuperseded(identity.read, identity.organizationId, hash, shown)) {
      this.held.set(hash, { identity, since: shared ? -Infinity : began });
    }
    return identity;
  }

  /** What Redis kept may be older than a change that it was never told of: it may have been away, and come back with its data. */
  private async recallShared(hash: string): Promise<CachedIdentity | null> {
    if (!this.feed.isCurrent()) return null;
    const found = await this.cache.get<Partial<CachedIdentity>>(hash);
    if (!found) return null;
    if (found.read && found.organizationId && this.feed.covers(found.read, found.organizationId, hash)) {
      return found as CachedIdentity;
    }
    await this.cache.delete(hash);
    return null;
  }

  private async verify(hash: string, text: string | null): Promise<CachedIdentity | null> {
    const found = await findIdentity(this.database, hash);
    if (!found) return null;
    const { identity, digest } = found;
    if (text !== null && !this.matches(text, digest, identity)) return null;
    void this.cache.set(hash, identity, secondsToKeep(identity));
    return identity;
  }

  /**
   * A key of an earlier version has no digest. It was found by the SHA-256 of its whole text, which nobody knows who does not
   * know the 32 random bytes in it; its bcrypt hash would prove the same once more.
   */
  private matches(text: string, digest: string | null, { apiKeyId }: ApiKeyIdentity): boolean {
    const check = digest === null ? 'outdated' : this.digests.check(text, digest);
    if (check === 'foreign') this.options.onProblem?.('its pepper is not among those of API_KEY_PEPPER', apiKeyId);
    if (check === 'outdated') {
      storeDigest(this.database, apiKeyId, this.digests.of(text)).catch((error: unknown) =>
        this.options.onProblem?.('its digest could not be renewed', apiKeyId, error),
      );
    }
    return check === 'current' || check === 'outdated';
  }

  /** Drops what a notice has made wrong. */
  forget({ kind, hashes = [] }: CredentialNotice): void {
    if (kind === 'everything') {
      this.held.clear();
      this.refused.clear();
      for (const hash of [...this.loads.keys()]) this.drop(hash);
    }
    for (const hash of hashes) this.drop(hash);
  }

  /** Drops what a change has made wrong that was read from the database. */
  private forgetChanged(change: CredentialChange | 'everything'): void {
    if (change === 'everything') this.forget({ kind: 'everything' });
    else if (change.kind === 'api_key') this.forgetKey(change);
    else if (change.kind === 'organization') this.forgetOrganization(change);
  }

  private forgetKey(change: CredentialChange): void {
    const held = this.held.peek(change.subject);
    // Most changes came by notice before, and what is held has been read since.
    if (held && !isMissedBy(held.identity.read, change)) return;
    this.forget({ kind: 'api_key', hashes: [change.subject] });
  }

  private forgetOrganization(change: CredentialChange): void {
    // Which keys were refused because of their organization is not known.
    this.refused.clear();
    for (const [hash, { identity }] of this.held.entries()) {
      if (identity.organizationId === change.organizationId && isMissedBy(identity.read, change)) this.drop(hash);
    }
  }

  private drop(hash: string): void {
    this.held.delete(hash);
    this.refused.delete(hash);
    const load = this.loads.get(hash);
    if (load) load.outdated = true;
    this.loads.delete(hash);
  }
}

function secondsToKeep({ expiresAt }: ApiKeyIdentity): number {
  if (expiresAt === null) return cachedAtMostSeconds;
  return Math.max(1, Math.min(cachedAtMostSeconds, Math.floor((Date.parse(expiresAt) - Date.now()) / 1000)));
}
