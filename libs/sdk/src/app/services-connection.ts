import { NotFoundError } from '../http/errors.js';
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
    const statuses = new Map((await this.client.jobs.statuses(ids)).map((job) => [job.id, job.status]));
    return endedJobs(ids, statuses, (id) => this.client.jobs.get(id));
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

const isEnd = (status: string): status is EndedJob['status'] =>
  status === 'completed' || status === 'failed' || status === 'deadletter' || status === 'cancelled';

/**
 * Those of these jobs that have ended, each as it is read.
 * @param statuses of the jobs that exist
 */
export async function endedJobs(
  ids: string[],
  statuses: ReadonlyMap<string, string>,
  get: (id: string) => Promise<Job>,
): Promise<EndedJob[]> {
  const ended = ids.filter((id) => isEnd(statuses.get(id) ?? 'cancelled'));
  const jobs = await Promise.all(ended.map((id) => (statuses.has(id) ? endOf(id, get) : Promise.resolve(missing(id)))));
  return jobs.filter((job) => job !== null);
}

/** Null for a job that runs again. One that was deleted since its status was read must not end the waits for others. */
async function endOf(id: string, get: (id: string) => Promise<Job>): Promise<EndedJob | null> {
  try {
    const { status, result, lastError } = await get(id);
    return isEnd(status) ? { id, status, result, lastError } : null;
  } catch (error) {
    if (error instanceof NotFoundError) return missing(id);
    throw error;
  }
}

const missing = (id: string): EndedJob => ({ id, status: 'cancelled', result: null, lastError: 'it does not exist' });

const pageSize = 500;

/** Processes that start at the same time delete the same schedules. */
function unlessMissing(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error;
}

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
    delete: (id) => schedules.delete(id).catch(unlessMissing),
  };
}
