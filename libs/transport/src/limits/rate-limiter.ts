import { unavailable } from '@spooled/domain';
import { LocalRateLimiter } from './local-rate-limiter.js';
import { sendNow } from '../connection/send-now.js';
import {
  resultOf,
  type LimitState,
  type RateLimit,
  type RateLimitResult,
  RateLimits,
  type TakeResult,
} from './rate-limit.js';
import type { RedisShard, RedisShards } from '../connection/redis-shards.js';

export interface RateLimiterOptions {
  /** RATE_LIMIT_FAIL_CLOSED: refuse with 503 while Redis is down, instead of counting per process (PB-13). */
  failClosed?: boolean;
}

interface Call {
  wanted: number;
  failClosed: boolean | undefined;
  resolve(take: TakeResult): void;
  reject(error: unknown): void;
}

/** Calls of one event-loop turn with the same limits. */
interface PendingBatch {
  subject: string;
  commands: RedisShard['commands'];
  limits: RateLimit[];
  calls: Call[];
}

/** Rate limits shared by all processes: counted in Redis, by its clock, in one round trip (SP-13). */
export class RateLimiter extends RateLimits {
  /** Used while Redis is unavailable. */
  private readonly local: LocalRateLimiter;
  private pending = new Map<string, PendingBatch>();

  constructor(
    private readonly shards: RedisShards,
    private readonly options: RateLimiterOptions = {},
  ) {
    super();
    this.local = new LocalRateLimiter(shards.clock);
  }

  /**
   * Calls with the same limits in one event-loop turn share a round trip, and each has its own result: under load most do, and a script call
   * costs Redis 10 us. All keys of the limits are on the shard of `subject`.
   */
  take(
    subject: string,
    limits: RateLimit[],
    wanted: number,
    failClosed = this.options.failClosed,
  ): Promise<TakeResult> {
    if (limits.length === 0) return Promise.reject(new RangeError('no limit to check'));
    return new Promise((resolve, reject) => {
      this.batchOf(subject, limits).calls.push({ wanted, failClosed, resolve, reject });
    });
  }

  private batchOf(subject: string, limits: RateLimit[]): PendingBatch {
    const name = [subject, ...limits.flatMap((limit) => [limit.key, ...toArguments(limit)])].join(' ');
    const known = this.pending.get(name);
    if (known) return known;
    if (this.pending.size === 0) setImmediate(() => this.sendPending());
    const batch = { subject, commands: this.shards.shardOf(subject).commands, limits, calls: [] };
    this.pending.set(name, batch);
    return batch;
  }

  private sendPending(): void {
    const pending = this.pending;
    this.pending = new Map();
    for (const batch of pending.values()) void this.count(batch);
  }

  /** Never rejects. */
  private async count({ subject, commands, limits, calls }: PendingBatch): Promise<void> {
    const names = limits.map(({ key }) => key);
    const wanted = calls.reduce((sum, call) => sum + call.wanted, 0);
    try {
      const pipeline = commands.pipeline();
      pipeline.rateLimit(names.length, ...names, 'take', wanted, ...limits.flatMap(toArguments));
      const [now, allowed, answers] = await sendNow<[number, number, LimitState[]]>(pipeline);
      let remaining = allowed;
      for (const call of calls) {
        const granted = Math.min(call.wanted, remaining);
        remaining -= granted;
        const isGranted = granted === call.wanted;
        call.resolve({
          granted,
          last: resultOf(limits, isGranted ? statesBefore(limits, answers, remaining) : answers, now, isGranted),
        });
      }
    } catch (cause) {
      for (const { wanted: asked, failClosed, resolve, reject } of calls) {
        if (failClosed) reject(unavailable('Redis', 1, cause));
        else void this.local.take(subject, limits, asked).then(resolve, reject);
      }
    }
  }

  async charge(subject: string, limits: RateLimit[], amount: number): Promise<RateLimitResult> {
    const names = limits.map(({ key }) => key);
    try {
      const pipeline = this.shards.shardOf(subject).commands.pipeline();
      pipeline.rateLimit(names.length, ...names, 'charge', amount, ...limits.flatMap(toArguments));
      const [now, , states] = await sendNow<[number, number, LimitState[]]>(pipeline);
      return resultOf(limits, states, now, true);
    } catch {
      return this.local.charge(subject, limits, amount);
    }
  }

  refund(subject: string, limits: RateLimit[]): void {
    this.shards
      .shardOf(subject)
      .commands.rateLimit(limits.length, ...limits.map(({ key }) => key), 'refund', 1, ...limits.flatMap(toArguments))
      .catch(() => this.local.refund(subject, limits));
  }

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

/** The states seen by an allowed call that is followed by `callsAfter` more. */
const statesBefore = (limits: RateLimit[], answers: LimitState[], callsAfter: number): LimitState[] =>
  answers.map(([, remaining, , resetMs], i) => [1, remaining + callsAfter * (limits[i]!.cost ?? 1), 0, resetMs]);
