import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProductMetrics } from '@spooled/contracts';
import { SpooledError, type PushTarget } from '@spooled/domain';
import { currentTraceparent, withLogContext, withSpan, type AppLogger, type Metrics } from '@spooled/platform';
import type { CallbackClient } from '../callback/callback-client.js';
import { isCallbackError, reasonOf } from '../callback/callback-error.js';
import type { Reached } from './receiver-circuits.js';
import { outcomeOf, type PushOutcome } from './push-outcome.js';
import { pushRequest } from './push-request.js';
import type { HeldJob, PushWork } from './push-work.js';

/** What became of a call; `lost`: the lease went before the job could be ended, and somebody else has it or will. */
type Ending = 'completed' | 'retried' | 'deadlettered' | 'released' | 'lost';

/** Bytes of an answer that are kept as the job's result. */
const keptBytes = 64 * 1024;
/** Between attempts to record an ending while PostgreSQL or the way to it is away. */
const patienceMs = 1_000;

/** One job, done by one HTTP call (MQ-10): kept alive while it runs, and ended by its answer. */
export class PushCalls {
  private readonly interruption = new AbortController();

  constructor(
    private readonly work: PushWork,
    private readonly client: CallbackClient,
    private readonly metrics: Pick<Metrics<ProductMetrics>, 'pushCalls'>,
    private readonly logger: AppLogger,
  ) {
    setMaxListeners(0, this.interruption.signal);
  }

  /** Ends all calls under way; their jobs go back without costing an attempt. */
  interrupt(): void {
    this.interruption.abort(new Error('This process is stopping'));
  }

  /** Tells what became of the receiver, once the job is ended. Never rejects. */
  async run(held: HeldJob, target: PushTarget): Promise<Reached> {
    const { organizationId, job } = held;
    const attributes = { 'spooled.job_id': job.id, 'spooled.queue': job.queueName };
    return withLogContext({ organizationId, jobId: job.id }, () =>
      withSpan('push call', { kind: 'client', parent: job.traceparent, attributes }, async (span) => {
        const { ending, reached } = await this.callAndEnd(held, target);
        span.setAttribute('spooled.push.outcome', ending);
        this.metrics.pushCalls.inc({ outcome: ending });
        return reached;
      }),
    );
  }

  private async callAndEnd(held: HeldJob, target: PushTarget): Promise<{ ending: Ending; reached: Reached }> {
    let reached: Reached = 'unknown';
    const lost = new AbortController();
    const renewals = setInterval(() => void this.renew(held, lost), (this.work.leaseSeconds * 1000) / 3);
    try {
      const outcome = await this.call(held, target, lost.signal);
      if (outcome) reached = outcome.kind === 'fail' && outcome.unreachable ? 'unreachable' : 'answered';
      return { ending: await this.end(held, outcome, lost.signal), reached };
    } catch (err) {
      this.logger.warn({ err, queue: held.job.queueName }, 'a pushed job could not be ended; its lease runs out');
      return { ending: 'lost', reached };
    } finally {
      clearInterval(renewals);
    }
  }

  /** Null: the call was cut off, so nothing is known about the job. */
  private async call({ job }: HeldJob, target: PushTarget, lost: AbortSignal): Promise<PushOutcome | null> {
    const stop = new AbortController();
    const onAbort = () => stop.abort();
    for (const signal of [lost, this.interruption.signal]) signal.addEventListener('abort', onAbort, { once: true });
    try {
      if (this.interruption.signal.aborted) return null;
      const request = pushRequest(job, target, Date.now(), currentTraceparent());
      const limitMs = (target.timeoutSeconds ?? job.timeoutSeconds) * 1000;
      return outcomeOf(await this.client.post(target.url, { ...request, signal: stop.signal, limitMs, keptBytes }));
    } catch (error) {
      if (stop.signal.aborted) return null;
      // An error of ours (a forbidden address, too many redirects) does not mean that the receiver is away.
      return { kind: 'fail', error: reasonOf(error), retry: true, unreachable: !isCallbackError(error) };
    } finally {
      this.interruption.signal.removeEventListener('abort', onAbort);
    }
  }

  private async end(held: HeldJob, outcome: PushOutcome | null, lost: AbortSignal): Promise<Ending> {
    if (lost.aborted) return 'lost';
    if (outcome === null) {
      await this.work.release(held.organizationId, [held.job]);
      return 'released';
    }
    return this.insist(lost, () => this.record(held, outcome));
  }

  private async record(held: HeldJob, outcome: PushOutcome): Promise<Ending> {
    if (outcome.kind === 'complete') {
      await this.work.complete(held, outcome.result);
      return 'completed';
    }
    const { willRetry } = await this.work.fail(held, outcome.error, outcome.retry);
    const fields = { queue: held.job.queueName, attempt: held.job.retryCount + 1, error: outcome.error, willRetry };
    this.logger.info(fields, 'a pushed job failed');
    return willRetry ? 'retried' : 'deadlettered';
  }

  /** The receiver has done its part: an ending is not given up as long as the job is ours. */
  private async insist(lost: AbortSignal, record: () => Promise<Ending>): Promise<Ending> {
    for (;;) {
      try {
        return await record();
      } catch (error) {
        if (isRefusal(error)) return 'lost';
        if (lost.aborted || this.interruption.signal.aborted) throw error;
        await sleep(patienceMs);
      }
    }
  }

  /** What fails for other reasons than a refusal is tried again with the next renewal. */
  private async renew(held: HeldJob, lost: AbortController): Promise<void> {
    try {
      await this.work.renew(held);
    } catch (error) {
      if (isRefusal(error)) lost.abort();
    }
  }
}

/** Not ours any more, as opposed to nobody being there to say. */
const isRefusal = (error: unknown): boolean => error instanceof SpooledError && error.status < 500;
