import { Module } from '@nestjs/common';
import { newId, SERVICE } from '@spooled/platform';
import { StreamSlots, type RedisShards } from '@spooled/transport';
import { JobsGrpc } from '../jobs/jobs.grpc.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { ProcessJobsGrpc } from '../jobs/process-jobs.grpc.js';
import { StreamJobsGrpc } from '../jobs/stream-jobs.grpc.js';
import { WorkGrpc } from '../jobs/work.grpc.js';
import { QueuesModule } from '../queues/queues.module.js';
import { WorkersGrpc } from '../workers/workers.grpc.js';
import { WorkersModule } from '../workers/workers.module.js';
import type { GatewayService } from '../stores/open-stores.js';
import { REDIS } from '../stores/tokens.js';
import { Admission } from './admission.js';
import { CallTrail } from './call-trail.js';
import { ConnectionLeases } from './connection-leases.js';
import { EarlyAdmission } from './early-admission.js';
import { GrpcDoor } from './grpc-door.js';
import { OpenStreams } from './open-streams.js';
import { UnaryCalls } from './unary-calls.js';

function openSlots(redis: RedisShards | null, service: GatewayService): StreamSlots {
  const slots = new StreamSlots(redis, newId());
  service.onStop('stream slots', () => slots.close());
  return slots;
}

/** The gRPC door before the services that REST uses too. */
@Module({
  imports: [JobsModule, QueuesModule, WorkersModule],
  providers: [
    Admission,
    CallTrail,
    ConnectionLeases,
    EarlyAdmission,
    GrpcDoor,
    JobsGrpc,
    OpenStreams,
    ProcessJobsGrpc,
    StreamJobsGrpc,
    UnaryCalls,
    WorkGrpc,
    WorkersGrpc,
    { provide: StreamSlots, useFactory: openSlots, inject: [REDIS, SERVICE] },
  ],
})
export class GrpcModule {}
