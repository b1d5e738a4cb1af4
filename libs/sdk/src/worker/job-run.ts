import { ConflictError, NotFoundError } from '../http/errors.js';
import { type Handler, type JobContext, PermanentError } from './handlers.js';
import type { LeasedJob, WorkSource } from './work-source.js';

export type RunOutcome =
  | { kind: 'completed'; result: unknown }
  | { kind: 'failed'; error: unknown; willRetry: boolean }
  /** The lease was lost; another worker may run the job. */
  | { kind: 'lost' }
  /** The worker stopped and releases the job. */
  | { kind: 'abandoned' };

class LeaseLost extends Error {
  override name = 'LeaseLost';
}
class TimedOut extends Error {
  override name = 'TimedOut';
}
class WorkerStopped extends Error {
  override name = 'WorkerStopped';
}

export interface JobRunOptions {
  job: LeasedJob;
  source: WorkSource;
  leaseSeconds: number;
  findHandler: () => Handler;
  progress: JobContext['progress'];
  /** Called when a renewal fails that will be retried. */
  onProblem(error: unknown): void;
}

/** One attempt of one job: renews its lease while the handler runs, and reports the outcome. */
export class JobRun {
  private readonly ending = new AbortController();
  private renewal: NodeJS.Timeout | undefined;
  private leaseEndsAt: number;

  constructor(private readonly options: JobRunOptions) {
    this.leaseEndsAt = Date.now() + options.leaseSeconds * 1000;
  }

  /** Stops waiting for the handler; reports no outcome. */
  abandon(): void {
    this.ending.abort(new WorkerStopped('The worker stopped'));
  }

  /** @throws SpooledError when the outcome could not be reported; the job is recovered when its lease expires */
  async run(): Promise<RunOutcome> {
    const { timeoutSeconds } = this.options.job;
    const timeout = setTimeout(
      () => this.ending.abort(new TimedOut(`The handler took longer than ${timeoutSeconds} s`)),
      // Node fires timers with longer delays at once.
      Math.min(timeoutSeconds * 1000 - reportMs(timeoutSeconds), 2 ** 31 - 1),
    );
    this.scheduleRenewal(this.options.leaseSeconds * 500);
    try {
      return await this.report(await this.handle());
    } catch (error) {
      if (error instanceof ConflictError || error instanceof NotFoundError) return { kind: 'lost' };
      throw error;
    } finally {
      clearTimeout(timeout);
      clearTimeout(this.renewal);
    }
  }

  /** Resolves when the handler ends, or when the run is aborted. */
  private async handle(): Promise<{ result: unknown } | { error: unknown }> {
    const { signal } = this.ending;
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    try {
      const { job, findHandler, progress } = this.options;
      const work = (async () => findHandler()(job, { signal, progress }))();
      return { result: await Promise.race([work, aborted]) };
    } catch (error) {
      return { error: signal.aborted ? signal.reason : error };
    }
  }

  private async report(end: { result: unknown } | { error: unknown }): Promise<RunOutcome> {
    const { source, job } = this.options;
    if ('result' in end) {
      await source.complete(job, end.result);
      return { kind: 'completed', result: end.result };
    }
    const { error } = end;
    if (error instanceof LeaseLost) return { kind: 'lost' };
    if (error instanceof WorkerStopped) return { kind: 'abandoned' };
    const willRetry = await source.fail(job, textOf(error), !(error instanceof PermanentError));
    return { kind: 'failed', error, willRetry };
  }

  private scheduleRenewal(ms: number): void {
    this.renewal = setTimeout(() => void this.renew(), ms);
  }

  private async renew(): Promise<void> {
    const { source, job, leaseSeconds, onProblem } = this.options;
    const sentAt = Date.now();
    try {
      await source.renew(job, leaseSeconds);
      this.leaseEndsAt = sentAt + leaseSeconds * 1000;
      this.scheduleRenewal(leaseSeconds * 500);
    } catch (error) {
      const isLost = error instanceof ConflictError || error instanceof NotFoundError || Date.now() > this.leaseEndsAt;
      if (isLost) return this.ending.abort(new LeaseLost('The lease is lost'));
      onProblem(error);
      this.scheduleRenewal(leaseSeconds * 100);
    }
  }
}

/** Time to report a timeout: at the job's own timeout the server ends the attempt itself, and the lease with it. */
const reportMs = (timeoutSeconds: number): number => Math.min(1_000, timeoutSeconds * 50);

/** The server stores 2048 characters, and counts a pair of surrogates as one. */
const textOf = (error: unknown): string => {
  const text = (error instanceof Error ? error.message : String(error)) || 'The handler failed';
  return text.length <= 2048 ? text : [...text.slice(0, 4096)].slice(0, 2048).join('');
};
