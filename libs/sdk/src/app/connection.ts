import type { NewJob } from '../resources/jobs.js';
import type { QueueHandlers } from '../worker/handlers.js';
import type { Worker, WorkerOptions } from '../worker/worker.js';
import type { ScheduleStore } from './schedules.js';

/** A job that was enqueued, or that its key has found. */
export interface EnqueuedJob {
  /** With an outbox that of its row: the job gets an id of its own when it is sent. */
  id: string;
  /** False if a job with this key existed. */
  created: boolean;
}

/** Where a job is created that exists if and only if the transaction commits. */
export interface JobTransaction {
  tx: unknown;
  /** Jobs are created in the order of their calls; only an outbox, which sends them later, has to know for which of them that counts. */
  orderingKey?: string;
}

/** What became of a signal. */
export interface GivenSignal {
  /** False: an earlier signal of this name counts. */
  accepted: boolean;
  /** Whether the job waited for it. */
  resumed: boolean;
}

/** How a job ended. */
export interface EndedJob {
  id: string;
  status: 'completed' | 'failed' | 'deadletter' | 'cancelled';
  result: unknown;
  lastError: string | null;
}

/** What an app needs of its queues, at the services or in its own process. */
export interface Connection {
  /** Jobs that `createMany` takes at once, all or none. */
  readonly maxBatch: number;
  /** Milliseconds since 1970, by which delays count. */
  now(): number;
  /** @param transaction an open one of the application; embedded mode takes it, and the services with an outbox */
  create(job: NewJob, transaction?: JobTransaction): Promise<EnqueuedJob>;
  createMany(queueName: string, jobs: Omit<NewJob, 'queueName'>[]): Promise<EnqueuedJob[]>;
  /** @returns whether the signal counts and whether the job waited for it */
  signal(id: string, step: string, payload: unknown): Promise<GivenSignal>;
  /** Those of these jobs that have ended or do not exist; the latter are cancelled. */
  ended(ids: string[]): Promise<EndedJob[]>;
  /** A worker that has not started. */
  worker(queues: Record<string, QueueHandlers>, options: ConnectionWorkerOptions): Worker;
  readonly schedules: ScheduleStore;
  /** Starts to send what the outbox holds, where there is one; again without effect. */
  startRelay?(onError: (error: unknown) => void): void;
  /** Ends connections. Workers have stopped before. */
  close(): Promise<void>;
}

export type ConnectionWorkerOptions = Pick<
  WorkerOptions,
  'concurrency' | 'leaseSeconds' | 'pollIntervalMs' | 'version' | 'clock'
>;
