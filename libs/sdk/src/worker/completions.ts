import { ConflictError, errorOfItem, LeaseExpiredError, SpooledError, ValidationError } from '../http/errors.js';
import type { Jobs } from '../resources/jobs.js';
import type { LeasedJob } from './work-source.js';

interface Pending {
  workerId: string;
  job: LeasedJob;
  result: unknown;
  resolve(): void;
  reject(error: unknown): void;
}

/** As many as one request takes. */
const maxTogether = 100;

/**
 * Hands in results. One goes out at once and alone; what gathers while a request is under way shares the next. Nothing waits
 * for company.
 */
export class Completions {
  private waiting: Pending[] = [];
  private isSending = false;
  private hasBulkRoute = true;

  constructor(private readonly jobs: Jobs) {}

  /** @throws ConflictError or NotFoundError when the lease is lost; another SpooledError when it could not be handed in */
  add(workerId: string, job: LeasedJob, result: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      const pending = { workerId, job, result, resolve, reject };
      if (!this.hasBulkRoute) return void this.sendAlone(pending);
      this.waiting.push(pending);
      if (!this.isSending) void this.sendAll();
    });
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, maxTogether);
      await (batch.length === 1 ? this.sendAlone(batch[0]!) : this.sendTogether(batch));
    }
    this.isSending = false;
  }

  /** Never rejects. */
  private async sendTogether(batch: Pending[]): Promise<void> {
    const jobs = batch.map(({ job, result }) => ({ jobId: job.id, leaseId: job.leaseId, result }));
    try {
      const body = { workerId: batch[0]!.workerId, jobs };
      const { results } = await this.jobs.completeMany(body, { repeatable: true });
      results.forEach((one, i) => settle(batch[i]!, one.success ? undefined : errorOfItem(one.error)));
    } catch (error) {
      if (isMissingRoute(error)) this.hasBulkRoute = false;
      // Together they may be too large, or one is odd: each must hear its own answer.
      else if (!(error instanceof ValidationError)) return batch.forEach(({ reject }) => reject(error));
      await Promise.all(batch.map((pending) => this.sendAlone(pending)));
    }
  }

  /** Never rejects. */
  private async sendAlone(pending: Pending): Promise<void> {
    const { workerId, job, result } = pending;
    try {
      await this.jobs.complete(job.id, { workerId, leaseId: job.leaseId, result }, { repeatable: true });
      pending.resolve();
    } catch (error) {
      settle(pending, error);
    }
  }
}

function settle({ resolve, reject }: Pending, error: unknown): void {
  // Already completed, under our lease: an earlier try arrived, and its answer got lost.
  const isDone = error instanceof ConflictError && !(error instanceof LeaseExpiredError);
  if (error === undefined || isDone) resolve();
  else reject(error);
}

/** An older server has no such route, or takes it for another one. */
const isMissingRoute = (error: unknown): boolean =>
  error instanceof SpooledError && (error.status === 404 || error.status === 405);
