import type { ServerDuplexStream } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import type { grpcMessages } from '@spooled/contracts';
import { Admission } from '../grpc/admission.js';
import { GrpcAccessLog } from '../grpc/grpc-access-log.js';
import { ConnectionLeases } from './connection-leases.js';
import type { StreamSession } from '../grpc/open-streams.js';
import { ProcessStream } from './process-stream.js';
import { WorkGrpcHandler } from './work-grpc.handler.js';

/** The stream over which a worker asks for jobs and ends them (SP-46). */
@Injectable()
export class ProcessJobsGrpcHandler {
  constructor(
    private readonly work: WorkGrpcHandler,
    private readonly admission: Admission,
    private readonly leases: ConnectionLeases,
    private readonly trail: GrpcAccessLog,
  ) {}

  /** Returns when the client has half-closed and has its answers, or the stream must end. */
  serve(
    call: ServerDuplexStream<grpcMessages.ProcessRequest, grpcMessages.ProcessResponse>,
    session: StreamSession,
  ): Promise<void> {
    const { work, admission, leases, trail } = this;
    return new ProcessStream(call, session, { work, admission, leases, trail }).run();
  }
}
