import { Metadata, type handleUnaryCall, type ServerUnaryCall, type StatusObject } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import { readRequests } from '@spooled/data-access';
import type { RateLimitResult } from '@spooled/transport';
import type { CheckCaller, Principal } from '@spooled/service';
import { Admission } from './admission.js';
import { onlyReads } from './grpc-access.js';
import { GrpcAccessLog } from './grpc-access-log.js';
import { CallChecks } from './call-checks.js';
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
