import type { Jobs } from '../resources/jobs.js';
import type { LeasedJob, StepStore, StoredStep } from './work-source.js';

/** Steps of jobs over REST. */
export class RestSteps implements StepStore {
  constructor(
    private readonly jobs: Jobs,
    private readonly workerId: () => string,
  ) {}

  list({ id }: LeasedJob): Promise<StoredStep[]> {
    return this.jobs.steps(id);
  }

  async record(job: LeasedJob, step: string, result: unknown): Promise<void> {
    await this.jobs.recordStep(job.id, { ...this.proof(job), step, result });
  }

  async wait(job: LeasedJob, step: string, waitFor: 'sleep' | 'signal', waitMs: number): Promise<boolean> {
    return (await this.jobs.wait(job.id, { ...this.proof(job), step, waitFor, waitMs })).isOver;
  }

  async signalUrl({ id }: LeasedJob, step: string, expiresInSecs: number | undefined): Promise<string> {
    return (await this.jobs.signalUrl(id, { step, expiresInSecs })).url;
  }

  private proof = ({ leaseId }: LeasedJob) => ({ workerId: this.workerId(), leaseId });
}
