import { ConflictError, NotFoundError } from '../http/errors.js';
import { type Handler, type JobContext, PermanentError } from './handlers.js';
import type { LeasedJob, WorkSource } from './work-source.js';

export type RunOutcome =
  | { kind: 'completed'; result: unknown }
  | { kind: 'failed'; error: unknown; willRetry: boolean }
  /** Somebody else has the job, or will have it. */
  | { kind: 'lost' }
  /** The worker stopped; the job goes back with all that the worker holds. */
  | { kind: 'left' };

class LeaseLost extends Error {
  override name = 'LeaseLost';
}
class TimedOut extends Error {
  override name = 'TimedOut';
}
class Left extends Error {
  override name = 'Left';
}

export interface JobRunOptions {
  job: LeasedJob;
  source: WorkSource;
  leaseSeconds: number;
  findHandler: () => Handler;
  progress: JobContext['progress'];
  /** Told of renewals that failed but may still succeed. */
  onProblem(error: unknown): void;
}

/** One attempt at one job: keeps its lease while the handler works, and hands in the outcome. */
export class JobRun {
  private readonly ending = new AbortController();
  private renewal: NodeJS.Timeout | undefined;
  private leaseEndsAt: number;

  constructor(private readonly options: JobRunOptions) {
    this.leaseEndsAt = Date.now() + options.leaseSeconds * 1000;
  }

  /** Lets go of the job without an outcome. */
  leave(): void {
    this.ending.abort(new Left('The worker stopped'));
  }

  /** @throws SpooledError when the outcome could not be handed in; the job comes back when its lease ends */
  async run(): Promise<RunOutcome> {
    const { timeoutSeconds } = this.options.job;
    const timeout = setTimeout(
      () => this.ending.abort(new TimedOut(`The handler took longer than ${timeoutSeconds} s`)),
      // Longer timers than that fire at once.
      Math.min(timeoutSeconds * 1000, 2 ** 31 - 1),
    );
    this.scheduleRenewal(this.options.leaseSeconds * 500);
    try {
      return await this.settle(await this.handle());
    } catch (error) {
      if (error instanceof ConflictError || error instanceof NotFoundError) return { kind: 'lost' };
      throw error;
    } finally {
      clearTimeout(timeout);
      clearTimeout(this.renewal);
    }
  }

  /** What came first: the handler's end, or a reason not to wait for it. */
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

  private async settle(end: { result: unknown } | { error: unknown }): Promise<RunOutcome> {
    const { source, job } = this.options;
    if ('result' in end) {
      await source.complete(job, end.result);
      return { kind: 'completed', result: end.result };
    }
    const { error } = end;
    if (error instanceof LeaseLost) return { kind: 'lost' };
    if (error instanceof Left) return { kind: 'left' };
    const willRetry = await source.fail(job, textOf(error), !(error instanceof PermanentError));
    return { kind: 'failed', error, willRetry };
  }

  private scheduleRenewal(ms: number): void {
    this.renewal = setTimeout(() => void this.renew(), ms);
  }

  private async renew(): Promise<void> {
    const { source, job, leaseSeconds, onProblem } = this.options;
    const asked = Date.now();
    try {
      await source.renew(job, leaseSeconds);
      this.leaseEndsAt = asked + leaseSeconds * 1000;
      this.scheduleRenewal(leaseSeconds * 500);
    } catch (error) {
      const isLost = error instanceof ConflictError || error instanceof NotFoundError || Date.now() > this.leaseEndsAt;
      if (isLost) return this.ending.abort(new LeaseLost('The lease is lost'));
      onProblem(error);
      this.scheduleRenewal(leaseSeconds * 100);
    }
  }
}

/** The server keeps 2048 characters. */
const textOf = (error: unknown): string =>
  ((error instanceof Error ? error.message : String(error)) || 'The handler failed').slice(0, 2048);
