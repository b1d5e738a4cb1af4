import { errorOfItem, isAlreadyCompleted, SpooledError, ValidationError } from '../http/errors.js';
import type { Jobs } from '../resources/jobs.js';
import type { LeasedJob } from './work-source.js';

interface Pending {
  workerId: string;
  job: LeasedJob;
  result: unknown;
  resolve(): void;
  reject(error: unknown): void;
}

/** Maximum completions of one request. */
const maxBatchSize = 100;

/**
 * Sends completions. The first is sent at once; those that arrive while a request is in flight share the next request, so none is
 * delayed to fill a batch.
 */
export class Completions {
  private pending: Pending[] = [];
  private isSending = false;
  private hasBulkRoute = true;

  constructor(private readonly jobs: Jobs) {}

  /** @throws ConflictError or NotFoundError when the lease is lost; another SpooledError when it could not be sent */
  add(workerId: string, job: LeasedJob, result: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      const pending = { workerId, job, result, resolve, reject };
      if (!this.hasBulkRoute) return void this.sendOne(pending);
      this.pending.push(pending);
      if (!this.isSending) void this.sendPending();
    });
  }

  private async sendPending(): Promise<void> {
    this.isSending = true;
    while (this.pending.length > 0) {
      const batch = this.pending.splice(0, maxBatchSize);
      await (batch.length === 1 ? this.sendOne(batch[0]!) : this.sendBatch(batch));
    }
    this.isSending = false;
  }

  /** Never rejects. */
  private async sendBatch(batch: Pending[]): Promise<void> {
    const jobs = batch.map(({ job, result }) => ({ jobId: job.id, leaseId: job.leaseId, result }));
    try {
      const body = { workerId: batch[0]!.workerId, jobs };
      const { results } = await this.jobs.completeMany(body, { idempotent: true });
      results.forEach((one, i) => settle(batch[i]!, one.success ? undefined : errorOfItem(one.error)));
    } catch (error) {
      if (isMissingRoute(error)) this.hasBulkRoute = false;
      // The batch may be too large, or one result invalid or no JSON: each completion must get its own response.
      else if (error instanceof SpooledError && !(error instanceof ValidationError))
        return batch.forEach(({ reject }) => reject(error));
      await Promise.all(batch.map((pending) => this.sendOne(pending)));
    }
  }

  /** Never rejects. */
  private async sendOne(pending: Pending): Promise<void> {
    const { workerId, job, result } = pending;
    try {
      await this.jobs.complete(job.id, { workerId, leaseId: job.leaseId, result }, { idempotent: true });
      pending.resolve();
    } catch (error) {
      settle(pending, error);
    }
  }
}

function settle({ resolve, reject }: Pending, error: unknown): void {
  if (error === undefined || isAlreadyCompleted(error)) resolve();
  else reject(error);
}

/** Older servers do not have the route, or match it to another one. */
const isMissingRoute = (error: unknown): boolean =>
  error instanceof SpooledError && (error.status === 404 || error.status === 405);
