import { Injectable } from '@nestjs/common';
import { jobSchemas, type ClaimedJob, type Completion, type grpcMessages } from '@spooled/contracts';
import { isUuid, notFound, SpooledError } from '@spooled/domain';
import type { RatedClaim } from '@spooled/service';
import type { Principal } from '../auth/principal.js';
import { validatedMessage, clamped, leaseSeconds } from '../grpc/validated-message.js';
import { ConnectionLeases } from './connection-leases.js';
import { fromStruct } from '../grpc/struct.js';
import { toTimestamp } from '../grpc/timestamp.js';
import type { Caller } from '../grpc/unary-calls.js';
import { fittingJobs } from '../jobs/job-messages.js';
import type { Lease } from './lease-releaser.js';
import { WorkService } from './work.service.js';

/** A worker's wish as Dequeue and the streams carry it. */
type ClaimRequest = Pick<grpcMessages.DequeueRequest, 'queue_name' | 'worker_id' | 'lease_duration_secs'>;

/** Who asks for a job's end, and over which connection the job may have come. */
type Holder = Pick<Caller, 'principal' | 'connection'>;

/** What workers ask about jobs over gRPC, one call at a time or within a stream. */
@Injectable()
export class WorkGrpcHandler {
  constructor(
    private readonly work: WorkService,
    private readonly leases: ConnectionLeases,
  ) {}

  /** Answers with as many jobs as fit into one message; the others go back. @throws SpooledError 400, 403 scope */
  async dequeue(caller: Caller, request: grpcMessages.DequeueRequest): Promise<grpcMessages.DequeueResponse> {
    const { organizationId } = caller.principal;
    const claim = readClaim(request);
    const limit = clamped(request.batch_size, { min: 1, max: 100, unset: 1 });
    const { jobs: granted } = await this.claim(caller.principal, { ...claim, limit });
    const jobs = caller.isGone() ? [] : fittingJobs(granted, organizationId, claim.worker_id);
    this.leases.giveBack(granted.slice(jobs.length).map((job) => leaseOf(organizationId, job)));
    return { jobs };
  }

  /** @throws SpooledError 403 scope */
  claim(principal: Principal, claim: jobSchemas.ClaimBody): Promise<RatedClaim<ClaimedJob>> {
    return this.work.claim(principal, claim);
  }

  /** @throws SpooledError 400, 404, 409 without a valid lease */
  async complete(
    { principal, connection }: Holder,
    request: grpcMessages.CompleteRequest,
  ): Promise<grpcMessages.CompleteResponse> {
    const { jobId, proof } = readProof(request);
    const result = request.result && fromStruct(request.result, 'result');
    await this.work.complete(principal, jobId, { ...proof, result });
    this.leases.forget(connection, jobId);
    return { success: true };
  }

  /** As `complete` for each, in one command. Refusal i, or null, belongs to request i. @throws SpooledError 503 */
  async completeMany(
    { principal, connection }: Holder,
    requests: grpcMessages.CompleteRequest[],
  ): Promise<(SpooledError | null)[]> {
    const checked = requests.map((request) => this.completionOf(principal, request));
    const outcomes = await this.work.completeChecked(principal, checked);
    return outcomes.map((outcome, i) => {
      if (!outcome.ok) return SpooledError.fromShape(outcome.error);
      this.leases.forget(connection, requests[i]!.job_id.toLowerCase());
      return null;
    });
  }

  /** @throws SpooledError 400, 404, 409 without a valid lease */
  async fail({ principal, connection }: Holder, request: grpcMessages.FailRequest): Promise<grpcMessages.FailResponse> {
    const { jobId, proof } = readProof(request);
    const failure = { ...proof, error: request.error };
    const { willRetry, nextRetryDelaySecs } = await this.work.fail(principal, jobId, failure, request.retry);
    this.leases.forget(connection, jobId);
    return { success: true, will_retry: willRetry, next_retry_delay_secs: nextRetryDelaySecs };
  }

  /**
   * A lease that is lost, or never was, is told as `success: false`, as published clients expect, not by a status.
   * @throws SpooledError 400
   */
  async renewLease(
    { principal }: Holder,
    request: grpcMessages.RenewLeaseRequest,
  ): Promise<grpcMessages.RenewLeaseResponse> {
    try {
      const { jobId, proof } = readProof(request);
      const renewal = { ...proof, lease_duration_secs: leaseSeconds(request.extension_secs) };
      const { leaseExpiresAt } = await this.work.renew(principal, jobId, renewal);
      return { success: true, new_expires_at: toTimestamp(leaseExpiresAt) };
    } catch (error) {
      if (error instanceof SpooledError && lostLease.has(error.code)) return { success: false, new_expires_at: null };
      throw error;
    }
  }

  private completionOf(principal: Principal, request: grpcMessages.CompleteRequest): Completion | SpooledError {
    try {
      const { jobId, proof } = readProof(request);
      const result = request.result && fromStruct(request.result, 'result');
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
export const readClaim = (request: ClaimRequest): jobSchemas.ClaimBody =>
  validatedMessage(jobSchemas.claimBody, {
    queue_name: request.queue_name,
    worker_id: request.worker_id,
    lease_duration_secs: leaseSeconds(request.lease_duration_secs),
  });

/** @throws SpooledError 400, 404 for what cannot be a job's id */
function readProof(request: { job_id: string; worker_id: string; lease_id: string }) {
  const { worker_id, lease_id } = request;
  const proof = validatedMessage(jobSchemas.renewBody, { worker_id, lease_id });
  if (!isUuid(request.job_id)) throw notFound('Job');
  return { jobId: request.job_id.toLowerCase(), proof };
}
