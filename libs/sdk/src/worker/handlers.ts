import type { LeasedJob } from './work-source.js';

export interface JobContext {
  /** Aborts when the lease is lost, the job's time is over, or the worker stops and waits no longer. */
  signal: AbortSignal;
  /** Tells how far the job is, from 0 to 100. */
  progress(percent: number, message?: string): Promise<void>;
}

/** Does one job. What it returns is the job's result; what it throws fails the attempt. */
// A handler knows what its queue holds, and says so by the type of its parameter.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Handler = (job: LeasedJob<any>, context: JobContext) => unknown;

/** One handler for a whole queue, or one for each `job_type` in the payload; `*` takes the types without their own. */
export type QueueHandlers = Handler | Record<string, Handler>;

/** Thrown by a handler: another attempt would not help. Over gRPC the job becomes a dead letter at once. */
export class PermanentError extends Error {
  override name = 'PermanentError';
}

/** @throws PermanentError when nobody handles jobs of this type */
export function handlerOf(handlers: QueueHandlers, { payload, queueName }: LeasedJob): Handler {
  if (typeof handlers === 'function') return handlers;
  const type = (payload as { job_type?: unknown } | null)?.job_type;
  const own = typeof type === 'string' && Object.hasOwn(handlers, type) ? handlers[type] : handlers['*'];
  if (!own) throw new PermanentError(`No handler for jobs of type ${JSON.stringify(type ?? null)} in ${queueName}`);
  return own;
}
