import { isOfLostLease } from '../http/errors.js';
import type { Spooled } from '../spooled.js';
import type { Failure, LeasedJob, LogStore, StepStore } from './work-source.js';

/** What a worker does over REST also where it gets its jobs over gRPC, which has no calls for it. */
export abstract class ServerSource {
  workerId = '';
  readonly logs: LogStore;
  readonly steps: StepStore;

  constructor(protected readonly client: Spooled) {
    const { jobs } = client;
    this.logs = {
      append: async (job, lines) => {
        await jobs.reportLogs(job.id, { ...this.restProof(job), lines });
      },
    };
    this.steps = {
      list: ({ id }) => jobs.steps(id),
      record: async (job, step, result) => {
        await jobs.recordStep(job.id, { ...this.restProof(job), step, result });
      },
      wait: async (job, step, waitFor, waitMs) =>
        (await jobs.wait(job.id, { ...this.restProof(job), step, waitFor, waitMs })).isOver,
      signalUrl: async ({ id }, step, expiresInSecs) => (await jobs.signalUrl(id, { step, expiresInSecs })).url,
    };
  }

  async progress(job: LeasedJob, progress: number, message?: string): Promise<void> {
    await this.client.jobs.progress(job.id, { ...this.restProof(job), progress, message });
  }

  /** A failure ends the lease, so when its answer is lost the next report is refused: the history tells whether one was recorded. */
  async fail(job: LeasedJob, error: string, retry: boolean): Promise<Failure> {
    const { id, leaseId } = job;
    try {
      return await this.reportFailure(job, error, retry);
    } catch (refusal) {
      if (!isOfLostLease(refusal)) throw refusal;
      const events = await this.client.jobs.history(id, { orderDir: 'desc' }).catch(() => []);
      const failed = events.find(({ eventType, details }) => eventType === 'failed' && details?.lease_id === leaseId);
      if (!failed) throw refusal;
      return { willRetry: failed.details!.will_retry === true, cancelled: false };
    }
  }

  protected abstract reportFailure(job: LeasedJob, error: string, retry: boolean): Promise<Failure>;

  protected restProof({ leaseId }: LeasedJob): { workerId: string; leaseId: string } {
    return { workerId: this.workerId, leaseId };
  }
}
