import type { Job, NewJob } from '../resources/jobs.js';
import type { Outbox } from '../outbox/outbox.js';
import type { OutboxRelay } from '../outbox/relay.js';
import type { Spooled } from '../spooled.js';
import { systemClock } from '../worker/clock.js';
import type { QueueHandlers } from '../worker/handlers.js';
import { Worker, type WorkerOptions } from '../worker/worker.js';
import type {
  Connection,
  ConnectionWorkerOptions,
  EndedJob,
  EnqueuedJob,
  GivenSignal,
  JobTransaction,
} from './connection.js';
import type { ScheduleStore, StoredSchedule } from './schedules.js';

/** Jobs at the services. */
export class ServicesConnection implements Connection {
  readonly maxBatch = 100;
  readonly now = systemClock.now;
  readonly schedules: ScheduleStore;
  private relay: OutboxRelay | undefined;

  constructor(
    private readonly client: Spooled,
    private readonly transport: WorkerOptions['transport'],
    private readonly outbox: Outbox | undefined,
  ) {
    this.schedules = scheduleStore(client);
  }

  async create(job: NewJob, transaction?: JobTransaction): Promise<EnqueuedJob> {
    if (transaction) return this.enqueueIn(transaction, job);
    const { id, created } = await this.client.jobs.create(job);
    return { id, created };
  }

  async createMany(queueName: string, jobs: Omit<NewJob, 'queueName'>[]): Promise<EnqueuedJob[]> {
    const { succeeded } = await this.client.jobs.createMany({ queueName, jobs });
    return succeeded.map(({ jobId: id, created }) => ({ id, created }));
  }

  signal(id: string, step: string, payload: unknown): Promise<GivenSignal> {
    return this.client.jobs.signal(id, { step, payload });
  }

  async ended(ids: string[]): Promise<EndedJob[]> {
    const found = new Map((await this.client.jobs.statuses(ids)).map((job) => [job.id, job.status]));
    const ended = ids.filter((id) => !found.has(id) || isEnd(found.get(id)!));
    return Promise.all(
      ended.map(async (id) => (found.has(id) ? endedJob(await this.client.jobs.get(id)) : missing(id))),
    );
  }

  worker(queues: Record<string, QueueHandlers>, options: ConnectionWorkerOptions): Worker {
    return new Worker(this.client, { ...options, queues, transport: this.transport });
  }

  startRelay(onError: (error: unknown) => void): void {
    if (!this.outbox || this.relay) return;
    this.relay = this.outbox.relay(this.client, { onError });
    this.relay.start();
  }

  async close(): Promise<void> {
    await this.relay?.stop();
  }

  private enqueueIn({ tx, orderingKey }: JobTransaction, job: NewJob): Promise<EnqueuedJob> {
    if (this.outbox) return this.outbox.enqueue(tx, job, { orderingKey });
    throw new TypeError('tx: needs the option outbox of connect(), or embedded mode, a connection to postgres://');
  }
}

export const isEnd = (status: string): status is EndedJob['status'] =>
  status === 'completed' || status === 'failed' || status === 'deadletter' || status === 'cancelled';

/** A job that is read as it ended. */
export const endedJob = ({ id, status, result, lastError }: Job): EndedJob => ({
  id,
  status: status as EndedJob['status'],
  result,
  lastError,
});

/** A job that was deleted meanwhile. */
export const missing = (id: string): EndedJob => ({
  id,
  status: 'cancelled',
  result: null,
  lastError: 'it does not exist',
});

const pageSize = 500;

function scheduleStore({ schedules }: Spooled): ScheduleStore {
  return {
    list: async () => {
      const all: StoredSchedule[] = [];
      for (let after: string | null | undefined; after !== null;) {
        const page = await schedules.list({ limit: pageSize, after });
        all.push(...page);
        after = page.nextCursor;
      }
      return all;
    },
    create: (schedule) => schedules.create(schedule),
    update: (id, schedule) => schedules.update(id, schedule),
    delete: (id) => schedules.delete(id),
  };
}
