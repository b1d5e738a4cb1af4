import { type CredentialFeed, findWebhookReceiver, type Database, type WebhookReceiver } from '@spooled/data-access';
import { isUuid, notFound } from '@spooled/domain';
import type { RedisCredentialCache } from '@spooled/transport';
import { LRUCache } from 'lru-cache';

const keptMs = 30_000;
/** An organization that was just created must not stay unknown for long. */
const unknownKeptMs = 2_000;
const maxKept = 10_000;

/** The organizations that webhooks arrive for, cached for a short time; a changed setting acts at once, or with the feed. */
export class Receivers {
  private readonly known = new LRUCache<string, Promise<WebhookReceiver | null>>({ max: maxKept, ttl: keptMs });

  constructor(
    private readonly db: Database,
    changes: Pick<RedisCredentialCache, 'onInvalidate'> | null,
    feed: Pick<CredentialFeed, 'onChange'>,
  ) {
    feed.onChange((change) => {
      if (change === 'everything') this.known.clear();
      else if (change.kind === 'settings' || change.kind === 'organization') this.known.delete(change.organizationId);
    });
    changes?.onInvalidate((notice) => {
      if (notice.kind === 'everything') this.known.clear();
      else if (notice.kind === 'organization') this.known.delete(notice.organizationId);
    });
  }

  /** @throws SpooledError 404 for an unknown or deleted organization, 503 when PostgreSQL is away */
  async find(organizationId: string): Promise<WebhookReceiver> {
    if (!isUuid(organizationId)) throw notFound('Organization');
    const id = organizationId.toLowerCase();
    const receiver = await (this.known.get(id) ?? this.read(id));
    if (!receiver) throw notFound('Organization');
    return receiver;
  }

  /** Callers at the same time share one read. */
  private read(id: string): Promise<WebhookReceiver | null> {
    const reading = this.db.withTenant(id, findWebhookReceiver);
    this.known.set(id, reading);
    const isCurrent = () => this.known.peek(id) === reading;
    reading.then(
      (receiver) => void (receiver === null && isCurrent() && this.known.set(id, reading, { ttl: unknownKeptMs })),
      () => void (isCurrent() && this.known.delete(id)),
    );
    return reading;
  }
}
