import { entriesUpTo, systemClock } from '@spooled/clock';
import type { Clock, Timer } from '@spooled/domain';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.js';
import { updateApiKeysLastUsed } from './update-api-keys-last-used.queries.js';

const updateIntervalMs = 300_000;
const flushMs = 5_000;

/** Updates `last_used` of API keys in batches outside the request path, at most once per key in five minutes. */
export class LastUseWriter {
  private readonly recent = new LRUCache<string, true>({ ...entriesUpTo(50_000), ttl: updateIntervalMs });
  private pending = new Set<string>();
  private readonly timer: Timer;

  /** @param onError called when a batch fails; its updates are lost */
  constructor(
    private readonly database: Database,
    private readonly onError: (error: unknown) => void,
    clock: Clock = systemClock,
  ) {
    this.timer = clock.every(flushMs, () => void this.flush()).unref();
  }

  record(apiKeyId: string): void {
    if (this.recent.has(apiKeyId)) return;
    this.recent.set(apiKeyId, true);
    this.pending.add(apiKeyId);
  }

  async flush(): Promise<void> {
    if (this.pending.size === 0) return;
    const ids = [...this.pending].sort();
    this.pending = new Set();
    try {
      await this.database.asSystem('update last used', (tx) => tx.run(updateApiKeysLastUsed, { ids }));
    } catch (error) {
      this.onError(error);
    }
  }

  async stop(): Promise<void> {
    this.timer.cancel();
    await this.flush();
  }
}
