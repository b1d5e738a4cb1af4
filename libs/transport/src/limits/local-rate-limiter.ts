import { systemClock } from '@spooled/clock';
import type { Clock } from '@spooled/domain';
import { LRUCache } from 'lru-cache';
import {
  resultOf,
  type LimitState,
  type RateLimit,
  type RateLimitResult,
  RateLimits,
  type TakeResult,
} from './rate-limit.js';

/** Maximum number of counters; beyond it the least recently used one is dropped. */
const maxCounters = 100_000;

/** The wait for a bucket that is never refilled. */
const neverMs = 60_000;

type Stored =
  | { tokens: number; at: number; burst: number }
  | { number: number; current: number; previous: number; last: number };

/** A limit at one moment. The algorithm is that of rate-limit.lua, except that a bucket is full when it has been raised: `reset` reaches only the process that raised it. */
interface Counter {
  cost: number;
  left(taken: number): number;
  retry(taken: number): number;
  reset(taken: number): number;
  after(amount: number): Stored;
}

type Bucket = Extract<RateLimit, { kind: 'bucket' }>;
type Window = Extract<RateLimit, { kind: 'window' }>;

function bucket({ ratePerSecond, burst, cost = 1 }: Bucket, stored: Stored | undefined, now: number): Counter {
  const isKnown = stored !== undefined && 'tokens' in stored && stored.burst >= burst;
  const known = isKnown ? stored : { tokens: burst, at: now };
  const tokens = Math.min(burst, known.tokens + (Math.max(0, now - known.at) * ratePerSecond) / 1000);
  const waitFor = (amount: number) =>
    ratePerSecond > 0 ? Math.max(0, Math.ceil(((amount - tokens) * 1000) / ratePerSecond)) : neverMs;
  return {
    cost,
    left: (taken) => tokens - taken,
    retry: (taken) => waitFor(taken + cost),
    reset: (taken) => waitFor(burst + taken),
    after: (amount) => ({ tokens: Math.min(burst, tokens - amount), at: now, burst }),
  };
}

function window({ limit, windowSeconds, cost = 1 }: Window, stored: Stored | undefined, now: number): Counter {
  const length = windowSeconds * 1000;
  const number = Math.floor(now / length);
  const elapsed = now - number * length;
  const age = stored && 'number' in stored ? number - stored.number : 2;
  const known = stored as Extract<Stored, { number: number }>;
  const current = age === 0 ? known.current : 0;
  const last = age < 2 ? known.last : -Infinity;
  const isOver = now - last >= length;
  const previous = isOver ? 0 : age === 0 ? known.previous : age === 1 ? known.current : 0;
  /** When every call has left the window. */
  const emptyIn = (taken: number) => (taken > 0 ? length : Math.max(0, last + length - now));
  const used = current + (previous * (length - elapsed)) / length;
  return {
    cost,
    left: (taken) => limit - used - taken,
    retry: (taken) => {
      const room = limit - cost - current - taken;
      if (room >= 0 && previous > 0) return Math.ceil(length - elapsed - (room * length) / previous);
      const roomNext = Math.max(0, limit - cost);
      const estimate = Math.ceil(length - elapsed + Math.max(0, 1 - roomNext / (current + taken)) * length);
      return Math.min(estimate, emptyIn(taken));
    },
    reset: emptyIn,
    after: (amount) => ({ number, current: Math.max(0, current + amount), previous, last: amount > 0 ? now : last }),
  };
}

/** Rate limits per process: for deployments without Redis, and while Redis is unavailable. */
export class LocalRateLimiter extends RateLimits {
  private readonly stored = new LRUCache<string, Stored>({ maxSize: maxCounters, sizeCalculation: () => 1 });

  constructor(private readonly clock: Clock = systemClock) {
    super();
  }

  take(_subject: string, limits: RateLimit[], wanted: number): Promise<TakeResult> {
    if (limits.length === 0) return Promise.reject(new RangeError('no limit to check'));
    const now = this.clock.now();
    const counters = this.read(limits, now);
    const fits = counters.map((counter) => Math.floor(counter.left(0) / counter.cost));
    const granted = Math.max(0, Math.min(wanted, ...fits));
    if (granted > 0) this.write(limits, counters, granted);
    const states = counters.map((counter) => stateAfter(counter, granted * counter.cost));
    return Promise.resolve({ granted, last: resultOf(limits, states, now, granted === wanted) });
  }

  charge(_subject: string, limits: RateLimit[], amount: number): Promise<RateLimitResult> {
    const now = this.clock.now();
    const counters = this.read(limits, now);
    this.write(limits, counters, amount);
    const states = counters.map((counter) => stateAfter(counter, amount * counter.cost));
    return Promise.resolve(resultOf(limits, states, now, true));
  }

  refund(_subject: string, limits: RateLimit[]): void {
    this.write(limits, this.read(limits, this.clock.now()), -1);
  }

  reset(_subject: string, names: string[]): Promise<void> {
    for (const name of names) this.stored.delete(name);
    return Promise.resolve();
  }

  private read(limits: RateLimit[], now: number): Counter[] {
    return limits.map((limit) => {
      const stored = this.stored.get(limit.key);
      return limit.kind === 'bucket' ? bucket(limit, stored, now) : window(limit, stored, now);
    });
  }

  private write(limits: RateLimit[], counters: Counter[], calls: number): void {
    counters.forEach((counter, i) => this.stored.set(limits[i]!.key, counter.after(calls * counter.cost)));
  }
}

function stateAfter({ cost, left, retry, reset }: Counter, taken: number): LimitState {
  const fits = left(taken) >= cost;
  return [
    fits ? 1 : 0,
    Math.max(0, Math.floor(left(taken))),
    fits ? 0 : Math.max(1, retry(taken)),
    Math.max(0, reset(taken)),
  ];
}
