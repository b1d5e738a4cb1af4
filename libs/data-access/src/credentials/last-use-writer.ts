import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.js';
import { noteApiKeyUse } from './note-api-key-use.queries.js';

const everyMs = 300_000;
const flushMs = 5_000;
/** `max` would reserve room for all of them from the start. */
const keysAtMost = { maxSize: 50_000, sizeCalculation: () => 1 };

/** Keeps `last_used` of API keys up to date to within five minutes, in one statement now and then, off the request path. */
export class LastUseWriter {
  private readonly recent = new LRUCache<string, true>({ ...keysAtMost, ttl: everyMs });
  private waiting = new Set<string>();
  private readonly timer: NodeJS.Timeout;

  /** `onError` hears of a statement that failed; the uses in it are lost, the next ones are not. */
  constructor(
    private readonly database: Database,
    private readonly onError: (error: unknown) => void,
  ) {
    this.timer = setInterval(() => void this.flush(), flushMs);
    this.timer.unref();
  }

  note(apiKeyId: string): void {
    if (this.recent.has(apiKeyId)) return;
    this.recent.set(apiKeyId, true);
    this.waiting.add(apiKeyId);
  }

  async flush(): Promise<void> {
    if (this.waiting.size === 0) return;
    const ids = [...this.waiting].sort();
    this.waiting = new Set();
    try {
      await this.database.asSystem('note key use', (tx) => tx.run(noteApiKeyUse, { ids }));
    } catch (error) {
      this.onError(error);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }
}
