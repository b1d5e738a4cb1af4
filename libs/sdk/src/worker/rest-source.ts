import { ConflictError, LeaseExpiredError } from '../http/errors.js';
import type { Spooled } from '../spooled.js';
import type { LeasedJob, Registration, WorkSource } from './work-source.js';

/** The REST door. A failure counts as an attempt there; none is final before the attempts are used up. */
export class RestSource implements WorkSource {
  workerId = '';
  readonly failsForGood = false;

  constructor(private readonly client: Spooled) {}

  async open(registration: Registration): Promise<void> {
    this.workerId = (await this.client.workers.register(registration)).id;
  }

  async claim(queueName: string, limit: number, leaseDurationSecs: number): Promise<LeasedJob[]> {
    return this.client.jobs.claim({ queueName, workerId: this.workerId, limit, leaseDurationSecs });
  }

  async renew({ id, leaseId }: LeasedJob, leaseDurationSecs: number): Promise<void> {
    // All tries together must end before the lease does.
    const timeoutMs = leaseDurationSecs * 100;
    await this.client.jobs.heartbeat(id, { workerId: this.workerId, leaseId, leaseDurationSecs }, { timeoutMs });
  }

  async complete({ id, leaseId }: LeasedJob, result: unknown): Promise<void> {
    try {
      await this.client.jobs.complete(id, { workerId: this.workerId, leaseId, result }, { repeatable: true });
    } catch (error) {
      // Already completed, under our lease: an earlier try arrived, and its answer got lost.
      if (!(error instanceof ConflictError) || error instanceof LeaseExpiredError) throw error;
    }
  }

  async fail({ id, leaseId }: LeasedJob, error: string): Promise<boolean> {
    const answer = await this.client.jobs.fail(id, { workerId: this.workerId, leaseId, error }, { repeatable: true });
    return answer.willRetry;
  }

  async beat(currentJobs: number, isDraining: boolean): Promise<void> {
    const status = isDraining ? 'draining' : 'healthy';
    await this.client.workers.heartbeat(this.workerId, { currentJobs, status });
  }

  async close(): Promise<void> {
    await this.client.workers.deregister(this.workerId);
  }
}
