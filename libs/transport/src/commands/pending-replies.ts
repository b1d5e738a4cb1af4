import { SpooledError, unavailable } from '@spooled/domain';
import type { Outcome } from '@spooled/contracts';

interface Waiting {
  shard: string;
  /** On the process's monotonic clock, ms. */
  deadline: number;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** Deadlines are whole seconds in practice; one periodic sweep is cheaper than a timer per command. */
const sweepMs = 50;

/** Commands that were sent and have no response yet. */
export class PendingReplies {
  private readonly waiting = new Map<string, Waiting>();
  private sweeper: NodeJS.Timeout | undefined;

  get size(): number {
    return this.waiting.size;
  }

  /**
   * Waits for the response to a command.
   * @throws SpooledError the command's refusal, or 503 after `ttlMs` without a response
   */
  add(commandId: string, shard: string, ttlMs: number): Promise<unknown> {
    if (this.waiting.has(commandId)) throw new Error(`command ${commandId} is already in flight`);
    return new Promise((resolve, reject) => {
      this.waiting.set(commandId, { shard, deadline: performance.now() + ttlMs, resolve, reject });
      this.sweeper ??= setInterval(() => this.sweep(), sweepMs);
    });
  }

  has(commandId: string): boolean {
    return this.waiting.has(commandId);
  }

  /** Settles a command; false when no caller waits for it. */
  settle(commandId: string, outcome: Outcome): boolean {
    const one = this.take(commandId);
    if (outcome.ok) one?.resolve(outcome.value);
    else one?.reject(SpooledError.fromShape(outcome.error));
    return one !== undefined;
  }

  fail(commandId: string, error: Error): void {
    this.take(commandId)?.reject(error);
  }

  /** Fails all commands of one shard; `makeError` is called for each, so that each has its own stack. */
  failShard(shard: string, makeError: () => Error): void {
    for (const [commandId, one] of this.waiting) if (one.shard === shard) this.fail(commandId, makeError());
  }

  private take(commandId: string): Waiting | undefined {
    const one = this.waiting.get(commandId);
    this.waiting.delete(commandId);
    if (this.waiting.size === 0) this.stopSweeping();
    return one;
  }

  private sweep(): void {
    const now = performance.now();
    for (const [commandId, one] of this.waiting) {
      if (one.deadline <= now) this.fail(commandId, unavailable('queue engine', 1));
    }
  }

  private stopSweeping(): void {
    clearInterval(this.sweeper);
    this.sweeper = undefined;
  }
}
