import { isOfLostLease, isRefusal } from '../http/errors.js';
import { messageOf } from './thrown.js';
import type { WorkerClock } from './clock.js';
import { type Handler, JobCancelled, PermanentError } from './handlers.js';
import { LatestReport } from './latest-report.js';
import { logOf, type JobLog, RunLog } from './run-log.js';
import { RunSteps, type Steps } from './steps.js';
import type { LeasedJob, WorkSource } from './work-source.js';

export type RunOutcome =
  | { kind: 'completed'; result: unknown }
  | { kind: 'failed'; error: unknown; willRetry: boolean }
  /** The job was asked to end, and did. */
  | { kind: 'cancelled' }
  /** The job waits in a step and has no lease. */
  | { kind: 'waiting' }
  /** The lease was lost; another worker may run the job. */
  | { kind: 'lost' }
  /** The worker stopped and releases the job. */
  | { kind: 'abandoned' };

const noLog = logOf(() => undefined);
/** How long the outcome waits for the report of the last lines. */
const longestFlushMs = 1_000;
/** Between two reports of an outcome. */
const shortestPauseMs = 100;
const longestPauseMs = 1_000;

class LeaseLost extends Error {
  override name = 'LeaseLost';
}
class TimedOut extends Error {
  override name = 'TimedOut';
}
class Waiting extends Error {
  override name = 'Waiting';
}
class WorkerStopped extends Error {
  override name = 'WorkerStopped';
}

/** What the runs of a worker share. */
export interface RunContext {
  clock: WorkerClock;
  source: WorkSource;
  leaseSeconds: number;
  findHandler(job: LeasedJob): Handler;
  /** Called when a renewal fails that will be retried. */
  onError(error: unknown): void;
}

type End = { result: unknown } | { error: unknown };

/**
 * One attempt of one job: renews its lease while the handler runs, and reports the outcome. Most handlers are short and ask for no
 * signal: the signal is made when it is first read, and the timers when `startTimers` is called (with both made for each job, they took
 * a tenth of the time of a worker with empty handlers).
 */
export class JobRun {
  private readonly startedAt: number;
  private leaseEndsAt: number;
  private ending: AbortController | undefined;
  private abortReason: Error | undefined;
  private cancellation: JobCancelled | undefined;
  private endHandling: (end: End) => void = () => undefined;
  private hasTimers = false;
  /** The result that the handler has given to `completeIn`. */
  private inTransaction: { result: unknown } | undefined;
  private hasEnded = false;
  /** Nobody reports the outcome any more: the worker has stopped, or the lease is lost. */
  private isGivenUp = false;
  private endPause: () => void = () => undefined;
  private isSuspending = false;
  /** Settles when no wait is being begun; never once the job has left. */
  private waits: Promise<unknown> = Promise.resolve();
  /** The job waits, so that a later run goes on: the handler must not. */
  private hasLeft = false;
  private ownLog: RunLog | undefined;
  private ownProgress: LatestReport<[percent: number, message?: string]> | undefined;
  private ownSteps: Steps | undefined;
  private timeout: ReturnType<WorkerClock['after']> | undefined;
  private renewal: ReturnType<WorkerClock['after']> | undefined;
  /** Ends the run with its lease; runs from a renewal until one succeeds. */
  private expiry: ReturnType<WorkerClock['after']> | undefined;

  constructor(
    private readonly job: LeasedJob,
    private readonly context: RunContext,
  ) {
    this.startedAt = context.clock.monotonic();
    this.leaseEndsAt = this.startedAt + context.leaseSeconds * 1000;
  }

  /** Stops waiting for the handler; reports no outcome. */
  abandon(): void {
    this.giveUp(new WorkerStopped('The worker stopped'));
  }

  private giveUp(reason: Error): void {
    this.isGivenUp = true;
    this.endPause();
    this.abort(reason);
  }

  /** Aborts the signal. The handler decides how it ends: a result counts. */
  cancel(): void {
    if (this.cancellation) return;
    this.cancellation = new JobCancelled('The job was cancelled');
    this.ending?.abort(this.cancellation);
  }

  /** @throws SpooledError when the outcome could not be reported; the job is recovered when its lease expires */
  async run(): Promise<RunOutcome> {
    try {
      return await this.report(await this.handle());
    } catch (error) {
      if (isOfLostLease(error)) return this.lost;
      throw error;
    } finally {
      this.hasEnded = true;
      this.ownLog?.close();
      this.timeout?.cancel();
      this.renewal?.cancel();
      this.endExpiry();
    }
  }

  /** Starts the timers of the job's timeout and of its lease, unless they run or the run has ended. Both count from its start. */
  startTimers(): void {
    if (this.hasTimers || this.hasEnded) return;
    this.hasTimers = true;
    const elapsedMs = this.context.clock.monotonic() - this.startedAt;
    const { timeoutSeconds } = this.job;
    this.timeout = this.context.clock.after(timeoutSeconds * 1000 - reportMs(timeoutSeconds) - elapsedMs, () =>
      this.abort(new TimedOut(`The handler took longer than ${timeoutSeconds} s`)),
    );
    this.scheduleRenewal(this.context.leaseSeconds * 500 - elapsedMs);
  }

  private abort(reason: Error): void {
    if (this.abortReason) return;
    this.abortReason = reason;
    this.ending?.abort(reason);
    this.endHandling({ error: reason });
  }

  private get signal(): AbortSignal {
    if (!this.ending) {
      this.ending = new AbortController();
      const reason = this.cancellation ?? this.abortReason;
      if (reason) this.ending.abort(reason);
    }
    return this.ending.signal;
  }

  /** Resolves when the handler ends, or when the run is aborted. */
  private handle(): Promise<End> {
    return new Promise((resolve) => {
      this.endHandling = resolve;
      void this.callHandler().then(resolve);
    });
  }

  /** Never rejects. */
  private async callHandler(): Promise<End> {
    const { job, context } = this;
    const signal = () => this.signal;
    const steps = () => this.steps;
    const log = () => this.log;
    try {
      const handler = context.findHandler(job);
      const result: unknown = await handler(job, {
        get signal() {
          return signal();
        },
        get log() {
          return log();
        },
        get step() {
          return steps();
        },
        progress: (percent, message) => this.reportProgress(percent, message),
        completeIn: (tx, value) => this.completeIn(tx, value),
      });
      return { result };
    } catch (error) {
      return { error };
    }
  }

  /** A handler that does not wait for its reports must not delay what else the worker sends. */
  private reportProgress(percent: number, message?: string): Promise<void> {
    const { source, onError } = this.context;
    this.ownProgress ??= new LatestReport((report) =>
      source.progress(this.job, ...report).catch((error: unknown) => {
        // Of a lost lease the handler learns by its signal.
        if (!isOfLostLease(error)) onError(error);
        throw error;
      }),
    );
    const sent = this.ownProgress.report([percent, message]);
    // A handler that waits gets the error. Without this line, a handler that does not wait would end the process.
    sent.catch(() => undefined);
    return sent;
  }

  private get log(): JobLog {
    const { job, context } = this;
    const { clock, onError, source } = context;
    if (!source.logs || this.hasEnded) return noLog;
    this.ownLog ??= new RunLog({ job, store: source.logs, clock, onError });
    return this.ownLog.api;
  }

  /** Before the lease ends, under which lines are kept. A slow report must leave time for the outcome. */
  private async flushLog(): Promise<void> {
    if (!this.ownLog) return;
    const leftMs = this.startedAt + this.job.timeoutSeconds * 1000 - this.context.clock.monotonic();
    await this.ownLog.flush(Math.max(0, Math.min(longestFlushMs, leftMs / 2)));
  }

  private get steps(): Steps {
    this.ownSteps ??= new RunSteps({
      job: this.job,
      store: this.context.source.steps,
      requireRunning: () => this.requireRunning(),
      underLease: (request) => this.underLease(request),
      suspend: (begin) => this.suspend(begin),
    }).api;
    return this.ownSteps;
  }

  private async requireRunning(): Promise<void> {
    if (this.hasLeft) await new Promise<never>(() => undefined);
    if (this.abortReason) throw this.abortReason;
    // Its transaction has locked the row, and would wait for a request that waits for it.
    if (this.inTransaction) throw new Error('step: the handler has called completeIn, which must be its last act');
  }

  /** What is refused because a wait has begun beside it must not reach the handler. */
  private async underLease<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      await this.waits;
      await this.requireRunning();
      throw error;
    }
  }

  /** Waits of a handler take turns: the first one that begins ends the lease of the others. */
  private suspend(begin: () => Promise<boolean>): Promise<void> {
    const own = this.waits.then(() => this.beginWait(begin));
    this.waits = own.catch(() => undefined);
    return own;
  }

  /** A job that waits has no lease to renew. */
  private async beginWait(begin: () => Promise<boolean>): Promise<void> {
    await this.requireRunning();
    await this.flushLog();
    await this.requireRunning();
    this.isSuspending = true;
    this.renewal?.cancel();
    try {
      if (!(await begin())) this.leave(new Waiting('The job waits'));
    } catch (error) {
      if (!isOfLostLease(error)) throw error;
      // Perhaps it waits: the answer to an earlier request was lost.
      this.leave(new LeaseLost('The lease is lost'));
    } finally {
      this.isSuspending = false;
      if (this.hasTimers && !this.abortReason) this.scheduleRenewal(this.context.leaseSeconds * 100);
    }
    await this.requireRunning();
  }

  private leave(reason: Waiting | LeaseLost): void {
    this.hasLeft = true;
    this.abort(reason);
  }

  /** A renewal would wait for the transaction, which has locked the row. */
  private async completeIn<Result>(tx: unknown, result: Result): Promise<Result> {
    const { source } = this.context;
    if (!source.completeIn) throw new TypeError('completeIn: needs embedded mode, a connection to postgres://');
    const earlier = this.inTransaction;
    this.inTransaction = { result };
    this.renewal?.cancel();
    await this.flushLog();
    this.ownLog?.pause();
    try {
      await source.completeIn(this.job, tx, result);
      return result;
    } catch (error) {
      // An earlier transaction may have committed.
      this.inTransaction = earlier;
      if (!earlier) this.ownLog?.resume();
      if (this.hasTimers) this.scheduleRenewal(this.context.leaseSeconds * 100);
      throw error;
    }
  }

  private async report(end: End): Promise<RunOutcome> {
    const { job } = this;
    const { source, onError } = this.context;
    if (this.inTransaction) {
      if (await source.isCommitted!(job)) {
        if ('error' in end) onError(end.error);
        return { kind: 'completed', result: this.inTransaction.result };
      }
      if ('result' in end) end = { error: new Error('The transaction of completeIn was not committed') };
      this.ownLog?.resume();
    }
    if ('result' in end) {
      await this.flushLog();
      return this.complete(end.result);
    }
    const { error } = end;
    if (error instanceof LeaseLost) return this.lost;
    // A job that was asked to end is cancelled instead of waiting.
    if (error instanceof Waiting) return { kind: this.cancellation ? 'cancelled' : 'waiting' };
    await this.flushLog();
    if (error instanceof WorkerStopped) return { kind: 'abandoned' };
    return this.fail(error, !(error instanceof PermanentError));
  }

  /** A result that cannot be sent or is refused fails the attempt: handlers would run again only to return the same. */
  private async complete(result: unknown): Promise<RunOutcome> {
    const { job, context } = this;
    try {
      await this.untilAnswered(() => context.source.complete(job, result));
      return { kind: 'completed', result };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return this.fail(error, false);
    }
  }

  private async fail(error: unknown, retry: boolean): Promise<RunOutcome> {
    const text = textOf(error);
    const { willRetry, cancelled } = await this.untilAnswered(() => this.context.source.fail(this.job, text, retry));
    return cancelled ? { kind: 'cancelled' } : { kind: 'failed', error, willRetry };
  }

  /** While the server is away, for as long as the lease lasts: the job would run again if its outcome were lost. */
  private async untilAnswered<T>(report: () => Promise<T>): Promise<T> {
    const { clock } = this.context;
    for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await report();
      } catch (error) {
        const isInTime = clock.monotonic() + pauseMs < this.leaseEndsAt;
        if (this.isGivenUp || !isInTime || isRefusal(error) || isOfLostLease(error)) throw error;
      }
      await this.pause(pauseMs);
    }
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.context.clock.after(ms, resolve);
      this.endPause = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  /** The lease of a job whose cancellation was forced has ended. */
  private get lost(): RunOutcome {
    return { kind: this.cancellation ? 'cancelled' : 'lost' };
  }

  private scheduleRenewal(ms: number): void {
    if (this.inTransaction || this.isSuspending || this.hasEnded) return;
    // The answer to one that was sent before may come after another was scheduled.
    this.renewal?.cancel();
    this.renewal = this.context.clock.after(ms, () => void this.renew());
  }

  private async renew(): Promise<void> {
    const { job } = this;
    const { source, leaseSeconds, onError, clock } = this.context;
    const sentAt = clock.monotonic();
    // A network that swallows the request gives no error.
    if (sentAt < this.leaseEndsAt) this.expiry ??= clock.after(this.leaseEndsAt - sentAt, () => this.expire());
    try {
      const { cancelRequested } = await source.renew(job, leaseSeconds);
      if (cancelRequested) this.cancel();
      this.leaseEndsAt = sentAt + leaseSeconds * 1000;
      this.endExpiry();
      this.scheduleRenewal(leaseSeconds * 500);
    } catch (error) {
      // A wait that is being begun may have ended the lease.
      if (isOfLostLease(error)) await this.waits;
      if (isOfLostLease(error) || clock.monotonic() >= this.leaseEndsAt) {
        return this.giveUp(new LeaseLost('The lease is lost'));
      }
      onError(error);
      this.scheduleRenewal(leaseSeconds * 100);
    }
  }

  /** Another worker may run the job from now on, unless a transaction of the application has locked it. */
  private expire(): void {
    this.endExpiry();
    if (this.inTransaction || this.isSuspending) return;
    this.renewal?.cancel();
    this.giveUp(new LeaseLost('The lease has ended'));
  }

  private endExpiry(): void {
    this.expiry?.cancel();
    this.expiry = undefined;
  }
}

/** Time to report a timeout: at the job's own timeout the server ends the attempt itself, and the lease with it. */
const reportMs = (timeoutSeconds: number): number => Math.min(1_000, timeoutSeconds * 50);

/** The server stores 2048 characters, and counts a pair of surrogates as one. */
const textOf = (error: unknown): string => {
  const text = messageOf(error) || 'The handler failed';
  return text.length <= 2048 ? text : [...text.slice(0, 4096)].slice(0, 2048).join('');
};
