import { ServerInterceptingCall, type Metadata, type ServerInterceptor } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import type { SpooledError } from '@spooled/domain';
import { InFlightRequests } from '../load/in-flight-requests.js';
import { Admission } from './admission.js';
import { GrpcAccessLog } from './grpc-access-log.js';
import { toStatus } from './grpc-status.js';
import { permissionOf } from './grpc-access.js';

type InterceptedCall = Parameters<ServerInterceptor>[1];

/**
 * Authenticates and authorizes a call when its metadata has arrived, before any of its messages is read. Until then flow control holds messages
 * back, so callers without a valid key use no memory. Handlers get the principal from `Admission.admit`.
 */
@Injectable()
export class EarlyAdmission {
  constructor(
    private readonly admission: Admission,
    private readonly accessLog: GrpcAccessLog,
    private readonly load: InFlightRequests,
  ) {}

  /** For the options of a server. Health and reflection need no credential. */
  readonly interceptor: ServerInterceptor = ({ path, requestStream, responseStream }, call) => {
    const permission = permissionOf(path);
    if (!permission) return new ServerInterceptingCall(call);
    const isUnary = !requestStream && !responseStream;
    let isGone = false;
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, proceed) => {
            if (isUnary && this.load.isFull) return this.shed(call);
            const context = { metadata, getPeer: () => call.getPeer() };
            const admit = () => {
              // A handler that starts after the end of its call would get no event.
              if (!isGone) proceed(metadata);
            };
            this.admission
              .authenticate(context, permission)
              .then(admit, (error) => this.refuse(path, call, metadata, error));
          },
          onCancel: () => {
            isGone = true;
          },
        }),
    });
  };

  private shed(call: InterceptedCall): void {
    const error = this.load.refuse('grpc');
    this.accessLog.measure(error, 0);
    call.sendStatus(toStatus(error));
  }

  private refuse(path: string, call: InterceptedCall, metadata: Metadata, cause: unknown): void {
    const context = { metadata, getPeer: () => call.getPeer() };
    const answer = (error: SpooledError | null) => {
      this.accessLog.count(error, 0);
      if (error) call.sendStatus(toStatus(error));
    };
    void this.accessLog.logged(path, context, () => Promise.reject(cause as Error)).then(answer);
  }
}
