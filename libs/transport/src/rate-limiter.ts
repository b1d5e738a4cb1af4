import { unavailable } from '@spooled/domain';
import type { RedisShards } from './redis-shards.js';

/** A limit and the key of its counter (from `rateLimitKeys`). `cost` defaults to one. */
export type RateLimit = { key: string; cost?: number } & (
  { kind: 'bucket'; ratePerSecond: number; burst: number } | { kind: 'window'; limit: number; windowSeconds: number }
);

/** The state of the limit that is closest to refusing, or that refuses for longest. */
export interface RateLimitResult {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** When the limit will be whole again, in whole seconds. */
  resetAtUnix: number;
  /** 0 when allowed; else at least 1. */
  retryAfterSeconds: number;
}

export interface RateLimiterOptions {
  /** RATE_LIMIT_FAIL_CLOSED: refuse with 503, instead of allowing, while Redis is down (PB-13). */
  failClosed?: boolean;
}

type Answer = [allowed: 0 | 1, remaining: number, retryMs: number, resetMs: number];

/** Rate limits that all processes share: counted in Redis, by the clock of Redis, in one round trip (SP-13). */
export class RateLimiter {
  constructor(
    private readonly shards: RedisShards,
    private readonly options: RateLimiterOptions = {},
  ) {}

  /**
   * Takes from all limits, or from none when one refuses.
   * @param subject whom the limits count (organization id, address); all their keys live on its shard
   * @param failClosed for this check, in place of the limiter's own way
   * @throws SpooledError 503 when Redis is down and the limiter fails closed
   */
  async check(subject: string, limits: RateLimit[], failClosed = this.options.failClosed): Promise<RateLimitResult> {
    if (limits.length === 0) throw new RangeError('no limit to check');
    const { commands } = this.shards.shardOf(subject);
    const names = limits.map(({ key }) => key);
    try {
      const [now, answers] = await commands.rateLimit(names.length, ...names, ...limits.flatMap(toArguments));
      return tightest(limits, answers, now);
    } catch (cause) {
      if (failClosed) throw unavailable('Redis', 1, cause);
      return unlimited(limits[0]!);
    }
  }

  /** Forgets what was counted under these keys of `subject`: a limit that was raised is whole at once. Never throws. */
  async reset(subject: string, names: string[]): Promise<void> {
    const { commands } = this.shards.shardOf(subject);
    await Promise.all(names.map((name) => commands.del(name))).catch(() => undefined);
  }
}

const toArguments = (limit: RateLimit): (string | number)[] =>
  limit.kind === 'bucket'
    ? [limit.kind, limit.ratePerSecond, limit.burst, limit.cost ?? 1]
    : [limit.kind, limit.windowSeconds, limit.limit, limit.cost ?? 1];

const sizeOf = (limit: RateLimit): number => (limit.kind === 'bucket' ? limit.burst : limit.limit);

function tightest(limits: RateLimit[], answers: Answer[], now: number): RateLimitResult {
  const allowed = answers.every(([ok]) => ok === 1);
  let index = 0;
  for (let i = 1; i < answers.length; i++)
    if (isTighter(answers[i]!, limits[i]!, answers[index]!, limits[index]!)) index = i;
  const [, remaining, retryMs, resetMs] = answers[index]!;
  return {
    allowed,
    limit: sizeOf(limits[index]!),
    remaining: allowed ? remaining : 0,
    resetAtUnix: Math.ceil((now + resetMs) / 1000),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(retryMs / 1000)),
  };
}

function isTighter(one: Answer, oneLimit: RateLimit, other: Answer, otherLimit: RateLimit): boolean {
  if (one[2] !== other[2]) return one[2] > other[2];
  return one[1] / sizeOf(oneLimit) < other[1] / sizeOf(otherLimit);
}

/** The answer while nobody counts. */
const unlimited = (limit: RateLimit): RateLimitResult => ({
  allowed: true,
  limit: sizeOf(limit),
  remaining: sizeOf(limit),
  resetAtUnix: Math.ceil(Date.now() / 1000),
  retryAfterSeconds: 0,
});
