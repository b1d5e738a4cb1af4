import type { ServerWritableStream } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import type { ClaimedJob, jobSchemas } from '@spooled/contracts';
import type { Job, StreamJobsRequest } from '@spooled/contracts/grpc';
import { SpooledError } from '@spooled/domain';
import { withSpan } from '@spooled/platform';
import type { Principal, RatedClaim } from '@spooled/service';
import { setTimeout as sleep } from 'node:timers/promises';
import { Admission } from '../grpc/admission.js';
import { ConnectionLeases } from './connection-leases.js';
import { sendAll, type StreamSession } from '../grpc/open-streams.js';
import { readRequest, type Received } from '../grpc/received.js';
import { clamped } from '../grpc/validated-message.js';
import { claimedJob } from '../jobs/job-messages.js';
import { type PrefetchWindow, UnsettledJobs } from './unsettled-jobs.js';
import { WaitQueues } from './wait-queues.js';
import { leaseOf, readClaim, WorkGrpcHandler } from './work-grpc.handler.js';

type Call = ServerWritableStream<Received<StreamJobsRequest>, Job>;

/** Jobs of one claim, for a worker and its window. */
interface Pushed {
  jobs: ClaimedJob[];
  workerId: string;
  window: PrefetchWindow;
}

/**
 * Jobs of one claim at most: their leases run while they wait to be sent. With 16, the small claims of a busy stream took half of
 * PostgreSQL's time.
 */
const maxReadAhead = 64;
const prefetchBounds = { min: 1, max: 1000, unset: 1 };

/**
 * Pushes the jobs of a queue to one worker (SP-46), of which at most `prefetch` are unsettled. It claims only when the client has
 * accepted what was claimed before: first one job, so that many workers share a few jobs, then twice as many for as long as each
 * claim is filled.
 */
@Injectable()
export class StreamJobsGrpcHandler {
  constructor(
    private readonly work: WorkGrpcHandler,
    private readonly admission: Admission,
    private readonly leases: ConnectionLeases,
    private readonly waiters: WaitQueues,
    private readonly unsettled: UnsettledJobs,
  ) {}

  /** Returns when the stream must end. @throws SpooledError 400, 401, 403 scope, 503 */
  async serve(call: Call, session: StreamSession): Promise<void> {
    const request = await readRequest(call.request);
    const claim = readClaim(request);
    const window = this.unsettled.open(clamped(request.prefetch, prefetchBounds));
    const waiter = this.waiters.join(session.organizationId, claim.queue_name);
    try {
      let wanted = 1;
      while (!session.ending.aborted) {
        await window.space(session.ending);
        if (session.ending.aborted) break;
        const limit = Math.min(wanted, window.free);
        const { jobs, retryInMs } = await this.claim(session, { ...claim, limit });
        waiter.claimed(jobs.length > 0);
        if (jobs.length > 0) {
          await Promise.all([
            this.push(call, session, { jobs, workerId: claim.worker_id, window }),
            this.count(session),
          ]);
        }
        const hasMore = jobs.length === limit;
        wanted = hasMore ? Math.min(wanted * 2, maxReadAhead) : 1;
        if (!hasMore) await waiter.wait(session.ending, retryInMs || undefined);
      }
    } finally {
      waiter.leave();
      window.close();
    }
  }

  /** In a trace of its own: the stream's lasts as long as the stream. */
  private claim(session: StreamSession, claim: jobSchemas.ClaimBody): Promise<RatedClaim<ClaimedJob>> {
    return withSpan('stream claim', { kind: 'server', parent: null }, async () => {
      const principal: Principal = await session.identify();
      return this.work.claim(principal, claim);
    });
  }

  /** Binds leases to the connection before sending; releases those of unsent jobs when the client has cancelled the stream. */
  private async push(call: Call, session: StreamSession, { jobs, workerId, window }: Pushed): Promise<void> {
    const { organizationId, connection, ending, disconnected } = session;
    const messages = jobs.map((job) => claimedJob(job, organizationId, workerId));
    const leases = jobs.map((job) => leaseOf(organizationId, job));
    if (ending.aborted) return this.leases.release(leases);
    for (const lease of leases) {
      this.leases.hold(connection, lease);
      window.add(lease);
    }
    const accepted = await sendAll(call, messages, ending);
    if (!disconnected.aborted) return;
    const unsent = leases.slice(accepted);
    for (const { jobId } of unsent) this.leases.forget(connection, jobId);
    this.leases.release(unsent);
  }

  /** A claim that returned jobs counts as a call. Over the limit the stream pauses and goes on. */
  private async count({ identify, ending }: StreamSession): Promise<void> {
    try {
      await this.admission.countOf(await identify());
    } catch (error) {
      if (!(error instanceof SpooledError) || error.code !== 'RATE_LIMIT_EXCEEDED') throw error;
      await sleep((error.retryAfterSeconds ?? 1) * 1000, null, { signal: ending }).catch(() => undefined);
    }
  }
}
