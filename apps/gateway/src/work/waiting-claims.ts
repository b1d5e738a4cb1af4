import { Inject, Injectable } from '@nestjs/common';
import { type ClaimedJob, isFilled, type workSchemas } from '@spooled/contracts';
import { type Clock, SpooledError } from '@spooled/domain';
import { SERVICE } from '@spooled/platform';
import { Authenticator, CLOCK, ownerOfPrincipal, type Principal, UnsentBytes } from '@spooled/service';
import { CredentialInvalidation } from '../auth/credential-invalidation.js';
import type { GatewayService } from '../gateway.config.js';
import { requireUnsentCapacity } from '../load/unsent-responses.js';
import { LeaseReleaser } from './lease-releaser.js';
import { drainingMs, WaitQueues } from './wait-queues.js';
import { type WorkClaim, WorkService } from './work.service.js';

/** The caller of a claim and its connection. */
export interface Claimant {
  principal: Principal;
  /** The key or access token, which may be revoked during the wait. */
  credential: string;
  /** Aborted when the caller has disconnected. */
  disconnected: AbortSignal;
}

export interface WaitingClaimResult {
  jobs: ClaimedJob[];
  waitedMs: number;
  /** No job was claimable, and the organization has reached its limit of waiting claims. */
  isRejected: boolean;
}

/** Claims that wait for jobs (long polling), woken by the same signals as job streams and limited per organization. */
@Injectable()
export class WaitingClaims {
  /** Number of waiting claims by organization. */
  private readonly waiting = new Map<string, number>();
  private readonly waits = new Set<AbortController>();

  constructor(
    private readonly work: WorkService,
    private readonly waitQueues: WaitQueues,
    private readonly releaser: LeaseReleaser,
    private readonly authenticator: Authenticator,
    private readonly invalidation: CredentialInvalidation,
    private readonly unsent: UnsentBytes,
    @Inject(SERVICE) private readonly service: GatewayService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    service.stopping.addEventListener('abort', () => {
      for (const end of this.waits) end.abort();
    });
  }

  /**
   * Returns jobs as soon as there are any, or none after `wait_seconds`, when the process stops, or when the caller disconnects. Jobs
   * that were claimed for a disconnected caller are released.
   * @throws SpooledError 401 when the credential is revoked during the wait, 403 scope, 503
   */
  async claim(claimant: Claimant, body: workSchemas.ClaimBody): Promise<WaitingClaimResult> {
    const { organizationId } = claimant.principal;
    const waitMs = (body.wait_seconds ?? 0) * 1000;
    // Joined before the first claim, so that no wake-up is missed between claim and wait.
    const queueWait = waitMs > 0 ? this.waitQueues.join(organizationId, body.queue_name) : null;
    try {
      const first = await this.work.claim(claimant.principal, body);
      if (first.jobs.length > 0 || !queueWait) return this.resultFor(claimant, first.jobs);
      if (!this.enter(organizationId)) return { jobs: [], waitedMs: 0, isRejected: true };
      const started = this.clock.monotonic();
      try {
        const found = await this.waitForJobs(claimant, body, { queueWait, until: started + waitMs, first });
        return this.resultFor(claimant, found, this.clock.monotonic() - started);
      } finally {
        this.exit(organizationId);
      }
    } finally {
      queueWait?.leave();
    }
  }

  private async waitForJobs(
    { credential, disconnected }: Claimant,
    body: workSchemas.ClaimBody,
    wait: Wait,
  ): Promise<ClaimedJob[]> {
    const end = new AbortController();
    const unwatch = this.invalidation.watch(credential, 'work', (error) => end.abort(error));
    disconnected.addEventListener('abort', () => end.abort());
    if (disconnected.aborted || this.service.stopping.aborted) end.abort();
    this.waits.add(end);
    try {
      const jobs = await this.claimUntil(credential, body, wait, end.signal);
      if (jobs.length === 0 && end.signal.reason instanceof SpooledError) throw end.signal.reason;
      return jobs;
    } finally {
      this.waits.delete(end);
      unwatch();
    }
  }

  private async claimUntil(
    credential: string,
    body: workSchemas.ClaimBody,
    { queueWait, until, first }: Wait,
    ending: AbortSignal,
  ): Promise<ClaimedJob[]> {
    for (let last = first; ;) {
      // A slow claim may end after it, and Node.js warns about negative delays.
      const leftMs = Math.max(0, until - this.clock.monotonic());
      if (last.isDraining) await this.clock.sleep(Math.min(leftMs, drainingMs), ending);
      else await queueWait.wait(ending, Math.min(leftMs, last.retryInMs || Infinity));
      if (ending.aborted || this.clock.monotonic() >= until) return [];
      last = await this.work.claim(await this.authenticator.ofCredential(credential), body);
      if (last.isDraining) queueWait.passOn();
      // A claim that was filled may have left jobs in the queue.
      else queueWait.claimed(isFilled(last.jobs, body.limit ?? 1));
      if (last.jobs.length > 0) return last.jobs;
    }
  }

  /** Releases the jobs that cannot be sent. @throws SpooledError 503 when responses wait to be read */
  private resultFor({ principal, disconnected }: Claimant, jobs: ClaimedJob[], waitedMs = 0): WaitingClaimResult {
    const bytes = jobs.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0);
    let sent: ClaimedJob[] = [];
    try {
      if (disconnected.aborted) return { jobs: sent, waitedMs, isRejected: false };
      requireUnsentCapacity(this.unsent, ownerOfPrincipal(principal), bytes);
      sent = jobs;
      return { jobs: sent, waitedMs, isRejected: false };
    } finally {
      const { organizationId } = principal;
      const unsent = jobs.slice(sent.length);
      this.releaser.release(unsent.map(({ id, leaseId }) => ({ organizationId, jobId: id, leaseId })));
    }
  }

  private enter(organizationId: string): boolean {
    const waiting = this.waiting.get(organizationId) ?? 0;
    if (waiting >= this.service.settings.CLAIM_MAX_WAITING) return false;
    this.waiting.set(organizationId, waiting + 1);
    this.service.metrics.liveStreams.inc({ kind: 'claim' });
    return true;
  }

  private exit(organizationId: string): void {
    const waiting = this.waiting.get(organizationId)! - 1;
    if (waiting > 0) this.waiting.set(organizationId, waiting);
    else this.waiting.delete(organizationId);
    this.service.metrics.liveStreams.dec({ kind: 'claim' });
  }
}

interface Wait {
  queueWait: ReturnType<WaitQueues['join']>;
  /** Milliseconds on the process's monotonic clock. */
  until: number;
  /** The claim that found no jobs. */
  first: WorkClaim;
}
