import { systemClock } from '@spooled/clock';
import type { NewJob, QueueHandlers, Worker } from '@spooled/sdk';
import {
  type Connection,
  type ConnectionWorkerOptions,
  type DatabaseClient,
  type EndedJob,
  endedJobs,
  type EnqueuedJob,
  type GivenSignal,
  type JobTransaction,
  type ScheduleStore,
} from '@spooled/sdk/internal';
import type { EmbeddedSpooled } from './embedded-spooled.js';

/** As many as one transaction of group commit holds. */
const maxBatch = 1_000;

/** Jobs in the process of the application. */
export class EmbeddedConnection implements Connection {
  readonly maxBatch = maxBatch;
  readonly now = () => systemClock.now();
  readonly schedules: ScheduleStore;

  constructor(
    private readonly spooled: EmbeddedSpooled,
    private readonly prefetch = 0,
  ) {
    this.schedules = spooled.schedules;
  }

  create(job: NewJob, transaction?: JobTransaction): Promise<EnqueuedJob> {
    return this.spooled.jobs.create(job, { tx: transaction?.tx as DatabaseClient | undefined });
  }

  async createMany(queueName: string, jobs: Omit<NewJob, 'queueName'>[]): Promise<EnqueuedJob[]> {
    const { succeeded } = await this.spooled.jobs.createMany({ queueName, jobs });
    return succeeded.map(({ jobId: id, created }) => ({ id, created }));
  }

  signal(id: string, step: string, payload: unknown): Promise<GivenSignal> {
    return this.spooled.jobs.signal(id, { step, payload });
  }

  async ended(ids: string[]): Promise<EndedJob[]> {
    const statuses = await this.spooled.jobs.statuses(ids);
    return endedJobs(ids, statuses, (id) => this.spooled.jobs.get(id));
  }

  worker(queues: Record<string, QueueHandlers>, options: ConnectionWorkerOptions): Worker {
    return this.spooled.worker(queues, { ...options, prefetch: this.prefetch });
  }

  close(): Promise<void> {
    return this.spooled.close();
  }
}
