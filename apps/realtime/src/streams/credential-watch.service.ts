import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { CredentialFeed } from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
import { AppLogger } from '@spooled/platform';
import type { RedisCredentialCache, InvalidationNotice } from '@spooled/transport';
import { Callers, type Caller } from '../caller/callers.service.js';
import { SHARED_CREDENTIALS } from '../stores/stores.module.js';
import { OpenStreams, type OpenStream } from './open-streams.js';

/** Catches what nothing tells of: keys that expire. */
const reviewEveryMs = 5_000;
/** Credentials asked about at the same time, so that a review never takes all database connections. */
const reviewWidth = 8;

/**
 * Asks again about the credentials of open streams: at once when a change is announced or read, and every five seconds anyway
 * (nearly always answered from memory). Ends the streams of those that are no longer valid, and narrows or widens the
 * others.
 */
@Injectable()
export class CredentialWatch implements OnModuleInit, OnModuleDestroy {
  private timer?: NodeJS.Timeout;
  private stopListening: (() => void)[] = [];

  constructor(
    @Inject(SHARED_CREDENTIALS) private readonly cache: RedisCredentialCache | null,
    private readonly feed: CredentialFeed,
    private readonly callers: Callers,
    private readonly streams: OpenStreams,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    this.stopListening = [
      this.feed.onChange((change) => this.reviewOf(change === 'everything' ? null : change.organizationId)),
    ];
    if (this.cache) this.stopListening.push(this.cache.onInvalidate((notice) => this.onNotice(notice)));
    this.timer = setInterval(() => void this.review([...this.streams]), reviewEveryMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    for (const stop of this.stopListening) stop();
  }

  private onNotice(notice: InvalidationNotice): void {
    if (notice.kind === 'queue') return;
    this.reviewOf(notice.kind === 'everything' ? null : notice.organizationId);
  }

  /** Null = of all organizations. */
  private reviewOf(organizationId: string | null): void {
    const concerned = [...this.streams].filter(
      ({ caller }) => organizationId === null || caller.organizationId === organizationId,
    );
    // One turn later: by then every other listener has forgotten what the notice made wrong.
    setImmediate(() => void this.review(concerned));
  }

  private async review(streams: OpenStream[]): Promise<void> {
    const queue = groupByCredential(streams);
    const work = async () => {
      for (let group = queue.pop(); group; group = queue.pop()) await this.reviewGroup(group);
    };
    await Promise.all(Array.from({ length: reviewWidth }, work));
  }

  /** Streams of one credential. When nobody can say whether it is valid, they stay as they are until the next review. */
  private async reviewGroup(streams: OpenStream[]): Promise<void> {
    const { credential, organizationId } = streams[0]!.caller;
    try {
      const caller: Caller = await this.callers.identify(credential);
      for (const stream of streams) stream.caller = caller;
    } catch (error) {
      if (error instanceof SpooledError && error.status === 401) {
        for (const stream of streams) stream.end('revoked');
      } else {
        this.logger.warn({ organization_id: organizationId, err: error }, 'a credential could not be reviewed');
      }
    }
  }
}

function groupByCredential(streams: OpenStream[]): OpenStream[][] {
  const groups = new Map<string, OpenStream[]>();
  for (const stream of streams) {
    const { text } = stream.caller.credential;
    const group = groups.get(text);
    if (group) group.push(stream);
    else groups.set(text, [stream]);
  }
  return [...groups.values()];
}
