import { Inject, Injectable } from '@nestjs/common';
import {
  type ClaimedJob,
  type CommandBody,
  type CommandResult,
  type Completion,
  type workSchemas,
  type JsonDocument,
  type JsonText,
  type LeaseProof,
  type Outcome,
  systemActor,
} from '@spooled/contracts';
import { Database, findJobStatuses, findLease, type TenantTransaction } from '@spooled/data-access';
import { isUuid, leaseExpired, notFound, SpooledError, storableText } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import {
  type AdmittedClaim,
  ClaimAdmission,
  Commands,
  documentText,
  type Principal,
  ProgressReports,
} from '@spooled/service';
import { requireQueue } from '../auth/queue-scope.js';
import type { GatewaySettings } from '../gateway.config.js';
import { CompletionBatcher } from './completion-batcher.js';
import { UnackedJobs } from './unacked-jobs.js';

/** Leases are released for workers that can no longer say so themselves. */
const releaseActor = systemActor('lease-release');

/** The result of a worker's claim. */
export type WorkClaim = AdmittedClaim<ClaimedJob>;

/** Operations of workers: claim, complete, fail, renew and release jobs. */
@Injectable()
export class WorkService {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly completions: CompletionBatcher,
    private readonly claims: ClaimAdmission,
    private readonly unacked: UnackedJobs,
    private readonly progress: ProgressReports,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /**
   * Claims jobs, each under its own lease. A paused queue gives none. Above the queue's rate or concurrency limit a claim gets fewer
   * jobs, not an error; the result says when the rate limit allows more. A worker that was told to drain gets none.
   * @param maxBytes the claim ends with the job whose payload reaches it; absent = 8 MB
   * @throws SpooledError 403 scope
   */
  async claim(principal: Principal, body: workSchemas.ClaimBody, maxBytes?: number): Promise<WorkClaim> {
    requireQueue(principal, body.queue_name);
    const { organizationId } = principal;
    const work = {
      queueName: body.queue_name,
      workerId: body.worker_id,
      leaseSeconds: body.lease_duration_secs ?? this.settings.WORKER_LEASE_DURATION_SECS,
      ...(maxBytes !== undefined && { maxBytes }),
    };
    const claim = async (limit: number) => (await this.commands.run('job.claim', principal, { ...work, limit })).jobs;
    const claimant = { organizationId, queueName: body.queue_name, workerId: body.worker_id };
    return this.claims.claim(claimant, body.limit ?? 1, claim);
  }

  /** @throws SpooledError 404, 409 without a valid lease or when the job has ended, 413 */
  async complete(principal: Principal, jobId: string, body: workSchemas.CompleteBody): Promise<void> {
    const { worker_id: workerId, lease_id: leaseId, result } = body;
    const completion = { jobId, workerId, leaseId: leaseId || null, result: this.resultText(principal, result) };
    await this.completions.complete(principal, completion);
    this.unacked.ack(principal.organizationId, jobId, completion.leaseId);
  }

  /** Completes many jobs in one command, each as `complete` does. Outcome i belongs to job i. @throws SpooledError 503 */
  completeMany(
    principal: Principal,
    { worker_id, jobs }: workSchemas.CompleteManyBody,
  ): Promise<Outcome<'job.complete'>[]> {
    return this.completeChecked(
      principal,
      jobs.map((job) => this.completionOf(principal, job.job_id, { ...job, worker_id })),
    );
  }

  /** As `completeMany`, for completions of which some have failed validation. @throws SpooledError 503 */
  async completeChecked(
    principal: Principal,
    checked: (Completion | SpooledError)[],
  ): Promise<Outcome<'job.complete'>[]> {
    const valid = checked.filter((one): one is Completion => !(one instanceof SpooledError));
    const { organizationId, queues } = principal;
    const outcomes = valid.length === 0 ? [] : await this.runCompletions(principal, { jobs: valid, queues });
    valid.forEach(({ jobId, leaseId }, i) => {
      if (outcomes[i]!.ok) this.unacked.ack(organizationId, jobId, leaseId);
    });
    let next = 0;
    return checked.map((one) =>
      one instanceof SpooledError ? { ok: false, error: one.toShape() } : outcomes[next++]!,
    );
  }

  /** Returns errors instead of throwing them, so that one invalid job does not fail the others. */
  completionOf(principal: Principal, jobId: string, body: workSchemas.CompleteBody): Completion | SpooledError {
    if (!isUuid(jobId)) return notFound('Job');
    const { worker_id: workerId, lease_id: leaseId, result } = body;
    try {
      const text = this.resultText(principal, result);
      return { jobId: jobId.toLowerCase(), workerId, leaseId: leaseId || null, result: text };
    } catch (error) {
      if (error instanceof SpooledError) return error;
      throw error;
    }
  }

  /** Fails a job; with `retry: false` it becomes a dead letter at once. @throws SpooledError 404, 409 as `complete` */
  async fail(principal: Principal, jobId: string, body: workSchemas.FailBody): Promise<CommandResult<'job.fail'>> {
    const failed = await this.commands.run('job.fail', principal, {
      ...proofOf(principal, jobId, body),
      error: storableText(body.error),
      retry: body.retry ?? true,
    });
    this.unacked.ack(principal.organizationId, jobId, body.lease_id || null);
    return failed;
  }

  /** Renews a lease: it expires `lease_duration_secs` from now. @throws SpooledError 404, 409 */
  renew(principal: Principal, jobId: string, body: workSchemas.RenewBody): Promise<CommandResult<'job.renew'>> {
    return this.commands.run('job.renew', principal, {
      ...proofOf(principal, jobId, body),
      leaseSeconds: body.lease_duration_secs ?? this.settings.WORKER_LEASE_DURATION_SECS,
    });
  }

  /** Releases a job that its worker will not end. Uses up no attempt. @throws SpooledError 404, 409 without a valid lease */
  async releaseJob(principal: Principal, jobId: string, body: workSchemas.ReleaseBody): Promise<void> {
    const { organizationId, queues } = principal;
    const { isKnown, lease } = await this.database.withTenant(organizationId, async (tx) => ({
      isKnown: (await tx.run(findJobStatuses, { ids: [jobId], queues })).length > 0,
      lease: await tx.first(findLease, { id: jobId, queues }),
    }));
    if (!isKnown || (!body.lease_id && body.worker_id !== lease?.worker_id)) throw notFound('Job');
    const isHolder = body.worker_id === lease?.worker_id && (body.lease_id || lease.lease_id) === lease.lease_id;
    if (!isHolder) throw leaseExpired();
    // The lease id fences the release. Nothing is released under a lease that has expired, also in the lease store.
    const leases = [{ jobId, leaseId: lease.lease_id }];
    const { releasedJobs } = await this.commands.run('job.release', principal, { leases, delivered: true });
    if (releasedJobs === 0) throw leaseExpired();
    this.unacked.ack(organizationId, jobId, lease.lease_id);
  }

  /** Releases leases whose jobs cannot reach their worker, or cannot be ended by it (BX-02). Uses up no attempt. */
  async release(
    organizationId: string,
    leases: { jobId: string; leaseId: string }[],
    delivered: boolean,
  ): Promise<void> {
    if (leases.length === 0) return;
    await this.commands.run('job.release', { organizationId, actor: releaseActor }, { leases, delivered });
    for (const { jobId, leaseId } of leases) this.unacked.ack(organizationId, jobId, leaseId);
  }

  /** Records the progress of a job, at most once per second. @throws SpooledError 404, 409 without a valid lease */
  reportProgress(principal: Principal, jobId: string, body: workSchemas.ProgressBody): Promise<void> {
    const report = {
      jobId,
      workerId: body.worker_id || null,
      leaseId: body.lease_id || null,
      queues: principal.queues,
      progress: body.progress,
      message: body.message || null,
    };
    const { workerId, leaseId, queues } = report;
    const lease = JSON.stringify([principal.organizationId, jobId, workerId, leaseId, queues]);
    return this.progress.report(lease, async () => {
      await this.commands.run('job.progress', principal, report);
    });
  }

  private async runCompletions(
    principal: Principal,
    body: CommandBody<'job.completeMany'>,
  ): Promise<Outcome<'job.complete'>[]> {
    return (await this.commands.run('job.completeMany', principal, body)).outcomes;
  }

  /** @throws SpooledError 400, 413 */
  private resultText({ limits }: Principal, result: JsonDocument | null | undefined): JsonText | null {
    if (!result) return null;
    return documentText('result', result, {
      maxBytes: this.settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES,
      limits,
      byPlan: false,
    });
  }
}

/** The lease that a request shows. */
export const proofOf = (
  { queues }: Principal,
  jobId: string,
  { worker_id: workerId, lease_id: leaseId }: { worker_id: string; lease_id?: string | null },
): LeaseProof => ({ jobId, workerId, leaseId: leaseId || null, queues });

/** @throws SpooledError 404 for a job that does not exist or is in none of the queues */
export async function requireJob(tx: TenantTransaction, jobId: string, queues: string[] | null): Promise<void> {
  if ((await tx.run(findJobStatuses, { ids: [jobId], queues })).length === 0) throw notFound('Job');
}
