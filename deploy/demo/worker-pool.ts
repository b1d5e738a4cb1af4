import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimedJob, ConflictError, LeaseExpiredError, NotFoundError, type Spooled } from '@spooled/sdk';
import type { Entry, Ledger } from './ledger.js';

const claimLimit = 10;
const leaseSeconds = 10;
/** One attempt in this many is failed on purpose, so that retries occur. */
const simulatedFailureEvery = 20;
/** One attempt in this many takes long enough for a heartbeat. */
const slowEvery = 25;
/** After this time without a change, open jobs count as lost. Leases last 10 s, the longest backoff 4.5 s. */
const idleTimeoutMs = 90_000;

/** Workers that claim from any queue with jobs left, and complete, fail and renew like real ones. */
export class WorkerPool {
  private attempt = 0;

  constructor(
    private readonly client: Spooled,
    private readonly ledger: Ledger,
    private readonly size: number,
  ) {}

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.size }, (_, number) => this.work(`demo-worker-${number}`, number)));
  }

  private async work(worker: string, offset: number): Promise<void> {
    for (let round = offset; !this.ledger.finished && this.ledger.msSinceProgress < idleTimeoutMs; round++) {
      const queues = this.ledger.openQueues();
      const queue = queues[round % Math.max(queues.length, 1)];
      const jobs = queue === undefined ? [] : await this.claim(queue, worker);
      if (jobs.length === 0) await sleep(50);
      await Promise.all(jobs.map((job) => this.handle(worker, job)));
    }
  }

  private async handle(worker: string, job: ClaimedJob): Promise<void> {
    const entry = await this.entryOf(job);
    if (!entry) return this.release(worker, job);
    this.ledger.start(entry);
    const number = this.attempt++;
    if (number % slowEvery === 0) await this.sendHeartbeat(worker, job);
    if (entry.poison || number % simulatedFailureEvery === 1) return this.fail(worker, job, entry);
    return this.complete(worker, job, entry);
  }

  private claim(queueName: string, workerId: string): Promise<ClaimedJob[]> {
    return this.client.jobs.claim({ queueName, workerId, limit: claimLimit, leaseDurationSecs: leaseSeconds });
  }

  /** GitHub's delivery id is the job's idempotency key; it identifies the webhook of the job. */
  private async entryOf({ id }: ClaimedJob): Promise<Entry | null> {
    const known = this.ledger.entryOf(id);
    if (known !== undefined) return known;
    const { idempotencyKey } = await this.client.jobs.get(id);
    return this.ledger.identify(id, idempotencyKey);
  }

  private async sendHeartbeat(workerId: string, { id, leaseId }: ClaimedJob): Promise<void> {
    await sleep(200);
    try {
      await this.client.jobs.heartbeat(id, { workerId, leaseId, leaseDurationSecs: leaseSeconds });
      this.ledger.heartbeats++;
    } catch (error) {
      this.lost(error);
    }
  }

  private async complete(workerId: string, { id, leaseId }: ClaimedJob, entry: Entry): Promise<void> {
    try {
      await this.client.jobs.complete(id, { workerId, leaseId, result: { handled_by: workerId } });
      this.ledger.complete(entry);
    } catch (error) {
      if (wasAlreadyCompleted(error)) this.ledger.complete(entry);
      else this.lost(error);
    }
  }

  private async fail(workerId: string, { id, leaseId }: ClaimedJob, entry: Entry): Promise<void> {
    const error = entry.poison ? 'This webhook cannot be handled' : 'Simulated failure';
    try {
      const { willRetry } = await this.client.jobs.fail(id, { workerId, leaseId, error });
      this.ledger.fail(entry, willRetry);
    } catch (problem) {
      if (!(await this.endedMeanwhile(id, entry))) this.lost(problem);
    }
  }

  /** If the response to a failure was lost, the job's status says whether it is dead-lettered. */
  private async endedMeanwhile(id: string, entry: Entry): Promise<boolean> {
    const { status } = await this.client.jobs.get(id);
    if (status === 'deadletter' && !entry.dead) this.ledger.fail(entry, false);
    return status === 'deadletter';
  }

  /** Accepts that the lease expired first: the job will be claimed again. @throws any other error */
  private lost(error: unknown): void {
    requireLost(error);
    this.ledger.leasesLost++;
  }

  /** A job of an earlier, interrupted run: complete it without counting. */
  private async release(workerId: string, { id, leaseId }: ClaimedJob): Promise<void> {
    await this.client.jobs.complete(id, { workerId, leaseId }).catch(requireLost);
  }
}

/** @throws the error, unless it says that the lease has expired */
function requireLost(error: unknown): void {
  if (!(error instanceof ConflictError) && !(error instanceof NotFoundError)) throw error;
}

/** An earlier attempt of the same call was accepted, and its response was lost. */
const wasAlreadyCompleted = (error: unknown): boolean =>
  error instanceof ConflictError && !(error instanceof LeaseExpiredError);
