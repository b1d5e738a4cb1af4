import { type handleUnaryCall, Metadata, type ServerUnaryCall, type StatusObject } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import { readRequests } from '@spooled/data-access';
import type { RateLimitResult } from '@spooled/transport';
import { type CheckCaller, type Principal, rateCostHeader } from '@spooled/service';
import { Admission } from './admission.js';
import { onlyReads } from './grpc-access.js';
import { GrpcAccessLog } from './grpc-access-log.js';
import { setRate, toStatus } from './grpc-status.js';
import { isRead, readRequest, type Received } from './received.js';

/** Who made a call, and whether the caller still waits for the response. */
export interface Caller {
  readonly principal: Principal;
  /** The connection by its remote end, `address:port`. */
  readonly connection: string;
  /** Pays for checks of payloads, and waits for them. */
  readonly checks: CheckCaller;
  /** Whether the caller disconnected or its deadline passed. */
  isGone(): boolean;
}

/** Runs every admitted unary RPC, sends its response and counts it. */
@Injectable()
export class UnaryCalls {
  private inFlight = 0;
  private idle: (() => void)[] = [];

  constructor(
    private readonly admission: Admission,
    private readonly accessLog: GrpcAccessLog,
  ) {}

  /** A handler for `addService`. */
  handler<Request, Response>(
    answer: (caller: Caller, request: Request) => Promise<Response>,
  ): handleUnaryCall<Received<Request>, Response> {
    return (call, callback) => {
      this.inFlight++;
      const started = performance.now();
      const trailer = new Metadata();
      let response: Response | null = null;
      const run = async (requestId: string) => {
        response = await this.answer(call, requestId, trailer, answer);
      };
      void this.accessLog.logged(call.getPath(), call, run).then((error) => {
        this.accessLog.count(error, (performance.now() - started) / 1000);
        if (error) callback(withTrailer(toStatus(error), trailer));
        else callback(null, response, trailer);
        this.finish();
      });
    };
  }

  /** Resolves when no call is in flight. */
  drained(): Promise<void> {
    return this.inFlight === 0 ? Promise.resolve() : new Promise((resolve) => this.idle.push(resolve));
  }

  private async answer<Request, Response>(
    call: ServerUnaryCall<Received<Request>, Response>,
    requestId: string,
    trailer: Metadata,
    answer: (caller: Caller, request: Request) => Promise<Response>,
  ): Promise<Response> {
    const connection = call.getPeer();
    const { principal, limit } = this.admission.admit(call);
    call.sendMetadata(answerMetadata(requestId, limit));
    const request = isRead(call.request) ? call.request : await readRequest(call.request);
    const checks = new CallChecks(principal, call, this.admission, trailer);
    const run = () => answer({ principal, connection, checks, isGone: () => call.cancelled }, request);
    return onlyReads(call.getPath()) ? readRequests.run(true, run) : run();
  }

  private finish(): void {
    this.inFlight--;
    if (this.inFlight === 0) for (const resolve of this.idle.splice(0)) resolve();
  }
}

function withTrailer(status: StatusObject, trailer: Metadata): StatusObject {
  status.metadata.merge(trailer);
  return status;
}

/** Request id and rate limit, which REST sends as headers. */
export function answerMetadata(requestId: string, rate: RateLimitResult): Metadata {
  const metadata = new Metadata();
  metadata.set('x-request-id', requestId);
  setRate(metadata, rate);
  return metadata;
}

/** What a call says about its end. */
interface EndingCall {
  readonly cancelled: boolean;
  once(event: 'cancelled', listener: () => void): unknown;
}

/** Created once, because each reason that Node creates has a stack trace. */
const ended = new Error('The call has ended');

/** A call that has payloads checked: it pays with tokens of its caller's bucket, and waits until it is cancelled (BX-09). */
class CallChecks implements CheckCaller {
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
