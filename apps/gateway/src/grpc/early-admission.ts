import { ServerInterceptingCall, type ServerInterceptor, type StatusObject } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import type { Permission, ShareOwner, SpooledError } from '@spooled/domain';
import { ownerOfPrincipal, UnsentBytes, type UnsentReader } from '@spooled/service';
import { InFlightRequests } from '../load/in-flight-requests.js';
import { RequestTurns } from '../load/request-turns.js';
import { smallResponseBytes } from '../load/unsent-responses.js';
import { Admission, type CallContext } from './admission.js';
import { GrpcAccessLog } from './grpc-access-log.js';
import { setRate, toStatus } from './grpc-status.js';
import { permissionOf } from './grpc-access.js';
import { rememberCall, unsentBytesOf } from './open-calls.js';

type InterceptedCall = Parameters<ServerInterceptor>[1];

/**
 * Authenticates, authorizes and rate-limits a call when its metadata has arrived, before any of its messages is read. Until then flow
 * control holds messages back, so callers without a valid key, or beyond their limits, use no memory. A unary call counts as in flight
 * from then to its end: a caller that never sends its message uses up its own share only. Handlers get the principal from
 * `Admission.admit`.
 */
@Injectable()
export class EarlyAdmission {
  constructor(
    private readonly admission: Admission,
    private readonly accessLog: GrpcAccessLog,
    private readonly load: InFlightRequests,
    private readonly turns: RequestTurns,
    private readonly unsent: UnsentBytes,
  ) {}

  /** For the options of a server. Health and reflection need no credential. */
  readonly interceptor: ServerInterceptor = ({ path, requestStream, responseStream }, call) => {
    const permission = permissionOf(path);
    if (!permission) return new ServerInterceptingCall(call);
    const progress: CallProgress = {
      isUnary: !requestStream && !responseStream,
      isGone: false,
      endInFlight: () => undefined,
    };
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, proceed) => {
            rememberCall(metadata, call);
            const context = { metadata, getPeer: () => call.getPeer() };
            if (progress.isUnary && this.load.isFull) return this.shed(call, context);
            this.admit(context, permission, progress).then(
              (isAdmitted) => {
                if (isAdmitted) proceed(metadata);
                // A handler that starts after the end of its call would get no event.
                else if (!progress.isGone) this.shed(call, context);
              },
              (error) => this.refuse(path, call, context, error),
            );
          },
          // At every end of a call, also after its status.
          onCancel: () => {
            progress.isGone = true;
            progress.endInFlight();
            progress.unsent?.close();
          },
        }),
      sendMessage: (message, next) => {
        next(message);
        if (progress.isUnary) this.countUnsent(call, progress);
      },
    });
  };

  /** @returns false when the call has ended, or its organization has its share of the calls in flight. @throws SpooledError 401, 403, 429, 503 */
  private async admit(context: CallContext, permission: Permission, progress: CallProgress): Promise<boolean> {
    const principal = await this.admission.authenticate(context);
    if (progress.isGone) return false;
    if (progress.isUnary) {
      const owner = ownerOfPrincipal(principal);
      if (!this.load.hasCapacity(owner)) return false;
      progress.endInFlight = this.load.begin('grpc', owner);
      progress.owner = owner;
    }
    await this.admission.count(context, principal, permission);
    const turn = this.turns.enter(principal.organizationId, 0);
    if (turn) await turn;
    return !progress.isGone;
  }

  /** Handlers have made sure that a large response fits. */
  private countUnsent(call: InterceptedCall, progress: CallProgress): void {
    const bytes = unsentBytesOf(call);
    if (bytes <= smallResponseBytes || !progress.owner || progress.isGone) return;
    progress.unsent = this.unsent.open('unary', progress.owner);
    progress.unsent.take(bytes);
  }

  private shed(call: InterceptedCall, context: CallContext): void {
    const error = this.load.refuse('grpc');
    this.accessLog.measure(error, 0);
    call.sendStatus(this.statusOf(error, context));
  }

  private refuse(path: string, call: InterceptedCall, context: CallContext, cause: unknown): void {
    const answer = (error: SpooledError | null) => {
      this.accessLog.count(error, 0);
      if (error) call.sendStatus(this.statusOf(error, context));
    };
    const fail = async () => {
      this.admission.identifyInLog(context);
      throw cause;
    };
    void this.accessLog.logged(path, context, fail).then(answer);
  }

  /** No metadata was sent before, so the limits are in the trailers. */
  private statusOf(error: SpooledError, context: CallContext): StatusObject {
    const status = toStatus(error);
    setRate(status.metadata, this.admission.rateOf(context));
    return status;
  }
}

interface CallProgress {
  isUnary: boolean;
  isGone: boolean;
  endInFlight: () => void;
  owner?: ShareOwner;
  /** What waits for the caller of a large response. */
  unsent?: UnsentReader;
}
