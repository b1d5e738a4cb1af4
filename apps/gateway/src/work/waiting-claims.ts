import { Inject, Injectable } from '@nestjs/common';
import type { ClaimedJob, jobSchemas } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import { SERVICE } from '@spooled/platform';
import { Authenticator } from '../auth/authenticator.js';
import { CredentialInvalidation } from '../auth/credential-invalidation.js';
import type { Principal } from '../auth/principal.js';
import type { GatewayService } from '../stores/open-stores.js';
import { LeaseReleaser } from './lease-releaser.js';
import { WaitQueues } from './wait-queues.js';
import { WorkService } from './work.service.js';

/** Who claims, and over which connection. */
export interface Claimant {
  principal: Principal;
  /** The key or access token, which may be revoked meanwhile. */
  credential: string;
  /** Aborted when nobody can be answered any more. */
  disconnected: AbortSignal;
}

export interface WaitingClaimResult {
  jobs: ClaimedJob[];
  waitedMs: number;
  /** There was nothing, and too many of the organization wait already. */
  isRejected: boolean;
}

/** Claims that wait for work (long polling): woken by the same signals as streams of jobs, bounded for each organization. */
@Injectable()
export class WaitingClaims {
  /** How many wait, by organization. */
  private readonly waiting = new Map<string, number>();
  private readonly ends = new Set<AbortController>();

  constructor(
    private readonly work: WorkService,
    private readonly waiters: WaitQueues,
    private readonly returns: LeaseReleaser,
    private readonly authenticator: Authenticator,
    private readonly keys: CredentialInvalidation,
    @Inject(SERVICE) private readonly service: GatewayService,
  ) {
    service.stopping.addEventListener('abort', () => {
      for (const end of this.ends) end.abort();
    });
  }

  /**
   * Answers at once with what there is, or after at most `wait_seconds` with what comes. It ends early and with nothing when the
   * process stops or the claimant is gone; nothing stays claimed for a connection that is gone.
   * @throws SpooledError 401 when the credential is revoked meanwhile, 403 scope, 503
   */
  async claim(claimant: Claimant, body: jobSchemas.ClaimBody): Promise<WaitingClaimResult> {
    const { organizationId } = claimant.principal;
    const waitMs = (body.wait_seconds ?? 0) * 1000;
    // Before the first look, so that no word of work is missed between the look and the wait.
    const waiter = waitMs > 0 ? this.waiters.join(organizationId, body.queue_name) : null;
    try {
      const { jobs, retryInMs } = await this.work.claim(claimant.principal, body);
      if (jobs.length > 0 || !waiter) return this.handOver(claimant, jobs);
      if (!this.enter(organizationId)) return { jobs: [], waitedMs: 0, isRejected: true };
      const started = performance.now();
      try {
        const found = await this.await(claimant, body, { waiter, until: started + waitMs, retryInMs });
        return this.handOver(claimant, found, performance.now() - started);
      } finally {
        this.exit(organizationId);
      }
    } finally {
      waiter?.leave();
    }
  }

  private async await(
    { credential, disconnected }: Claimant,
    body: jobSchemas.ClaimBody,
    wait: Wait,
  ): Promise<ClaimedJob[]> {
    const end = new AbortController();
    const unwatch = this.keys.watch(credential, (error) => end.abort(error));
    disconnected.addEventListener('abort', () => end.abort());
    if (disconnected.aborted || this.service.stopping.aborted) end.abort();
    this.ends.add(end);
    try {
      const jobs = await this.claimUntil(credential, body, wait, end.signal);
      if (jobs.length === 0 && end.signal.reason instanceof SpooledError) throw end.signal.reason;
      return jobs;
    } finally {
      this.ends.delete(end);
      unwatch();
    }
  }

  private async claimUntil(
    credential: string,
    body: jobSchemas.ClaimBody,
    { waiter, until, retryInMs }: Wait,
    ending: AbortSignal,
  ): Promise<ClaimedJob[]> {
    for (let soonMs = retryInMs; ;) {
      await waiter.wait(ending, Math.min(until - performance.now(), soonMs || Infinity));
      if (ending.aborted || performance.now() >= until) return [];
      const { jobs, retryInMs: next } = await this.work.claim(await this.authenticator.ofCredential(credential), body);
      // Whoever got all that it asked for may have left something.
      waiter.claimed(jobs.length === (body.limit ?? 1));
      if (jobs.length > 0) return jobs;
      soonMs = next;
    }
  }

  private handOver({ principal, disconnected }: Claimant, jobs: ClaimedJob[], waitedMs = 0): WaitingClaimResult {
    if (!disconnected.aborted) return { jobs, waitedMs, isRejected: false };
    const { organizationId } = principal;
    this.returns.release(jobs.map(({ id, leaseId }) => ({ organizationId, jobId: id, leaseId })));
    return { jobs: [], waitedMs, isRejected: false };
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
  waiter: ReturnType<WaitQueues['join']>;
  /** On the process's monotonic clock, ms. */
  until: number;
  /** When the rate of the queue allows more; 0 = that is not what is missing. */
  retryInMs: number;
}
