import type { Metadata } from '@grpc/grpc-js';
import { type CheckCaller, type Principal, rateCostHeader } from '@spooled/service';
import type { Admission } from './admission.js';
import { setRate } from './grpc-status.js';

/** What a call says about its end. */
interface EndingCall {
  readonly cancelled: boolean;
  once(event: 'cancelled', listener: () => void): unknown;
}

/** Created once, because each reason that Node creates has a stack trace. */
const ended = new Error('The call has ended');

/** A call that has payloads checked: it pays with tokens of its caller's bucket, and waits until it is cancelled (BX-09). */
export class CallChecks implements CheckCaller {
  private signal: AbortSignal | null = null;
  private cost = 1;

  constructor(
    private readonly principal: Principal,
    private readonly call: EndingCall,
    private readonly admission: Pick<Admission, 'charge'>,
    /** Gets the state of the limits, because the header of the response has been sent. */
    private readonly trailer: Metadata,
  ) {}

  get organizationId(): string {
    return this.principal.organizationId;
  }

  /** Aborted when the caller disconnects or its deadline passes. */
  get ended(): AbortSignal {
    return (this.signal ??= this.open());
  }

  async charge(tokens: number): Promise<void> {
    this.cost += tokens;
    setRate(this.trailer, await this.admission.charge(this.principal, tokens));
    this.trailer.set(rateCostHeader, String(this.cost));
  }

  private open(): AbortSignal {
    if (this.call.cancelled) return AbortSignal.abort(ended);
    const end = new AbortController();
    this.call.once('cancelled', () => end.abort(ended));
    return end.signal;
  }
}
