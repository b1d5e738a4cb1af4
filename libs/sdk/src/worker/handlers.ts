import type { JobLog } from './run-log.js';
import type { Steps } from './steps.js';
import type { LeasedJob } from './work-source.js';

export interface JobContext {
  /**
   * Aborted when the job was cancelled (its reason is then a `JobCancelled`: throw it, or return a result, which counts), the lease is
   * lost, the job's timeout expires, or the worker stops waiting for it.
   */
  signal: AbortSignal;
  /** Reports the progress of the job, from 0 to 100. Of reports that are made while one is sent, only the newest is sent. */
  progress(percent: number, message?: string): Promise<void>;
  /**
   * Logs a line that is kept with the job: `log('charged', { amount: 12 })`, `log.warn(…)`. Returns at once and never throws. Of an attempt
   * the first 150 and the last 50 lines are kept, and the number of those between.
   */
  log: JobLog;
  /** Steps whose results are kept across attempts, and waits that hold no worker. */
  step: Steps;
  /**
   * Completes the job in an open transaction of the application, so that its rows and the completion commit together. Commit before the
   * handler ends: otherwise the attempt has failed. The lease is not renewed from this call on, and the row of the job is locked until
   * the transaction ends. Embedded mode only.
   * @returns the result. @throws ConflictError when the lease is lost: roll back
   */
  completeIn<Result>(tx: unknown, result: Result): Promise<Result>;
}

/** Processes a job. The returned value is the job's result; a thrown error fails the attempt. */
// Handlers declare the payload of their queue by the type of their parameter.
// oxlint-disable-next-line typescript/no-explicit-any
export type Handler = (job: LeasedJob<any>, context: JobContext) => unknown;

/** The reason of a handler's signal when its job was cancelled while it runs. */
export class JobCancelled extends Error {
  override name = 'JobCancelled';
}

/** One handler for a queue, or one per `job_type` in the payload; `*` handles all other types. */
export type QueueHandlers = Handler | Record<string, Handler>;

/** Thrown by a handler when a retry cannot succeed: the job becomes a dead letter at once. */
export class PermanentError extends Error {
  override name = 'PermanentError';
}

/** For callers without types. @throws TypeError */
export function requireHandlers(handlers: unknown, field: string): void {
  const all = typeof handlers === 'object' && handlers !== null ? Object.values(handlers) : [handlers];
  if (all.length > 0 && all.every((one) => typeof one === 'function')) return;
  throw new TypeError(`${field}: must be a handler, or an object with one for each job_type`);
}

/** @throws PermanentError when there is no handler for the job's type */
export function handlerOf(handlers: QueueHandlers, { payload, queueName }: LeasedJob): Handler {
  if (typeof handlers === 'function') return handlers;
  const type = (payload as { job_type?: unknown } | null)?.job_type;
  const own = typeof type === 'string' && Object.hasOwn(handlers, type) ? handlers[type] : handlers['*'];
  if (!own) throw new PermanentError(`No handler for jobs of type ${JSON.stringify(type ?? null)} in ${queueName}`);
  return own;
}
