import { type CredentialFeed, findWebhookReceiver, type Database, type WebhookReceiver } from '@spooled/data-access';
import { isUuid, notFound } from '@spooled/domain';
import type { RedisCredentialCache } from '@spooled/transport';
import { LRUCache } from 'lru-cache';

const ttlMs = 30_000;
/** Short, so that a new organization is found soon. */
const unknownTtlMs = 2_000;
const maxEntries = 10_000;

/** Caches the organizations that receive webhooks; invalidated by changes of their settings. */
export class Receivers {
  private readonly cached = new LRUCache<string, Promise<WebhookReceiver | null>>({ max: maxEntries, ttl: ttlMs });

  constructor(
    private readonly db: Database,
    changes: Pick<RedisCredentialCache, 'onInvalidate'> | null,
    feed: Pick<CredentialFeed, 'onChange'>,
  ) {
    feed.onChange((change) => {
      if (change === 'everything') this.cached.clear();
      else if (change.kind === 'settings' || change.kind === 'organization') this.cached.delete(change.organizationId);
    });
    changes?.onInvalidate((notice) => {
      if (notice.kind === 'everything') this.cached.clear();
      else if (notice.kind === 'organization') this.cached.delete(notice.organizationId);
    });
  }

  /** @throws SpooledError 404 for an unknown or deleted organization, 503 when PostgreSQL is unavailable */
  async find(organizationId: string): Promise<WebhookReceiver> {
    if (!isUuid(organizationId)) throw notFound('Organization');
    const id = organizationId.toLowerCase();
    const receiver = await (this.cached.get(id) ?? this.read(id));
    if (!receiver) throw notFound('Organization');
    return receiver;
  }

  /** Concurrent callers share one read. */
  private read(id: string): Promise<WebhookReceiver | null> {
    const reading = this.db.withTenant(id, findWebhookReceiver);
    this.cached.set(id, reading);
    const isCurrent = () => this.cached.peek(id) === reading;
    reading.then(
      (receiver) => void (receiver === null && isCurrent() && this.cached.set(id, reading, { ttl: unknownTtlMs })),
      () => void (isCurrent() && this.cached.delete(id)),
    );
    return reading;
  }
}
