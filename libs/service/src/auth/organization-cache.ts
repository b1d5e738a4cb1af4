import { entriesUpTo, expiringBy, systemClock } from '@spooled/clock';
import { type CredentialFeed, type Database, maxCacheAgeSeconds, type TenantTransaction } from '@spooled/data-access';
import type { Clock } from '@spooled/domain';
import type { RedisCredentialCache } from '@spooled/transport';
import { LRUCache } from 'lru-cache';

/** Without a feed of changes. */
const keptUnwatchedMs = 1_000;

interface Cached<Value> {
  value: Promise<Value>;
  /** When the query was sent, on the monotonic clock. */
  since: number;
}

/** What tells a process that settings have changed; null in a process that does without and reads them once per second. */
export interface SettingChanges {
  feed: Pick<CredentialFeed, 'onChange' | 'isCurrent'>;
  notices: Pick<RedisCredentialCache, 'onInvalidate'> | null;
}

/** Settings of organizations. As long as changes can be read, entries are kept for an hour. */
export class OrganizationCache<Value> {
  private readonly cached: LRUCache<string, Cached<Value>>;

  constructor(
    private readonly database: Database,
    private readonly changes: SettingChanges | null,
    private readonly find: (tx: TenantTransaction) => Promise<Value>,
    private readonly clock: Clock = systemClock,
  ) {
    const ttl = changes ? maxCacheAgeSeconds * 1_000 : keptUnwatchedMs;
    this.cached = new LRUCache({ ...entriesUpTo(50_000), ...expiringBy(clock), ttl });
    changes?.feed.onChange((change) => {
      if (change === 'everything') this.cached.clear();
      else if (change.kind === 'settings') this.forget(change.organizationId);
    });
    changes?.notices?.onInvalidate((notice) => {
      if (notice.kind === 'everything') this.cached.clear();
      else if (notice.kind === 'queue') this.forget(notice.organizationId);
    });
  }

  /**
   * @param tx used for reading if given, so that a caller in a transaction needs no second connection
   * @throws SpooledError 503
   */
  of(organizationId: string, tx?: TenantTransaction): Promise<Value> {
    const cached = this.cached.get(organizationId);
    // While changes cannot be read, what is cached may be outdated.
    const isCurrent = cached && (!this.changes || this.changes.feed.isCurrent(cached.since));
    return isCurrent ? cached.value : this.read(organizationId, tx);
  }

  /** Reads them again, because this process has changed one. */
  forget(organizationId: string): void {
    this.cached.delete(organizationId);
  }

  /** Cached before the query starts, so that a change during the query invalidates it. */
  private read(organizationId: string, tx?: TenantTransaction): Promise<Value> {
    const value = tx ? this.find(tx) : this.database.withTenant(organizationId, this.find);
    const entry = { value, since: this.clock.monotonic() };
    this.cached.set(organizationId, entry);
    value.catch(() => this.cached.peek(organizationId) === entry && this.cached.delete(organizationId));
    return value;
  }
}
