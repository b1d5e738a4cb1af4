import { unavailable } from '@spooled/domain';
import { sendNow } from './send-now.js';
import type { RedisShard, RedisShards } from './redis-shards.js';

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

/** As of after the calls that were allowed. */
type Answer = [fitsOneMore: 0 | 1, remaining: number, retryMs: number, resetMs: number];

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
  commands: RedisShard['commands'];
  limits: RateLimit[];
  calls: Call[];
}

/** Rate limits that all processes share: counted in Redis, by the clock of Redis, in one round trip (SP-13). */
export class RateLimiter {
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
    const together = { commands: this.shards.shardOf(subject).commands, limits, calls: [] };
    this.gathered.set(name, together);
    return together;
  }

  private sendGathered(): void {
    const gathered = this.gathered;
    this.gathered = new Map();
    for (const together of gathered.values()) void this.count(together);
  }

  /** Never rejects. */
  private async count({ commands, limits, calls }: Together): Promise<void> {
    const names = limits.map(({ key }) => key);
    const wanted = calls.reduce((sum, call) => sum + call.wanted, 0);
    try {
      const pipeline = commands.pipeline();
      pipeline.rateLimit(names.length, ...names, wanted, ...limits.flatMap(toArguments));
      const [now, allowed, answers] = await sendNow<[number, number, Answer[]]>(pipeline);
      let left = allowed;
      for (const call of calls) {
        const granted = Math.min(call.wanted, left);
        left -= granted;
        const isWhole = granted === call.wanted;
        call.resolve({
          granted,
          last: tightest(limits, isWhole ? before(limits, answers, left) : answers, now, isWhole),
        });
      }
    } catch (cause) {
      for (const { wanted: granted, failClosed, resolve, reject } of calls) {
        if (failClosed) reject(unavailable('Redis', 1, cause));
        else resolve({ granted, last: unlimited(limits[0]!) });
      }
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

/** The answers as they were for an allowed call, with so many allowed calls after it. */
const before = (limits: RateLimit[], answers: Answer[], callsAfter: number): Answer[] =>
  answers.map(([, remaining, , resetMs], i) => [1, remaining + callsAfter * (limits[i]!.cost ?? 1), 0, resetMs]);

function tightest(limits: RateLimit[], answers: Answer[], now: number, allowed: boolean): RateLimitResult {
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
export const unlimited = (limit: RateLimit): RateLimitResult => ({
  allowed: true,
  limit: sizeOf(limit),
  remaining: sizeOf(limit),
  resetAtUnix: Math.ceil(Date.now() / 1000),
  retryAfterSeconds: 0,
});
