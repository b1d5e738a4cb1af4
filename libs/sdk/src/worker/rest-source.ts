import { ValidationError } from '../http/errors.js';
import type { Spooled } from '../spooled.js';
import { Completions } from './completions.js';
import { orReported } from './reported-failure.js';
import { RestLogs } from './rest-logs.js';
import { RestSteps } from './rest-steps.js';
import {
  type Failure,
  type LeasedJob,
  type Registration,
  type Renewal,
  serverTimings,
  type ServerTimings,
  type Wait,
  type WorkSource,
} from './work-source.js';

/** Jobs over REST. */
export class RestSource implements WorkSource {
  workerId = '';
  /** Below the idle timeout of common load balancers. */
  maxWaitSeconds = 20;
  readonly logs: RestLogs;
  readonly steps: RestSteps;
  private readonly completions: Completions;

  constructor(private readonly client: Spooled) {
    this.completions = new Completions(client.jobs);
    this.logs = new RestLogs(client.jobs, () => this.workerId);
    this.steps = new RestSteps(client.jobs, () => this.workerId);
  }

  async open(registration: Registration): Promise<ServerTimings> {
    const { id, leaseDurationSecs, heartbeatIntervalSecs } = await this.client.workers.register(registration);
    this.workerId = id;
    return serverTimings(leaseDurationSecs, heartbeatIntervalSecs);
  }

  async claim(queueName: string, limit: number, leaseDurationSecs: number, wait?: Wait): Promise<LeasedJob[]> {
    const claim = { queueName, workerId: this.workerId, limit, leaseDurationSecs };
    if (!wait || this.maxWaitSeconds === 0) return this.client.jobs.claim(claim);
    try {
      return await this.client.jobs.claim({ ...claim, waitSeconds: wait.seconds }, { signal: wait.signal });
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      // Older servers may reject the unknown field.
      this.maxWaitSeconds = 0;
      return this.client.jobs.claim(claim);
    }
  }

  async renew({ id, leaseId }: LeasedJob, leaseDurationSecs: number): Promise<Renewal> {
    // All attempts together must end before the lease expires.
    const timeoutMs = leaseDurationSecs * 100;
    const renewal = { workerId: this.workerId, leaseId, leaseDurationSecs };
    const { cancelRequested = false } = await this.client.jobs.heartbeat(id, renewal, { timeoutMs });
    return { cancelRequested };
  }

  complete(job: LeasedJob, result: unknown): Promise<void> {
    return this.completions.add(this.workerId, job, result);
  }

  fail(job: LeasedJob, error: string, retry: boolean): Promise<Failure> {
    return orReported(this.client.jobs, job, this.reportFailure(job, error, retry));
  }

  private async reportFailure({ id, leaseId }: LeasedJob, error: string, retry: boolean): Promise<Failure> {
    // Older servers ignore `retry`, so it is sent only where it says something.
    const failure = { workerId: this.workerId, leaseId, error, ...(retry ? {} : { retry }) };
    const { willRetry, cancelled = false } = await this.client.jobs.fail(id, failure, { idempotent: true });
    return { willRetry, cancelled };
  }

  async progress({ id, leaseId }: LeasedJob, progress: number, message?: string): Promise<void> {
    await this.client.jobs.progress(id, { progress, message, workerId: this.workerId, leaseId });
  }

  async release({ id, leaseId }: LeasedJob): Promise<void> {
    await this.client.jobs.release(id, { workerId: this.workerId, leaseId });
  }

  async heartbeat(currentJobs: number, isDraining: boolean): Promise<void> {
    const status = isDraining ? 'draining' : 'healthy';
    await this.client.workers.heartbeat(this.workerId, { currentJobs, status });
  }

  async close(): Promise<void> {
    await this.client.workers.deregister(this.workerId);
  }
}
