import { Injectable } from '@nestjs/common';
import { workSchemas, JsonDocument, type ClaimedJob, type Completion } from '@spooled/contracts';
import type {
  CompleteRequest,
  CompleteResponse,
  DequeueRequest,
  DequeueResponse,
  FailRequest,
  FailResponse,
  RenewLeaseRequest,
  RenewLeaseResponse,
} from '@spooled/contracts/grpc';
import { isUuid, notFound, SpooledError } from '@spooled/domain';
import { ownerOfPrincipal, type Principal, UnsentBytes } from '@spooled/service';
import { validatedMessage, clamped, leaseSeconds } from '../grpc/validated-message.js';
import { requireUnsentCapacity } from '../load/unsent-responses.js';
import { ConnectionLeases } from './connection-leases.js';
import { validDocument } from '../grpc/documents.js';
import { toTimestamp } from '../grpc/timestamp.js';
import type { Caller } from '../grpc/unary-calls.js';
import { bytesOfJobs, fittingJobs } from '../jobs/job-messages.js';
import type { Lease } from './lease-releaser.js';
import { type WorkClaim, WorkService } from './work.service.js';

/** What Dequeue and the streams have in common. */
type ClaimRequest = Pick<DequeueRequest, 'queue_name' | 'worker_id' | 'lease_duration_secs'>;

/** The caller that completes or fails a job, and its connection. */
type Holder = Pick<Caller, 'principal' | 'connection'>;

/** Calls of workers over gRPC, unary or within a stream. */
@Injectable()
export class WorkGrpcHandler {
  constructor(
    private readonly work: WorkService,
    private readonly leases: ConnectionLeases,
    private readonly unsent: UnsentBytes,
  ) {}

  /** Returns as many jobs as fit into one message and releases the others. @throws SpooledError 400, 403 scope, 503 when responses wait to be read */
  async dequeue(caller: Caller, request: DequeueRequest): Promise<DequeueResponse> {
    const { organizationId } = caller.principal;
    const claim = readClaim(request);
    const limit = clamped(request.batch_size, { min: 1, max: 100, unset: 1 });
    const { jobs: granted } = await this.claim(caller.principal, { ...claim, limit });
    let jobs: DequeueResponse['jobs'] = [];
    try {
      const fitting = caller.isGone() ? [] : fittingJobs(granted, organizationId, claim.worker_id);
      requireUnsentCapacity(this.unsent, ownerOfPrincipal(caller.principal), bytesOfJobs(fitting));
      jobs = fitting;
    } finally {
      this.leases.release(granted.slice(jobs.length).map((job) => leaseOf(organizationId, job)));
    }
    return { jobs };
  }

  /** @throws SpooledError 403 scope */
  claim(principal: Principal, claim: workSchemas.ClaimBody, maxBytes?: number): Promise<WorkClaim> {
    return this.work.claim(principal, claim, maxBytes);
  }

  /** @throws SpooledError 400, 404, 409 without a valid lease */
  async complete({ principal, connection }: Holder, request: CompleteRequest): Promise<CompleteResponse> {
    const { jobId, proof } = readProof(request);
    const result = receivedResult(request);
    await this.work.complete(principal, jobId, { ...proof, result });
    this.leases.forget(connection, jobId);
    return { success: true };
  }

  /** Completes each, in one command. Item i is the error of request i, or null. @throws SpooledError 503 */
  async completeMany({ principal, connection }: Holder, requests: CompleteRequest[]): Promise<(SpooledError | null)[]> {
    const checked = requests.map((request) => this.completionOf(principal, request));
    const outcomes = await this.work.completeChecked(principal, checked);
    return outcomes.map((outcome, i) => {
      if (!outcome.ok) return SpooledError.fromShape(outcome.error);
      this.leases.forget(connection, requests[i]!.job_id.toLowerCase());
      return null;
    });
  }

  /** @throws SpooledError 400, 404, 409 without a valid lease */
  async fail({ principal, connection }: Holder, request: FailRequest): Promise<FailResponse> {
    const { jobId, proof } = readProof(request);
    const failure = { ...proof, error: request.error };
    const {
      willRetry,
      nextRetryDelaySecs,
      cancelled = false,
    } = await this.work.fail(principal, jobId, {
      ...failure,
      retry: request.retry,
    });
    this.leases.forget(connection, jobId);
    return { success: true, will_retry: willRetry, next_retry_delay_secs: nextRetryDelaySecs, cancelled };
  }

  /**
   * A lease that is lost or unknown is answered with `success: false`, as published clients expect, not with an error status.
   * @throws SpooledError 400
   */
  async renewLease({ principal }: Holder, request: RenewLeaseRequest): Promise<RenewLeaseResponse> {
    try {
      const { jobId, proof } = readProof(request);
      const renewal = { ...proof, lease_duration_secs: leaseSeconds(request.extension_secs) };
      const { leaseExpiresAt, cancelRequested = false } = await this.work.renew(principal, jobId, renewal);
      return { success: true, new_expires_at: toTimestamp(leaseExpiresAt), cancel_requested: cancelRequested };
    } catch (error) {
      if (error instanceof SpooledError && lostLease.has(error.code))
        return { success: false, cancel_requested: false };
      throw error;
    }
  }

  private completionOf(principal: Principal, request: CompleteRequest): Completion | SpooledError {
    try {
      const { jobId, proof } = readProof(request);
      const result = receivedResult(request);
      return this.work.completionOf(principal, jobId, { ...proof, result });
    } catch (error) {
      if (error instanceof SpooledError) return error;
      throw error;
    }
  }
}

const lostLease: ReadonlySet<string> = new Set(['NOT_FOUND', 'LEASE_EXPIRED', 'CONFLICT']);

export const leaseOf = (organizationId: string, { id, leaseId }: ClaimedJob): Lease => ({
  organizationId,
  jobId: id,
  leaseId,
});

/** @throws SpooledError 400 */
export const readClaim = (request: ClaimRequest): workSchemas.ClaimBody =>
  validatedMessage(workSchemas.claimBody, {
    queue_name: request.queue_name,
    worker_id: request.worker_id,
    lease_duration_secs: leaseSeconds(request.lease_duration_secs),
  });

/** @throws SpooledError 400 for numbers that JSON does not have */
const receivedResult = ({ result }: CompleteRequest) =>
  result ? new JsonDocument(validDocument(result, 'result')) : null;

/** @throws SpooledError 400, 404 for what is no id of a job */
function readProof(request: { job_id: string; worker_id: string; lease_id: string }) {
  const { worker_id, lease_id } = request;
  const proof = validatedMessage(workSchemas.renewBody, { worker_id, lease_id });
  if (!isUuid(request.job_id)) throw notFound('Job');
  return { jobId: request.job_id.toLowerCase(), proof };
}
