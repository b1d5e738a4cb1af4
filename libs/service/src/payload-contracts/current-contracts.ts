import { expiringBy, systemClock } from '@spooled/clock';
import {
  type CredentialFeed,
  type CurrentContract,
  type Database,
  listCurrentContracts,
  maxCacheAgeSeconds,
  type TenantTransaction,
} from '@spooled/data-access';
import type { Clock } from '@spooled/domain';
import type { RedisCredentialCache } from '@spooled/transport';
import { LRUCache } from 'lru-cache';

/** By size: lru-cache reserves 1.9 MB for a `max` of 50,000. */
const cacheLimit = { maxSize: 50_000, sizeCalculation: () => 1 };
/** Without a feed of changes. */
const keptUnwatchedMs = 1_000;

export type ContractsByQueue = ReadonlyMap<string, CurrentContract>;

interface CachedContracts {
  contracts: Promise<ContractsByQueue>;
  /** When the query was sent, on the monotonic clock. */
  since: number;
}

/** What tells a process that contracts have changed; null in a process that does without and reads them once per second. */
export interface ContractChanges {
  feed: Pick<CredentialFeed, 'onChange' | 'isCurrent'>;
  notices: Pick<RedisCredentialCache, 'onInvalidate'> | null;
}

/**
 * Which queues of an organization have a payload contract. Cached by organization, because nearly all have none: their jobs then cost a
 * lookup in a map, whatever the names of their queues. As long as changes can be read, entries are kept for an hour.
 */
export class CurrentContracts {
  private readonly cached: LRUCache<string, CachedContracts>;

  constructor(
    private readonly database: Database,
    private readonly changes: ContractChanges | null,
    private readonly clock: Clock = systemClock,
  ) {
    const ttl = changes ? maxCacheAgeSeconds * 1_000 : keptUnwatchedMs;
    this.cached = new LRUCache({ ...cacheLimit, ...expiringBy(clock), ttl });
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
   * By queue.
   * @param tx used for reading if given, so that a caller in a transaction needs no second connection
   * @throws SpooledError 503
   */
  of(organizationId: string, tx?: TenantTransaction): Promise<ContractsByQueue> {
    const cached = this.cached.get(organizationId);
    // While changes cannot be read, what is cached may be outdated.
    const isCurrent = cached && (!this.changes || this.changes.feed.isCurrent(cached.since));
    return isCurrent ? cached.contracts : this.read(organizationId, tx);
  }

  /** Reads them again, because this process has changed one. */
  forget(organizationId: string): void {
    this.cached.delete(organizationId);
  }

  /** Cached before the query starts, so that a change during the query invalidates it. */
  private read(organizationId: string, tx?: TenantTransaction): Promise<ContractsByQueue> {
    const contracts = tx ? listCurrentContracts(tx) : this.database.withTenant(organizationId, listCurrentContracts);
    const entry = { contracts, since: this.clock.monotonic() };
    this.cached.set(organizationId, entry);
    contracts.catch(() => this.cached.peek(organizationId) === entry && this.cached.delete(organizationId));
    return contracts;
  }
}
