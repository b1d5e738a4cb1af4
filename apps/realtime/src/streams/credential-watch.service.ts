import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { streamPermissions } from '@spooled/contracts';
import { CredentialFeed } from '@spooled/data-access';
import { mayDo, SpooledError } from '@spooled/domain';
import { AppLogger } from '@spooled/platform';
import { Authenticator, SHARED_CREDENTIALS } from '@spooled/service';
import type { RedisCredentialCache, InvalidationNotice } from '@spooled/transport';
import { OpenStreams, type OpenStream } from './open-streams.js';

/** For changes without a notification: keys that expire. */
const reviewIntervalMs = 5_000;
/** Credentials checked concurrently, so that a review never takes all database connections. */
const reviewConcurrency = 8;

/**
 * Checks the credentials of open streams again: when they are open, at once after a change, and every 5 s (nearly always from the cache).
 * Ends the streams of invalid credentials and of roles that no longer permit them, and applies the changed scope to the others.
 */
@Injectable()
export class CredentialWatch implements OnModuleInit, OnModuleDestroy {
  private timer?: NodeJS.Timeout;
  private unsubscribes: (() => void)[] = [];

  constructor(
    @Inject(SHARED_CREDENTIALS) private readonly cache: RedisCredentialCache | null,
    private readonly feed: CredentialFeed,
    private readonly authenticator: Authenticator,
    private readonly streams: OpenStreams,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    this.unsubscribes = [
      this.feed.onChange((change) => this.reviewOf(change === 'everything' ? null : change.organizationId)),
      // Its credential may have changed since it was admitted.
      this.streams.onAdded((stream) => void this.review([stream])),
    ];
    if (this.cache) this.unsubscribes.push(this.cache.onInvalidate((notice) => this.onNotice(notice)));
    this.timer = setInterval(() => void this.review([...this.streams]), reviewIntervalMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    for (const stop of this.unsubscribes) stop();
  }

  private onNotice(notice: InvalidationNotice): void {
    if (notice.kind === 'queue') return;
    this.reviewOf(notice.kind === 'everything' ? null : notice.organizationId);
  }

  /** Null = all organizations. */
  private reviewOf(organizationId: string | null): void {
    const affected = [...this.streams].filter(
      ({ caller }) => organizationId === null || caller.organizationId === organizationId,
    );
    // One event-loop turn later: by then every other listener has removed its cached entries.
    setImmediate(() => void this.review(affected));
  }

  private async review(streams: OpenStream[]): Promise<void> {
    const queue = [...Map.groupBy(streams, ({ caller }) => caller.credential).values()];
    const work = async () => {
      for (let group = queue.pop(); group; group = queue.pop()) await this.reviewGroup(group);
    };
    await Promise.all(Array.from({ length: reviewConcurrency }, work));
  }

  /** Reviews the streams of one credential. If it cannot be checked, they stay open until the next review. */
  private async reviewGroup(streams: OpenStream[]): Promise<void> {
    const { credential, organizationId } = streams[0]!.caller;
    try {
      const principal = await this.authenticator.ofCredential(credential);
      for (const open of streams) {
        const { stream } = open.caller;
        open.caller = { ...principal, credential, stream };
        if (!mayDo(principal.role, streamPermissions[stream])) open.end('revoked');
      }
    } catch (error) {
      if (error instanceof SpooledError && error.status === 401) {
        for (const stream of streams) stream.end('revoked');
      } else {
        this.logger.warn({ organization_id: organizationId, err: error }, 'failed to review a credential');
      }
    }
  }
}
