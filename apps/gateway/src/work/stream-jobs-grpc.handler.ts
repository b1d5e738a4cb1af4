import type { ServerWritableStream } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import type { Job, StreamJobsRequest } from '@spooled/contracts/grpc';
import { sendAll, type StreamSession } from '../grpc/open-streams.js';
import { readRequest, type Received } from '../grpc/received.js';
import { clamped } from '../grpc/validated-message.js';
import { claimedJob } from '../jobs/job-messages.js';
import { PushedJobs } from './pushed-jobs.js';
import { readClaim } from './work-grpc.handler.js';

type Call = ServerWritableStream<Received<StreamJobsRequest>, Job>;

/** With 16, the small claims of a busy stream took half of PostgreSQL's time. */
const maxPerClaim = 64;
const prefetchBounds = { min: 1, max: 1000, unset: 1 };

/** Pushes the jobs of a queue to one worker, a message for each (SP-46). */
@Injectable()
export class StreamJobsGrpcHandler {
  constructor(private readonly pushed: PushedJobs) {}

  /** Returns when the stream must end. @throws SpooledError 400, 401, 403 scope, 503 */
  async serve(call: Call, session: StreamSession): Promise<void> {
    const request = await readRequest(call.request);
    const { queue_name, worker_id: workerId, lease_duration_secs } = readClaim(request);
    await this.pushed.serve(session, {
      queueNames: [queue_name],
      workerId,
      leaseSeconds: lease_duration_secs!,
      prefetch: clamped(request.prefetch, prefetchBounds),
      // Many workers share a few jobs.
      firstClaim: 1,
      maxPerClaim,
      send: (jobs, unless) => {
        const messages = jobs.map((job) => claimedJob(job, session.organizationId, workerId));
        return sendAll(call, messages, unless);
      },
    });
  }
}
