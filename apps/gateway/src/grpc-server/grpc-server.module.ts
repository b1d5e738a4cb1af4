import { Module } from '@nestjs/common';
import { StreamSlotsModule } from '@spooled/service';
import { JobsGrpcHandler } from '../jobs/jobs-grpc.handler.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { BatchesGrpcHandler } from '../work/batches-grpc.handler.js';
import { ProcessJobsGrpcHandler } from '../work/process-jobs-grpc.handler.js';
import { Cancellations } from '../work/cancellations.js';
import { PushedJobs } from '../work/pushed-jobs.js';
import { StreamJobsGrpcHandler } from '../work/stream-jobs-grpc.handler.js';
import { StreamRequests } from '../work/stream-requests.js';
import { WorkGrpcHandler } from '../work/work-grpc.handler.js';
import { WorkModule } from '../work/work.module.js';
import { QueuesModule } from '../queues/queues.module.js';
import { WorkersGrpcHandler } from '../workers/workers-grpc.handler.js';
import { WorkersModule } from '../workers/workers.module.js';
import { Admission } from '../grpc/admission.js';
import { GrpcAccessLog } from '../grpc/grpc-access-log.js';
import { ConnectionLeases } from '../work/connection-leases.js';
import { EarlyAdmission } from '../grpc/early-admission.js';
import { GrpcServer } from './grpc-server.js';
import { OpenStreams } from '../grpc/open-streams.js';
import { UnaryCalls } from '../grpc/unary-calls.js';

/** The gRPC API, on the same services as REST. */
@Module({
  imports: [StreamSlotsModule, JobsModule, QueuesModule, WorkModule, WorkersModule],
  providers: [
    Admission,
    BatchesGrpcHandler,
    GrpcAccessLog,
    ConnectionLeases,
    EarlyAdmission,
    GrpcServer,
    JobsGrpcHandler,
    OpenStreams,
    ProcessJobsGrpcHandler,
    Cancellations,
    PushedJobs,
    StreamJobsGrpcHandler,
    StreamRequests,
    UnaryCalls,
    WorkGrpcHandler,
    WorkersGrpcHandler,
  ],
})
export class GrpcServerModule {}
