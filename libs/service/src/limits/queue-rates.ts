import { type Database, findQueueRate } from '@spooled/data-access';
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
  private readonly rates = new LRUCache<string, Promise<{ perSecond: number | null }>>({ max: maxKept, ttl: keptMs });

  /** `tokens` null = no Redis: rates are not enforced. */
  constructor(
    private readonly database: Database,
    private readonly tokens: QueueTokens | null,
    changes: Pick<RedisCredentialCache, 'onInvalidate'> | null,
  ) {
    changes?.onInvalidate((notice) => {
      if (notice.kind === 'everything') this.rates.clear();
      else if (notice.kind === 'queue') this.rates.delete(keyOf(notice.organizationId, notice.queueName));
    });
  }

  /** Calls `claim` with as much of `wanted` as the rate allows, and not at all if that is 0. */
  async claim<T>(
    organizationId: string,
    queueName: string,
    wanted: number,
    claim: (limit: number) => Promise<T[]>,
  ): Promise<RatedClaim<T>> {
    const rate = this.tokens && (await this.rateOf(organizationId, queueName));
    if (!this.tokens || !rate) return { jobs: await claim(wanted), retryInMs: 0 };
    const { taken, retryInMs } = await this.tokens.take(organizationId, queueName, rate, wanted);
    if (taken === 0) return { jobs: [], retryInMs };
    let unused = taken;
    try {
      const jobs = await claim(taken);
      unused -= jobs.length;
      return { jobs, retryInMs: unused === 0 && taken < wanted ? retryInMs : 0 };
    } finally {
      if (unused > 0) this.tokens.refund(organizationId, queueName, rate, unused);
    }
  }

  /**
   * Milliseconds until a queue of this rate may grant the next job, 0 = now; takes nothing. Null without Redis or while it is
   * unavailable: the rate is not enforced then.
   */
  async nextInMs(organizationId: string, queueName: string, ratePerSecond: number): Promise<number | null> {
    return (await this.tokens?.nextInMs(organizationId, queueName, ratePerSecond)) ?? null;
  }

  private async rateOf(organizationId: string, queueName: string): Promise<number | null> {
    const key = keyOf(organizationId, queueName);
    return (await (this.rates.get(key) ?? this.read(key, organizationId, queueName))).perSecond;
  }

  /** Cached before the query starts, so that a change during the query invalidates it. */
  private read(key: string, organizationId: string, queueName: string): Promise<{ perSecond: number | null }> {
    const reading = this.database
      .withTenant(organizationId, (tx) => findQueueRate(tx, queueName))
      .then((perSecond) => ({ perSecond }));
    this.rates.set(key, reading);
    reading.catch(() => this.rates.peek(key) === reading && this.rates.delete(key));
    return reading;
  }
}

const keyOf = (organizationId: string, queueName: string): string => `${organizationId} ${queueName}`;
