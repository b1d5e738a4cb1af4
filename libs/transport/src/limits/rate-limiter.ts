import { unavailable } from '@spooled/domain';
import { LocalRateLimiter } from './local-rate-limiter.js';
import { sendNow } from '../connection/send-now.js';
import { resultOf, type LimitState, type RateLimit, type RateLimitResult, type RateLimits } from './rate-limit.js';
import type { RedisShard, RedisShards } from '../connection/redis-shards.js';

export interface RateLimiterOptions {
  /** RATE_LIMIT_FAIL_CLOSED: refuse with 503, instead of counting in this process alone, while Redis is down (PB-13). */
  failClosed?: boolean;
}

/** So many calls of one caller: as many as fit are granted, `last` tells of the last of these, or of the first refused. */
export interface Take {
  granted: number;
  last: RateLimitResult;
}

interface Call {
  wanted: number;
  failClosed: boolean | undefined;
  resolve(take: Take): void;
  reject(error: unknown): void;
}

/** Calls of one turn of the event loop that are counted by the same limits. */
interface Together {
  subject: string;
  commands: RedisShard['commands'];
  limits: RateLimit[];
  calls: Call[];
}

/** Rate limits that all processes share: counted in Redis, by the clock of Redis, in one round trip (SP-13). */
export class RateLimiter implements RateLimits {
  /** Counts while Redis cannot. */
  private readonly local = new LocalRateLimiter();
  private gathered = new Map<string, Together>();

  constructor(
    private readonly shards: RedisShards,
    private readonly options: RateLimiterOptions = {},
  ) {}

  /**
   * Takes from all limits, or from none when one refuses. Calls with the same limits that come in one turn of the event loop
   * share the round trip, and each has its own answer: under load most do, and a script for each costs Redis 10 us.
   * @param subject whom the limits count (organization id, address); all their keys live on its shard
   * @param failClosed for this check, in place of the limiter's own way
   * @throws SpooledError 503 when Redis is down and the limiter fails closed
   */
  async check(subject: string, limits: RateLimit[], failClosed?: boolean): Promise<RateLimitResult> {
    return (await this.take(subject, limits, 1, failClosed)).last;
  }

  /**
   * As so many calls of `check`, of which as many are granted as fit.
   * @returns how many, and what the last of them, or the first that was refused, would have been told
   */
  take(subject: string, limits: RateLimit[], wanted: number, failClosed = this.options.failClosed): Promise<Take> {
    if (limits.length === 0) return Promise.reject(new RangeError('no limit to check'));
    return new Promise((resolve, reject) => {
      this.togetherWith(subject, limits).calls.push({ wanted, failClosed, resolve, reject });
    });
  }

  private togetherWith(subject: string, limits: RateLimit[]): Together {
    const name = [subject, ...limits.flatMap((limit) => [limit.key, ...toArguments(limit)])].join(' ');
    const known = this.gathered.get(name);
    if (known) return known;
    if (this.gathered.size === 0) setImmediate(() => this.sendGathered());
    const together = { subject, commands: this.shards.shardOf(subject).commands, limits, calls: [] };
    this.gathered.set(name, together);
    return together;
  }

  private sendGathered(): void {
    const gathered = this.gathered;
    this.gathered = new Map();
    for (const together of gathered.values()) void this.count(together);
  }

  /** Never rejects. */
  private async count({ subject, commands, limits, calls }: Together): Promise<void> {
    const names = limits.map(({ key }) => key);
    const wanted = calls.reduce((sum, call) => sum + call.wanted, 0);
    try {
      const pipeline = commands.pipeline();
      pipeline.rateLimit(names.length, ...names, wanted, ...limits.flatMap(toArguments));
      const [now, allowed, answers] = await sendNow<[number, number, LimitState[]]>(pipeline);
      let left = allowed;
      for (const call of calls) {
        const granted = Math.min(call.wanted, left);
        left -= granted;
        const isWhole = granted === call.wanted;
        call.resolve({
          granted,
          last: resultOf(limits, isWhole ? before(limits, answers, left) : answers, now, isWhole),
        });
      }
    } catch (cause) {
      for (const { wanted: asked, failClosed, resolve, reject } of calls) {
        if (failClosed) reject(unavailable('Redis', 1, cause));
        else void this.local.take(subject, limits, asked).then(resolve, reject);
      }
    }
  }

  /**
   * Undoes one call of `check` that was allowed and turned out not to count, such as an attempt to authenticate that succeeded.
   * May be lost, never waits.
   */
  giveBack(subject: string, limits: RateLimit[]): void {
    this.shards
      .shardOf(subject)
      .commands.rateLimit(limits.length, ...limits.map(({ key }) => key), -1, ...limits.flatMap(toArguments))
      .catch(() => this.local.giveBack(subject, limits));
  }

  /** Forgets what was counted under these keys of `subject`: a limit that was raised is whole at once. Never throws. */
  async reset(subject: string, names: string[]): Promise<void> {
    await this.local.reset(subject, names);
    const { commands } = this.shards.shardOf(subject);
    await Promise.all(names.map((name) => commands.del(name))).catch(() => undefined);
  }
}

const toArguments = (limit: RateLimit): (string | number)[] =>
  limit.kind === 'bucket'
    ? [limit.kind, limit.ratePerSecond, limit.burst, limit.cost ?? 1]
    : [limit.kind, limit.windowSeconds, limit.limit, limit.cost ?? 1];

/** The answers as they were for an allowed call, with so many allowed calls after it. */
const before = (limits: RateLimit[], answers: LimitState[], callsAfter: number): LimitState[] =>
  answers.map(([, remaining, , resetMs], i) => [1, remaining + callsAfter * (limits[i]!.cost ?? 1), 0, resetMs]);
