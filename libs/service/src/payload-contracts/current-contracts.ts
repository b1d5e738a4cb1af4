import {
  type CredentialFeed,
  type CurrentContract,
  type Database,
  listCurrentContracts,
  type TenantTransaction,
} from '@spooled/data-access';
import type { RedisCredentialCache } from '@spooled/transport';
import { LRUCache } from 'lru-cache';

const maxKept = 50_000;
const keptMs = 30_000;
/** Without a feed of changes. */
const keptUnwatchedMs = 1_000;

export type ContractsByQueue = ReadonlyMap<string, CurrentContract>;

/** What tells a process that contracts have changed; null in a process that does without and reads them once per second. */
export interface ContractChanges {
  feed: Pick<CredentialFeed, 'onChange'>;
  notices: Pick<RedisCredentialCache, 'onInvalidate'> | null;
}

/**
 * Which queues of an organization have a payload contract. Cached by organization, because nearly all have none: their jobs then cost a
 * lookup in a map, whatever the names of their queues.
 */
export class CurrentContracts {
  private readonly cached: LRUCache<string, Promise<ContractsByQueue>>;

  constructor(
    private readonly database: Database,
    changes: ContractChanges | null,
  ) {
    this.cached = new LRUCache({ max: maxKept, ttl: changes ? keptMs : keptUnwatchedMs });
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
    return this.cached.get(organizationId) ?? this.read(organizationId, tx);
  }

  /** Reads them again, because this process has changed one. */
  forget(organizationId: string): void {
    this.cached.delete(organizationId);
  }

  /** Cached before the query starts, so that a change during the query invalidates it. */
  private read(organizationId: string, tx?: TenantTransaction): Promise<ContractsByQueue> {
    const reading = tx ? listCurrentContracts(tx) : this.database.withTenant(organizationId, listCurrentContracts);
    this.cached.set(organizationId, reading);
    reading.catch(() => this.cached.peek(organizationId) === reading && this.cached.delete(organizationId));
    return reading;
  }
}
