import type { ServerDuplexStream } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import type { ProcessRequest, ProcessResponse } from '@spooled/contracts/grpc';
import type { SpooledError } from '@spooled/domain';
import { Admission } from '../grpc/admission.js';
import { GrpcAccessLog } from '../grpc/grpc-access-log.js';
import { ConnectionLeases } from './connection-leases.js';
import type { StreamSession } from '../grpc/open-streams.js';
import { ProcessStream } from './process-stream.js';
import { StreamRequests } from './stream-requests.js';
import { WorkGrpcHandler } from './work-grpc.handler.js';

/** The stream over which a worker requests and completes jobs (SP-46). */
@Injectable()
export class ProcessJobsGrpcHandler {
  constructor(
    private readonly work: WorkGrpcHandler,
    private readonly admission: Admission,
    private readonly leases: ConnectionLeases,
    private readonly accessLog: GrpcAccessLog,
    private readonly requests: StreamRequests,
  ) {}

  /** Returns when the client has half-closed and has its responses, or the stream must end. */
  serve(
    call: ServerDuplexStream<ProcessRequest | SpooledError, ProcessResponse>,
    session: StreamSession,
  ): Promise<void> {
    const { work, admission, leases, accessLog, requests } = this;
    return new ProcessStream(call, session, { work, admission, leases, accessLog, requests }).run();
  }
}
