import type { WorkerClock } from './clock.js';
import type { LeasedJob, WorkSource } from './work-source.js';

export interface PushLoopOptions {
  clock: WorkerClock;
  push: NonNullable<WorkSource['push']>;
  queueNames: string[];
  /** Maximum jobs that are running or reported. */
  concurrency: number;
  leaseSeconds: number;
  /** Ends the loop. */
  signal: AbortSignal;
  start(job: LeasedJob): void;
  onError(error: unknown): void;
}

const firstPauseMs = 500;
const maxPauseMs = 15_000;

/** Receives jobs that the server pushes, as many at once as the worker can run. Opens the stream again whenever it ends. */
export async function runPushLoop(options: PushLoopOptions): Promise<void> {
  const { push, queueNames, concurrency, leaseSeconds, signal, start, onError, clock } = options;
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    const onJob = (job: LeasedJob) => {
      pauseMs = firstPauseMs;
      start(job);
    };
    await push(queueNames, { prefetch: concurrency, leaseSeconds, signal, onJob }).catch(onError);
    if (signal.aborted) return;
    await clock.sleep(pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
  }
}
