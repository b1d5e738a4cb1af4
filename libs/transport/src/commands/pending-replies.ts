import { type Clock, SpooledError, TenantShares, type Timer, unavailable } from '@spooled/domain';
import type { Command, Outcome } from '@spooled/contracts';

interface Waiting {
  shard: string;
  organizationId: string;
  /** On the process's monotonic clock, ms. */
  deadline: number;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

interface InFlightOfShard {
  total: number;
  /** By organization; none is 0. */
  counts: Map<string, number>;
}

type SentCommand = Pick<Command, 'id' | 'organizationId' | 'ttlMs'>;

/** Commands in flight that are always within an organization's share. */
const smallestShare = 4;

/** Of an organization's share of all commands in flight: one alone gets four fifths. Plans are not known here. */
const shareWeight = 4;

/** Deadlines are whole seconds in practice; one periodic sweep is cheaper than a timer per command. */
const sweepMs = 50;

/** Commands that were sent and have no response yet. */
export class PendingReplies {
  private readonly waiting = new Map<string, Waiting>();
  private readonly inFlight = new Map<string, InFlightOfShard>();
  private readonly shares: TenantShares;
  private sweeper: Timer | undefined;

  /** @param limit commands in flight, shared by organizations */
  constructor(
    limit: number,
    private readonly clock: Clock,
  ) {
    this.shares = new TenantShares(limit);
  }

  /** Whether the organization may have one more command in flight (BX-03). */
  hasCapacity(organizationId: string): boolean {
    return this.shares.available(organizationId, shareWeight) >= 1;
  }

  /**
   * Waits for the response to a command.
   * @throws SpooledError the command's refusal, or 503 after `ttlMs` without a response
   */
  add({ id: commandId, organizationId, ttlMs }: SentCommand, shard: string): Promise<unknown> {
    if (this.waiting.has(commandId)) throw new Error(`command ${commandId} is already in flight`);
    return new Promise((resolve, reject) => {
      this.waiting.set(commandId, { shard, organizationId, deadline: this.clock.monotonic() + ttlMs, resolve, reject });
      this.count(shard, organizationId, 1);
      this.sweeper ??= this.clock.every(sweepMs, () => this.sweep());
    });
  }

  /**
   * Whether the organization has no more commands in flight in this shard than others have on average. A few are always within the
   * share, so that it does not shrink to nothing while a backlog drains.
   */
  isWithinShare(shard: string, organizationId: string): boolean {
    const of = this.inFlight.get(shard);
    const own = of?.counts.get(organizationId) ?? 0;
    return of === undefined || own < smallestShare || own < of.total / of.counts.size;
  }

  has(commandId: string): boolean {
    return this.waiting.has(commandId);
  }

  /** Settles a command; false when no caller waits for it. */
  resolve(commandId: string, outcome: Outcome): boolean {
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
    if (one && this.waiting.delete(commandId)) this.count(one.shard, one.organizationId, -1);
    if (this.waiting.size === 0) this.stopSweeping();
    return one;
  }

  private count(shard: string, organizationId: string, change: 1 | -1): void {
    let of = this.inFlight.get(shard);
    if (!of) this.inFlight.set(shard, (of = { total: 0, counts: new Map() }));
    of.total += change;
    if (change === 1) this.shares.take(organizationId, 1);
    else this.shares.release(organizationId, 1);
    const own = (of.counts.get(organizationId) ?? 0) + change;
    if (own > 0) of.counts.set(organizationId, own);
    else of.counts.delete(organizationId);
  }

  private sweep(): void {
    const now = this.clock.monotonic();
    for (const [commandId, one] of this.waiting) {
      if (one.deadline <= now) this.fail(commandId, unavailable('queue engine', 1));
    }
  }

  private stopSweeping(): void {
    this.sweeper?.cancel();
    this.sweeper = undefined;
  }
}
