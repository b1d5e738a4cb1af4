import { entriesUpTo, expiringBy, systemClock } from '@spooled/clock';
import {
  type CredentialChange,
  type CredentialFeed,
  type Database,
  findQueueRate,
  readQueueTokens,
  takeQueueTokens,
} from '@spooled/data-access';
import type { Clock } from '@spooled/domain';
import type { QueueTokens, RedisCredentialCache } from '@spooled/transport';
import { LRUCache } from 'lru-cache';

const keptMs = 30_000;
const maxKept = 20_000;

/** The result of a claim; `retryInMs` > 0: the rate limited it, and when to claim again. */
export interface RatedClaim<T> {
  jobs: T[];
  retryInMs: number;
}

/**
 * Enforces the rate of each queue at every claim: a claim beyond it returns fewer jobs, never an error. Rates are cached and
 * invalidated as soon as they change.
 */
export class QueueRates {
  private readonly rates: LRUCache<string, Promise<{ perSecond: number | null }>>;

  /** @param tokens null without Redis: PostgreSQL counts, as it does while Redis is down */
  constructor(
    private readonly database: Database,
    private readonly tokens: QueueTokens | null,
    changes: Pick<RedisCredentialCache, 'onInvalidate'> | null,
    feed: Pick<CredentialFeed, 'onChange'>,
    clock: Clock = systemClock,
  ) {
    this.rates = new LRUCache({ ...entriesUpTo(maxKept), ttl: keptMs, ...expiringBy(clock) });
    feed.onChange((change) => {
      if (change === 'everything') this.rates.clear();
      else if (change.kind === 'settings') this.applyChange(change);
    });
    changes?.onInvalidate((notice) => {
      if (notice.kind === 'everything') this.rates.clear();
      else if (notice.kind === 'queue') this.forget(notice.organizationId, notice.queueName);
    });
  }

  /** Calls `claim` with as much of `wanted` as the rate allows, and not at all if that is 0. */
  async claim<T>(
    organizationId: string,
    queueName: string,
    wanted: number,
    claim: (limit: number) => Promise<T[]>,
  ): Promise<RatedClaim<T>> {
    const rate = await this.rateOf(organizationId, queueName);
    if (!rate) return { jobs: await claim(wanted), retryInMs: 0 };
    const queue = { organizationId, queueName, rate };
    const { taken, retryInMs, refund } = await this.take(queue, wanted);
    if (taken === 0) return { jobs: [], retryInMs };
    let unused = taken;
    try {
      const jobs = await claim(taken);
      unused -= jobs.length;
      return { jobs, retryInMs: unused === 0 && taken < wanted ? retryInMs : 0 };
    } finally {
      if (unused > 0) refund(unused);
    }
  }

  /** Milliseconds until a queue of this rate may grant the next job, 0 = now; takes nothing. @throws SpooledError 503 */
  async nextInMs(organizationId: string, queueName: string, ratePerSecond: number): Promise<number> {
    const next = await this.tokens?.nextInMs(organizationId, queueName, ratePerSecond);
    if (next !== null && next !== undefined) return next;
    const stored = await this.database.withTenant(organizationId, (tx) =>
      tx.first(readQueueTokens, { queueName, ratePerSecond }),
    );
    // A bucket that was never used is full.
    return stored?.tokens == null ? 0 : waitForOne(stored.tokens, ratePerSecond);
  }

  private async take({ organizationId, queueName, rate }: RatedQueue, wanted: number): Promise<Taken> {
    const shared = await this.tokens?.take(organizationId, queueName, rate, wanted);
    if (shared) return { ...shared, refund: (unused) => this.tokens!.refund(organizationId, queueName, rate, unused) };
    const bucket = { queueName, ratePerSecond: rate };
    const change = (amount: number) =>
      this.database.withTenant(organizationId, (tx) => tx.first(takeQueueTokens, { ...bucket, wanted: amount }));
    const stored = await change(wanted);
    // The queue was deleted in the meantime.
    if (!stored) return { taken: wanted, retryInMs: 0, refund: () => undefined };
    return {
      taken: stored.taken,
      retryInMs: waitForOne(stored.tokens, rate),
      // Best effort: without it the queue is a little slower once.
      refund: (unused) => void change(-unused).catch(() => undefined),
    };
  }

  /** Reads the rate of a queue again, because this process has changed it. */
  forget(organizationId: string, queueName: string): void {
    this.rates.delete(keyOf(organizationId, queueName));
  }

  private applyChange({ organizationId, subject }: CredentialChange): void {
    if (subject.startsWith(queueSubject)) this.forget(organizationId, subject.slice(queueSubject.length));
  }

  private async rateOf(organizationId: string, queueName: string): Promise<number | null> {
    const key = keyOf(organizationId, queueName);
    return (await (this.rates.get(key) ?? this.read(key, organizationId, queueName))).perSecond;
  }

  /** Cached before the query starts, so that a change during the query invalidates it. */
  private read(key: string, organizationId: string, queueName: string): Promise<{ perSecond: number | null }> {
    const reading = this.database
      .withTenant(organizationId, (tx) => tx.first(findQueueRate, { queueName }))
      .then((queue) => ({ perSecond: queue?.rate_limit ?? null }));
    this.rates.set(key, reading);
    reading.catch(() => this.rates.peek(key) === reading && this.rates.delete(key));
    return reading;
  }
}

interface RatedQueue {
  organizationId: string;
  queueName: string;
  /** Jobs per second. */
  rate: number;
}

interface Taken {
  taken: number;
  retryInMs: number;
  /** Returns unused tokens; never throws, never waits. */
  refund(unused: number): void;
}

/** How a change of a queue's settings names the queue. */
const queueSubject = 'queue:';

const waitForOne = (tokens: number, ratePerSecond: number): number =>
  tokens >= 1 ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 1000) / ratePerSecond));

const keyOf = (organizationId: string, queueName: string): string => `${organizationId} ${queueName}`;
