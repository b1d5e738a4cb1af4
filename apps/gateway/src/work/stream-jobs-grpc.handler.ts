import type { ServerWritableStream } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import type { ClaimedJob, grpcMessages, jobSchemas } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import { withSpan } from '@spooled/platform';
import type { RatedClaim } from '@spooled/service';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Principal } from '../auth/principal.js';
import { Admission } from '../grpc/admission.js';
import { ConnectionLeases } from './connection-leases.js';
import { sendAll, type StreamSession } from '../grpc/open-streams.js';
import { readRequest } from '../grpc/service-definitions.js';
import { claimedJob } from '../jobs/job-messages.js';
import { WaitQueues } from './wait-queues.js';
import { leaseOf, readClaim, WorkGrpcHandler } from './work-grpc.handler.js';

type Call = ServerWritableStream<grpcMessages.StreamJobsRequest, grpcMessages.Job>;

/**
 * Jobs that may be claimed ahead of a reader: while they wait to be sent, their leases run. With 16, claims of a busy stream were so
 * small that they took half of PostgreSQL's time.
 */
const maxReadAhead = 64;
/**
 * Nobody announces that a queue is below its concurrency again. Streams that had work within the last minute look for it more
 * often than idle ones.
 */
const busyMs = 60_000;
const busyPollMs = 1_000;

/**
 * Pushes the jobs of a queue to one worker (SP-46). It claims only when the client has taken what was claimed before: first one
 * job, so that many workers share a trickle, then twice as many for as long as the queue gives all that is asked for.
 */
@Injectable()
export class StreamJobsGrpcHandler {
  constructor(
    private readonly work: WorkGrpcHandler,
    private readonly admission: Admission,
    private readonly leases: ConnectionLeases,
    private readonly waiters: WaitQueues,
  ) {}

  /** Returns when the stream must end. @throws SpooledError 400, 401, 403 scope, 503 */
  async serve(call: Call, session: StreamSession): Promise<void> {
    const claim = readClaim(await readRequest(call.request));
    const waiter = this.waiters.join(session.organizationId, claim.queue_name);
    try {
      let wanted = 1;
      let quietFrom = 0;
      while (!session.ending.aborted) {
        const { jobs, retryInMs } = await this.claim(session, { ...claim, limit: wanted });
        waiter.claimed(jobs.length > 0);
        if (jobs.length > 0) {
          quietFrom = performance.now() + busyMs;
          await Promise.all([this.push(call, session, claim.worker_id, jobs), this.count(session)]);
        }
        const hasMore = jobs.length === wanted;
        wanted = hasMore ? Math.min(wanted * 2, maxReadAhead) : 1;
        const soon = performance.now() < quietFrom ? busyPollMs : undefined;
        if (!hasMore) await waiter.wait(session.ending, retryInMs || soon);
      }
    } finally {
      waiter.leave();
    }
  }

  /** In a trace of its own: that of the stream would never end. */
  private claim(session: StreamSession, claim: jobSchemas.ClaimBody): Promise<RatedClaim<ClaimedJob>> {
    return withSpan('stream claim', { kind: 'server', parent: null }, async () => {
      const principal: Principal = await session.identify();
      return this.work.claim(principal, claim);
    });
  }

  /** What is written is bound to the connection at once; only a client that gave up the stream does not get it any more. */
  private async push(call: Call, session: StreamSession, workerId: string, jobs: ClaimedJob[]): Promise<void> {
    const { organizationId, connection, ending, gone } = session;
    const messages = jobs.map((job) => claimedJob(job, organizationId, workerId));
    const leases = jobs.map((job) => leaseOf(organizationId, job));
    if (ending.aborted) return this.leases.giveBack(leases);
    for (const lease of leases) this.leases.hold(connection, lease);
    const taken = await sendAll(call, messages, ending);
    if (!gone.aborted) return;
    const unsent = leases.slice(taken);
    for (const { jobId } of unsent) this.leases.forget(connection, jobId);
    this.leases.giveBack(unsent);
  }

  /** A claim that brought jobs counts as a call. Over the limit the stream pauses, it does not end. */
  private async count({ identify, ending }: StreamSession): Promise<void> {
    try {
      await this.admission.countOf(await identify());
    } catch (error) {
      if (!(error instanceof SpooledError) || error.code !== 'RATE_LIMIT_EXCEEDED') throw error;
      await sleep((error.retryAfterSeconds ?? 1) * 1000, null, { signal: ending }).catch(() => undefined);
    }
  }
}
