import { isOfLostLease, ValidationError } from '../http/errors.js';
import type { Spooled } from '../spooled.js';
import { systemClock, type WorkerClock } from './clock.js';
import { Completions } from './completions.js';
import { ServerSource } from './server-source.js';
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

type Claim = Parameters<Spooled['jobs']['claim']>[0];

/** How long a worker that stops waits for the answer to a claim: it may be on its way, and its jobs would wait until their leases end. */
const claimAnswerMs = 250;

/** Jobs over REST. */
export class RestSource extends ServerSource implements WorkSource {
  /** Below the idle timeout of common load balancers. */
  maxWaitSeconds = 20;
  private readonly completions = new Completions(this.client.jobs);

  async open(registration: Registration): Promise<ServerTimings> {
    const { id, leaseDurationSecs, heartbeatIntervalSecs } = await this.client.workers.register(registration);
    this.workerId = id;
    return serverTimings(leaseDurationSecs, heartbeatIntervalSecs);
  }

  claim(queueName: string, limit: number, leaseDurationSecs: number, wait?: Wait): Promise<LeasedJob[]> {
    const claim = { queueName, workerId: this.workerId, limit, leaseDurationSecs };
    if (!wait) return this.client.jobs.claim(claim);
    return untilAfter(wait.signal, (signal) => this.claimWithin(wait.seconds, claim, signal));
  }

  private async claimWithin(waitSeconds: number, claim: Claim, signal: AbortSignal): Promise<LeasedJob[]> {
    if (waitSeconds === 0 || this.maxWaitSeconds === 0) return this.client.jobs.claim(claim, { signal });
    try {
      return await this.client.jobs.claim({ ...claim, waitSeconds }, { signal });
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      // Older servers may reject the unknown field; others refuse the claim itself.
      const jobs = await this.client.jobs.claim(claim, { signal });
      this.maxWaitSeconds = 0;
      return jobs;
    }
  }

  async renew(job: LeasedJob, leaseDurationSecs: number): Promise<Renewal> {
    // All attempts together must end before the lease expires.
    const timeoutMs = leaseDurationSecs * 100;
    const renewal = { ...this.restProof(job), leaseDurationSecs };
    const { cancelRequested = false } = await this.client.jobs.heartbeat(job.id, renewal, { timeoutMs });
    return { cancelRequested };
  }

  complete(job: LeasedJob, result: unknown): Promise<void> {
    return this.completions.add(this.workerId, job, result);
  }

  protected async reportFailure(job: LeasedJob, error: string, retry: boolean): Promise<Failure> {
    // Older servers ignore `retry`, so it is sent only where it says something.
    const failure = { ...this.restProof(job), error, ...(retry ? {} : { retry }) };
    const { willRetry, cancelled = false } = await this.client.jobs.fail(job.id, failure, { idempotent: true });
    return { willRetry, cancelled };
  }

  /** Also when the lease has ended: an attempt whose answer was lost may have released the job. */
  async release(job: LeasedJob): Promise<void> {
    const released = this.client.jobs.release(job.id, this.restProof(job), { idempotent: true });
    await released.catch((error: unknown) => {
      if (!isOfLostLease(error)) throw error;
    });
  }

  async heartbeat(currentJobs: number, isDraining: boolean): Promise<void> {
    const status = isDraining ? 'draining' : 'healthy';
    await this.client.workers.heartbeat(this.workerId, { currentJobs, status });
  }

  async close(): Promise<void> {
    await this.client.workers.deregister(this.workerId);
  }
}

/** Runs `work` with a signal that is aborted a moment after `signal`, for the same reason. */
async function untilAfter<T>(signal: AbortSignal, work: (later: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const later = new AbortController();
  let timer: ReturnType<WorkerClock['after']> | undefined;
  const start = () => (timer = systemClock.after(claimAnswerMs, () => later.abort(signal.reason)));
  signal.addEventListener('abort', start);
  try {
    return await work(later.signal);
  } finally {
    signal.removeEventListener('abort', start);
    timer?.cancel();
  }
}
