import { systemClock } from '@spooled/clock';
import type { Clock } from '@spooled/domain';
import type { Database } from '../database/database.js';
import { sendWakeups } from './send-wakeups.queries.js';
import { PendingWakeups, type Wakeup } from './wakeup-payloads.js';

/** Each notification takes a lock of the whole database at its commit, so a process sends few. */
const intervalMs = 20;
/** Keeps the transaction short; the rest follows in the next one. */
const maxPayloads = 64;

export interface WakeupSenderOptions {
  /** Called when a notification was not sent; its waiting claims find the jobs at their next poll. */
  onError(error: unknown): void;
  clock?: Clock;
}

/** Tells other processes by NOTIFY which queues have new claimable jobs, in at most one transaction per 20 ms. */
export class WakeupSender {
  private readonly pending = new PendingWakeups();
  private readonly closing = new AbortController();
  private sending: Promise<void> | undefined;

  constructor(
    private readonly db: Database,
    private readonly options: WakeupSenderOptions,
  ) {}

  /** Never waits. After `close` nothing is sent. */
  send(wakeups: readonly Wakeup[]): void {
    if (this.closing.signal.aborted) return;
    for (const wakeup of wakeups) this.pending.add(wakeup);
    if (this.pending.size > 0) this.sending ??= this.sendAll();
  }

  /** Resolves when what is pending was sent. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.sending;
  }

  /** The first wake-up is sent at once; later ones share a transaction. */
  private async sendAll(): Promise<void> {
    const { clock = systemClock, onError } = this.options;
    const { wakeupChannel: channel } = this.db.installation;
    while (this.pending.size > 0) {
      const payloads = this.pending.take(maxPayloads);
      await this.db.inBatch((tx) => tx.run(sendWakeups, { channel, payloads })).catch(onError);
      await clock.sleep(intervalMs, this.closing.signal);
    }
    this.sending = undefined;
  }
}
