import { type ClaimedJob, type CommandResult, formatActor, type LeaseProof } from '@spooled/contracts';
import { type Database, findJobSettings } from '@spooled/data-access';
import { newId } from '@spooled/platform';
import type { Caller, Commands } from '@spooled/service';

/** A claimed job, with its own settings if it has any. */
export interface PushJob extends ClaimedJob {
  settings?: Record<string, unknown>;
}

/** A claimed job whose receiver is not to be called before `delayMs`. */
export interface PostponedJob {
  job: PushJob;
  delayMs: number;
}

/** A job that this process has claimed. */
export interface HeldJob {
  organizationId: string;
  job: PushJob;
}

/** Worker commands for jobs; one worker id of this process for all organizations. */
export class PushWork {
  readonly workerId = `push:${newId()}`;
  private readonly actor = formatActor('worker', this.workerId);

  constructor(
    private readonly commands: Pick<Commands, 'run'>,
    private readonly db: Pick<Database, 'withTenant'>,
    readonly leaseSeconds: number,
  ) {}

  async claim(organizationId: string, queueName: string, limit: number): Promise<PushJob[]> {
    const { workerId, leaseSeconds } = this;
    const body = { queueName, workerId, limit, leaseSeconds };
    const { jobs } = await this.commands.run('job.claim', this.callerFor(organizationId), body);
    return jobs.length === 0 ? [] : this.withSettings(organizationId, jobs);
  }

  /** Jobs whose settings cannot be read are released, because without them they would be sent to another receiver. */
  private async withSettings(organizationId: string, jobs: ClaimedJob[]): Promise<PushJob[]> {
    const ids = jobs.map(({ id }) => id);
    try {
      const settings = await this.db.withTenant(organizationId, (tx) => findJobSettings(tx, ids));
      return jobs.map((job) => ({ ...job, settings: settings.get(job.id) }));
    } catch (error) {
      await this.release(organizationId, jobs);
      throw error;
    }
  }

  /** @throws SpooledError 404 or 409 when the lease was lost */
  renew(held: HeldJob): Promise<CommandResult<'job.renew'>> {
    const { leaseSeconds } = this;
    return this.commands.run('job.renew', this.callerFor(held.organizationId), { ...this.proofOf(held), leaseSeconds });
  }

  /** @throws SpooledError 404 or 409 when the lease was lost */
  async complete(held: HeldJob, result: string | null): Promise<void> {
    await this.commands.run('job.complete', this.callerFor(held.organizationId), { ...this.proofOf(held), result });
  }

  /** @throws SpooledError 404 or 409 when the lease was lost */
  fail(
    held: HeldJob,
    { error, retry, minDelayMs }: { error: string; retry: boolean; minDelayMs?: number },
  ): Promise<CommandResult<'job.fail'>> {
    const body = { ...this.proofOf(held), error, retry, minDelayMs };
    return this.commands.run('job.fail', this.callerFor(held.organizationId), body);
  }

  /** Releases jobs without using up an attempt. `delivered`: their callback was called, so their history shows it. */
  async release(organizationId: string, jobs: ClaimedJob[], { delivered = false } = {}): Promise<void> {
    const leases = jobs.map(({ id: jobId, leaseId }) => ({ jobId, leaseId }));
    if (leases.length > 0)
      await this.commands.run('job.release', this.callerFor(organizationId), { leases, delivered });
  }

  /** Releases jobs that are not to be called before `delayMs`, without using up an attempt. */
  async postpone(organizationId: string, postponed: PostponedJob[]): Promise<void> {
    const leases = postponed.map(({ job: { id: jobId, leaseId }, delayMs }) => ({ jobId, leaseId, delayMs }));
    if (leases.length > 0) await this.commands.run('job.release', this.callerFor(organizationId), { leases });
  }

  private callerFor(organizationId: string): Caller {
    return { organizationId, actor: this.actor };
  }

  private proofOf({ job }: HeldJob): LeaseProof {
    return { jobId: job.id, workerId: this.workerId, leaseId: job.leaseId, queues: null };
  }
}
