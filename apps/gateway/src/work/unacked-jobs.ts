import { Inject, Injectable } from '@nestjs/common';
import { LeaseStore } from '@spooled/contracts';
import { Database, findLeases } from '@spooled/data-access';
import { type Clock, partition, type Timer } from '@spooled/domain';
import { AppLogger, SERVICE } from '@spooled/platform';
import { CLOCK } from '@spooled/service';
import type { GatewayService } from '../gateway.config.js';
import type { Lease } from './lease-releaser.js';

/** How often leases are looked up that another gateway may have settled, or that may have ended. */
const pollMs = 1_000;
/** Leases that one look-up of an organization reads; further ones wait for the next. */
const maxPolled = 1_000;
/** How long a stream waits for further jobs to be settled, so that it claims many at once: small claims cost as much as large ones. */
const gatherMs = 5;

interface Unacked {
  lease: Lease;
  window: PrefetchWindow;
}

/**
 * Jobs that streams have pushed and that are not settled. A stream learns at once that a job was settled through this gateway,
 * whatever the protocol, and within about a second what happened elsewhere: a completion at another gateway, the end of the lease.
 */
@Injectable()
export class UnackedJobs {
  /** By organization, then by job; the longest unchecked first. */
  private readonly jobs = new Map<string, Map<string, Unacked>>();
  private timer: Timer | undefined;

  constructor(
    private readonly database: Database,
    private readonly logger: AppLogger,
    @Inject(LeaseStore) private readonly leases: LeaseStore | null,
    @Inject(SERVICE) private readonly service: GatewayService,
    @Inject(CLOCK) readonly clock: Clock,
  ) {}

  /** The window of a stream that may have `size` unsettled jobs. Call its `close` when the stream ends. */
  open(size: number): PrefetchWindow {
    return new PrefetchWindow(size, this);
  }

  /** Call when a job was completed, failed or released. `leaseId` null: by the worker's name alone. */
  ack(organizationId: string, jobId: string, leaseId: string | null): void {
    const own = this.jobs.get(organizationId);
    const unacked = own?.get(jobId);
    // The job may have been claimed again before its failure is reported here.
    if (!own || !unacked || (leaseId !== null && leaseId !== unacked.lease.leaseId)) return;
    own.delete(jobId);
    if (own.size === 0) this.jobs.delete(organizationId);
    unacked.window.removed(unacked.lease);
  }

  /** For `PrefetchWindow`. */
  add(lease: Lease, window: PrefetchWindow): void {
    const own = this.jobs.get(lease.organizationId) ?? new Map<string, Unacked>();
    this.jobs.set(lease.organizationId, own);
    // A job that is pushed again has lost its earlier lease.
    own.get(lease.jobId)?.window.removed(own.get(lease.jobId)!.lease);
    own.set(lease.jobId, { lease, window });
    this.schedulePoll();
  }

  private schedulePoll(): void {
    if (this.jobs.size === 0 || this.service.stopping.aborted) return;
    const poll = () => {
      void this.poll().finally(() => {
        this.timer = undefined;
        this.schedulePoll();
      });
    };
    this.timer ??= this.clock.after(pollMs, poll).unref();
  }

  /** Never rejects. */
  private async poll(): Promise<void> {
    for (const [organizationId, own] of [...this.jobs]) {
      const some = [...own.values()].filter(({ window }) => window.isWaiting).slice(0, maxPolled);
      if (some.length === 0) continue;
      try {
        await this.check(
          organizationId,
          some.map(({ lease }) => lease),
        );
      } catch (error) {
        // Jobs that were settled elsewhere are found by a later look-up.
        this.logger.warn({ err: error, organizationId }, 'could not look up the leases of job streams');
      }
    }
  }

  private async check(organizationId: string, leases: Lease[]): Promise<void> {
    const ids = leases.map(({ jobId }) => jobId);
    const rows = await this.database.withTenant(organizationId, (tx) => tx.run(findLeases, { ids }));
    const found = new Map(rows.map((row) => [row.job_id, row]));
    const [current, lost] = partition(leases, ({ jobId, leaseId }) => found.get(jobId)?.lease_id === leaseId);
    // Expired in their rows; the lease store may have extended them.
    const expired = current.filter(({ jobId }) => !found.get(jobId)!.held);
    const alive =
      expired.length === 0 ? [] : await this.leases?.alive(expired.map((one) => ({ ...one, workerId: null })));
    const ended = [...lost, ...expired.filter((_, i) => !alive?.[i])];
    for (const { jobId, leaseId } of ended) this.ack(organizationId, jobId, leaseId);
    const own = this.jobs.get(organizationId);
    for (const { jobId } of current) {
      const unacked = own?.get(jobId);
      if (own?.delete(jobId)) own.set(jobId, unacked!);
    }
  }
}

/** How many jobs one stream may have unacked, and those that it has. */
export class PrefetchWindow {
  private readonly held = new Map<string, Lease>();
  private notify: (() => void) | undefined;

  constructor(
    private readonly size: number,
    private readonly jobs: UnackedJobs,
  ) {}

  /** How many more jobs the stream may have. */
  get free(): number {
    return this.size - this.held.size;
  }

  /** Whether the job was pushed under this lease and is not settled. */
  holds({ jobId, leaseId }: Pick<Lease, 'jobId' | 'leaseId'>): boolean {
    return this.held.get(jobId)?.leaseId === leaseId;
  }

  /** Whether the stream waits for a job to be settled. */
  get isWaiting(): boolean {
    return this.notify !== undefined;
  }

  /** Call before the job is pushed. */
  add(lease: Lease): void {
    this.held.set(lease.jobId, lease);
    this.jobs.add(lease, this);
  }

  /** Resolves when the stream may have more jobs, or when aborted. */
  async space(signal: AbortSignal): Promise<void> {
    while (this.free === 0 && !signal.aborted) await this.nextChange(signal);
    const until = this.jobs.clock.monotonic() + gatherMs;
    while (this.free < this.size / 2 && !signal.aborted && this.jobs.clock.monotonic() < until) {
      await this.nextChange(signal, until - this.jobs.clock.monotonic());
    }
  }

  /** For `UnackedJobs`. */
  removed({ jobId }: Lease): void {
    this.held.delete(jobId);
    this.notify?.();
  }

  /** The stream has ended. */
  close(): void {
    for (const { organizationId, jobId, leaseId } of [...this.held.values()]) {
      this.jobs.ack(organizationId, jobId, leaseId);
    }
  }

  private nextChange(signal: AbortSignal, atMostMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        timer?.cancel();
        signal.removeEventListener('abort', end);
        this.notify = undefined;
        resolve();
      };
      const timer = atMostMs === undefined ? undefined : this.jobs.clock.after(atMostMs, end);
      this.notify = end;
      signal.addEventListener('abort', end);
    });
  }
}
