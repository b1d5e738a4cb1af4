import { type Clock, TenantShares } from '@spooled/domain';

/** A push call in flight. */
export interface RunningCall {
  readonly organizationId: string;
  /** Of its payload, which is held until the call ends. */
  readonly bytes: number;
  /** On the monotonic clock. */
  readonly startedAt: number;
  /** Aborted when another organization gets the place of the call. */
  readonly displaced: AbortSignal;
}

/** An organization without a call waits this long for one to end by itself, in milliseconds. */
export const firstCallWaitMs = 500;
/** The only call of an organization is not displaced before this time, in milliseconds. */
export const shortestTurnMs = 10_000;

/**
 * The calls in flight, oldest first, and the bytes of their payloads, of which organizations have shares (MQ-11). A receiver may take an
 * hour to answer, so calls which only wait could keep all others from being made (BX-03): they are displaced.
 */
export class RunningCalls {
  private readonly calls = new Map<RunningCall, AbortController>();
  private readonly bytes: TenantShares;

  constructor(
    maxBytes: number,
    private readonly clock: Clock,
  ) {
    this.bytes = new TenantShares(maxBytes);
  }

  /** Whether the organization may hold further payloads. */
  hasBytesFor(organizationId: string): boolean {
    return this.bytes.available(organizationId) > 0;
  }

  begin(organizationId: string, payload: string): RunningCall {
    const displaced = new AbortController();
    const bytes = Buffer.byteLength(payload);
    const call = { organizationId, bytes, startedAt: this.clock.monotonic(), displaced: displaced.signal };
    this.calls.set(call, displaced);
    this.bytes.take(organizationId, bytes);
    return call;
  }

  end(call: RunningCall): void {
    this.calls.delete(call);
    this.bytes.release(call.organizationId, call.bytes);
  }

  /**
   * Aborts calls for organizations that wait for their first: each time the oldest call of the organization that holds the most of what
   * is short, unless that call has only begun.
   * @param wanted calls to abort at most
   * @returns how many were aborted
   */
  makeRoom(wanted: number): number {
    const now = this.clock.monotonic();
    const staying = [...this.calls.keys()].filter(({ displaced }) => !displaced.aborted);
    const byOrganization = Map.groupBy(staying, ({ organizationId }) => organizationId);
    const held = this.bytes.free > 0 ? (calls: RunningCall[]) => calls.length : bytesOf;
    for (let aborted = 0; aborted < wanted; aborted++) {
      const oldest = [...byOrganization.values()]
        .filter(
          ([first, ...others]) => now - first!.startedAt >= (others.length > 0 ? firstCallWaitMs : shortestTurnMs),
        )
        .sort((a, b) => held(b) - held(a) || a[0]!.startedAt - b[0]!.startedAt)[0]
        ?.shift();
      if (!oldest) return aborted;
      if (byOrganization.get(oldest.organizationId)!.length === 0) byOrganization.delete(oldest.organizationId);
      this.calls.get(oldest)!.abort();
    }
    return wanted;
  }
}

const bytesOf = (calls: RunningCall[]): number => calls.reduce((sum, { bytes }) => sum + bytes, 0);
