import { LRUCache } from 'lru-cache';

/** Counts requests per caller in fixed windows, for the 1,000 most recent callers. */
export class RequestWindow {
  private readonly windows = new LRUCache<string, { startedAt: number; count: number }>({ max: 1_000 });

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
  ) {}

  /** Counts a request. @returns seconds to wait before the next one; 0 = within the limit */
  retryAfterSeconds(caller: string, now = Date.now()): number {
    const seen = this.windows.get(caller);
    const window = seen && now - seen.startedAt < this.windowMs ? seen : { startedAt: now, count: 0 };
    window.count += 1;
    this.windows.set(caller, window);
    return window.count <= this.limit ? 0 : Math.ceil((window.startedAt + this.windowMs - now) / 1_000);
  }
}
