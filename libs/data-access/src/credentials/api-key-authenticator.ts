import { unauthorized } from '@spooled/domain';
import bcrypt from 'bcrypt';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.js';
import { findIdentity, findLookup, type ApiKeyIdentity } from './api-key-identity.js';
import { isApiKeyText, lookupOf } from './api-key-text.js';
import { noSharedCache, type CredentialCache, type CredentialNotice } from './credential-cache.js';

const ttlSeconds = 3600;
/** While no word of changes comes in, an entry is believed this long; bounds how late a revocation acts in an outage. */
const unheardTtlMs = 2_000;
const refusalTtlMs = 5_000;
/** `max` would reserve room for all of them in every cache from the start, 1.5 MB each. */
const keysAtMost = { maxSize: 50_000, sizeCalculation: () => 1 };

interface Held {
  identity: ApiKeyIdentity;
  /** Milliseconds of the process's monotonic clock. */
  since: number;
}

const refusal = () => unauthorized('Invalid or expired API key');

/**
 * Finds out whom an API key speaks for (SP-68). Three layers: this process, the shared cache, PostgreSQL; bcrypt runs
 * once per key and process, and never for a key that the shared cache knows (SP-70, SP-79). A change to a key or its
 * organization reaches every process at once through the cache's notices (SP-72).
 */
export class ApiKeyAuthenticator {
  private readonly held = new LRUCache<string, Held>({ ...keysAtMost, ttl: ttlSeconds * 1000 });
  /** Apart from `held`, so that made-up keys cannot push good ones out. */
  private readonly refused = new LRUCache<string, true>({ ...keysAtMost, ttl: refusalTtlMs });
  /** Which bcrypt hash a digest was found to match: never changes, so it outlives every notice. */
  private readonly verified = new LRUCache<string, string>(keysAtMost);
  /** The digest of a key by the key's id: never changes either. */
  private readonly lookups = new LRUCache<string, string>(keysAtMost);
  private readonly underWay = new Map<string, Promise<ApiKeyIdentity>>();
  private changes = 0;

  constructor(
    private readonly database: Database,
    private readonly cache: CredentialCache = noSharedCache,
  ) {
    cache.onInvalidate((notice) => this.forget(notice));
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
    if (!held) return undefined;
    if (this.cache.connected() || performance.now() - held.since < unheardTtlMs) return held.identity;
    return undefined;
  }

  /** Requests that arrive together with an unknown key share one lookup and one bcrypt. */
  private loadOnce(hash: string, text: string | null): Promise<ApiKeyIdentity> {
    if (this.refused.has(hash)) throw refusal();
    const running = this.underWay.get(hash);
    if (running) return running;
    const loading = this.load(hash, text).finally(() => {
      if (this.underWay.get(hash) === loading) this.underWay.delete(hash);
    });
    this.underWay.set(hash, loading);
    return loading;
  }

  private async load(hash: string, text: string | null): Promise<ApiKeyIdentity> {
    const before = this.changes;
    const identity = (await this.cache.get<ApiKeyIdentity>(hash)) ?? (await this.verify(hash, text));
    if (identity === null) {
      if (this.changes === before) this.refused.set(hash, true);
      throw refusal();
    }
    // What was read before a change must not be remembered after it.
    if (this.changes === before) this.held.set(hash, { identity, since: performance.now() });
    return identity;
  }

  private async verify(hash: string, text: string | null): Promise<ApiKeyIdentity | null> {
    const found = await findIdentity(this.database, hash);
    if (!found) return null;
    const { identity, bcryptHash } = found;
    if (text !== null && this.verified.get(hash) !== bcryptHash) {
      if (!(await bcrypt.compare(text, bcryptHash))) return null;
      this.verified.set(hash, bcryptHash);
    }
    void this.cache.set(hash, identity, secondsToKeep(identity));
    return identity;
  }

  /** Drops what a notice has made wrong. */
  forget({ kind, hashes = [] }: CredentialNotice): void {
    this.changes++;
    if (kind === 'everything') {
      this.held.clear();
      this.refused.clear();
    }
    for (const hash of hashes) {
      this.held.delete(hash);
      this.refused.delete(hash);
      this.underWay.delete(hash);
    }
  }
}

function secondsToKeep({ expiresAt }: ApiKeyIdentity): number {
  if (expiresAt === null) return ttlSeconds;
  return Math.max(1, Math.min(ttlSeconds, Math.floor((Date.parse(expiresAt) - Date.now()) / 1000)));
}
