import { type Clock, TenantShares, type Timer } from '@spooled/domain';

/** A call in flight. */
export interface RunningCall {
  readonly organizationId: string;
  /** Of its payload, which is held until the call ends. */
  readonly bytes: number;
  /** On the monotonic clock. */
  readonly startedAt: number;
  /** Aborted with a `Displacement` when another organization gets the place of the call, and by shutdown. */
  readonly signal: AbortSignal;
}

/** Why a call was aborted: another organization gets its place. */
export class Displacement extends Error {}

export interface CallCapacityOptions {
  /** Calls in flight. */
  maxCalls: number;
  /** Bytes of their payloads; exceeded by what one claim returns at most. */
  maxBytes: number;
  clock: Clock;
  /** Organizations that have something to call now. */
  waiting(): Iterable<string>;
  /** Calls were displaced for `waiting` organizations without any. */
  onDisplaced(figures: { waiting: number; displaced: number }): void;
}

/** An organization without a call waits this long for one to end by itself, in milliseconds. */
export const firstCallWaitMs = 500;
/** The only call of an organization is not displaced before this time, in milliseconds. */
export const shortestTurnMs = 10_000;

/**
 * Limits calls in flight by number and by bytes; organizations have shares of both (MQ-11). A receiver may take an hour to answer, so calls
 * that only wait could prevent all others (BX-03). They are displaced: an organization that waits for its first call gets the place of
 * the oldest call of the organization that holds the most.
 */
export class CallCapacity {
  private readonly places: TenantShares;
  private readonly bytes: TenantShares;
  /** Oldest first. */
  private readonly calls = new Map<RunningCall, AbortController>();
  private readonly ended = new AbortController();
  private timer: Timer | undefined;

  constructor(private readonly options: CallCapacityOptions) {
    this.places = new TenantShares(options.maxCalls);
    this.bytes = new TenantShares(options.maxBytes);
  }

  /** Places in use, by calls and by claims for calls. */
  get inUse(): number {
    return this.options.maxCalls - this.places.free;
  }

  /** Whether the organization may hold further payloads. */
  hasBytesFor(organizationId: string): boolean {
    return this.bytes.available(organizationId) > 0;
  }

  get isFull(): boolean {
    return this.places.free === 0;
  }

  usedBy(organizationId: string): number {
    return this.places.usedBy(organizationId);
  }

  /** Calls that the organization may begin now. */
  available(organizationId: string): number {
    return this.hasBytesFor(organizationId) ? this.places.available(organizationId) : 0;
  }

  /** Takes places, or releases them if `places` is negative. */
  reserve(organizationId: string, places: number): void {
    if (places > 0) this.places.take(organizationId, places);
    else if (places < 0) this.places.release(organizationId, -places);
  }

  /** To be called when a call starts, after its place was reserved. */
  begin(organizationId: string, payload: string): RunningCall {
    const abort = new AbortController();
    const bytes = Buffer.byteLength(payload);
    const call = { organizationId, bytes, startedAt: this.options.clock.monotonic(), signal: abort.signal };
    this.calls.set(call, abort);
    this.bytes.take(organizationId, bytes);
    if (this.ended.signal.aborted) abort.abort(this.ended.signal.reason);
    return call;
  }

  /** To be called when a call ends; its place stays reserved. */
  end(call: RunningCall): void {
    this.calls.delete(call);
    this.bytes.release(call.organizationId, call.bytes);
  }

  /** To be called when organizations wait: displaces calls if one still waits for its first call half a second later. */
  displaceLater(): void {
    if (this.timer || this.ended.signal.aborted || this.starving() === 0) return;
    this.timer = this.options.clock.after(firstCallWaitMs, () => {
      this.timer = undefined;
      const waiting = this.starving();
      const displaced = this.displace(waiting);
      if (displaced > 0) this.options.onDisplaced({ waiting, displaced });
      this.displaceLater();
    });
  }

  /** Displaces no further call. */
  close(): void {
    this.timer?.cancel();
  }

  /** For shutdown: aborts all calls, also those that begin later. */
  abortAll(): void {
    this.close();
    this.ended.abort(new Error('The process is shutting down'));
    for (const abort of this.calls.values()) abort.abort(this.ended.signal.reason);
  }

  /** Organizations that could make a call, have none, and get none. */
  private starving(): number {
    let count = 0;
    for (const organizationId of this.options.waiting())
      if (this.usedBy(organizationId) === 0 && this.available(organizationId) === 0) count++;
    return count;
  }

  /** Displaces at most `wanted` calls, and none that has only begun. @returns how many */
  private displace(wanted: number): number {
    const now = this.options.clock.monotonic();
    const staying = [...this.calls.keys()].filter(({ signal }) => !signal.aborted);
    const byOrganization = Map.groupBy(staying, ({ organizationId }) => organizationId);
    const held = this.bytes.free > 0 ? (calls: RunningCall[]) => calls.length : bytesOf;
    for (let displaced = 0; displaced < wanted; displaced++) {
      const oldest = [...byOrganization.values()]
        .filter(
          ([first, ...others]) => now - first!.startedAt >= (others.length > 0 ? firstCallWaitMs : shortestTurnMs),
        )
        .sort((a, b) => held(b) - held(a) || a[0]!.startedAt - b[0]!.startedAt)[0]
        ?.shift();
      if (!oldest) return displaced;
      if (byOrganization.get(oldest.organizationId)!.length === 0) byOrganization.delete(oldest.organizationId);
      this.calls.get(oldest)!.abort(new Displacement('Another organization gets the place of this call'));
    }
    return wanted;
  }
}

const bytesOf = (calls: RunningCall[]): number => calls.reduce((sum, { bytes }) => sum + bytes, 0);
