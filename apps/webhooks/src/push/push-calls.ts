import { systemClock } from '@spooled/clock';
import type { ProductMetrics } from '@spooled/contracts';
import { type Clock, type PushTarget, SpooledError } from '@spooled/domain';
import { currentTraceparent, withLogContext, withSpan, type AppLogger, type Metrics } from '@spooled/platform';
import { Displacement } from '../callback/call-capacity.js';
import type { CallbackClient } from '../callback/callback-client.js';
import { isCallbackError, reasonOf } from '../callback/callback-error.js';
import type { Reachability } from './receiver-circuits.js';
import { outcomeOf, type PushOutcome } from './push-outcome.js';
import { pushRequest } from './push-request.js';
import type { HeldJob, PushWork } from './push-work.js';

/**
 * Outcome of a call; `released`: aborted by shutdown; `displaced`: aborted for one of another organization; `lost`: the lease was lost
 * before the result was recorded.
 */
type CallOutcome = 'completed' | 'retried' | 'deadlettered' | 'cancelled' | 'released' | 'displaced' | 'lost';

/** Jobs are checked when they are created; a later change of the queue's settings may leave one without a receiver. */
const noReceiver: PushOutcome = {
  kind: 'fail',
  error: 'No callback URL: neither the job nor its queue has one',
  retry: false,
};

/** The receiver was disconnected, because the job was asked to end. */
const cancelled: PushOutcome = { kind: 'fail', error: 'The call was ended: the job was cancelled', retry: false };

/** Bytes of a response kept as the job's result. */
const maxResultBytes = 64 * 1024;
/** Delay between attempts to record an outcome while PostgreSQL is unavailable. */
const recordRetryMs = 1_000;

/** Of the lease, of the job, and of the call. */
interface EndingSignals {
  lost: AbortSignal;
  cancel: AbortSignal;
  abort: AbortSignal;
}

/** Processes a job with one HTTP call (MQ-10): renews its lease during the call and ends the job with the response. */
export class PushCalls {
  constructor(
    private readonly work: PushWork,
    private readonly client: CallbackClient,
    private readonly metrics: Pick<Metrics<ProductMetrics>, 'pushCalls'>,
    private readonly logger: AppLogger,
    private readonly clock: Clock = systemClock,
  ) {}

  /**
   * Resolves with the receiver's reachability after the job has ended. Never rejects.
   * @param abort of the call; its job is released without costing an attempt
   */
  async run(held: HeldJob, target: PushTarget, abort: AbortSignal): Promise<Reachability> {
    const { organizationId, job } = held;
    const attributes = { 'spooled.job_id': job.id, 'spooled.queue': job.queueName };
    return withLogContext({ organizationId, jobId: job.id }, () =>
      withSpan('push call', { kind: 'client', parent: job.traceparent, attributes }, async (span) => {
        const { outcome, reached } = await this.callAndEnd(held, target, abort);
        span.setAttribute('spooled.push.outcome', outcome);
        this.metrics.pushCalls.inc({ outcome });
        return reached;
      }),
    );
  }

  private async callAndEnd(
    held: HeldJob,
    target: PushTarget,
    abort: AbortSignal,
  ): Promise<{ outcome: CallOutcome; reached: Reachability }> {
    let reached: Reachability = 'unknown';
    const [lost, cancel] = [new AbortController(), new AbortController()];
    const renew = () => void this.renew(held, lost, cancel);
    const renewals = this.clock.every((this.work.leaseSeconds * 1000) / 3, renew);
    try {
      const outcome = await this.call(held, target, [lost.signal, cancel.signal, abort]);
      if (outcome) reached = outcome.kind === 'fail' && outcome.unreachable ? 'unreachable' : 'answered';
      const ended = await this.end(held, outcome, { lost: lost.signal, cancel: cancel.signal, abort });
      return { outcome: ended === 'released' && isDisplaced(abort) ? 'displaced' : ended, reached };
    } catch (err) {
      this.logger.warn(
        { err, queue: held.job.queueName },
        'failed to record the outcome of a pushed job; its lease will expire',
      );
      return { outcome: 'lost', reached };
    } finally {
      renewals.cancel();
    }
  }

  /** Null: the call was aborted, so the outcome is unknown. */
  private async call({ job }: HeldJob, target: PushTarget, signals: AbortSignal[]): Promise<PushOutcome | null> {
    const stop = AbortSignal.any(signals);
    try {
      if (stop.aborted) return null;
      if (target.url === null) return noReceiver;
      const request = pushRequest(job, target, this.clock.now(), currentTraceparent());
      const timeoutMs = (target.timeoutSeconds ?? job.timeoutSeconds) * 1000;
      const limits = { signal: stop, timeoutMs, maxBodyBytes: maxResultBytes };
      const response = await this.client.post(target.url, { ...request, ...limits });
      return outcomeOf(response, this.clock.now());
    } catch (error) {
      if (stop.aborted) return null;
      // A violation of our rules (a forbidden address, too many redirects) does not mean that the receiver is down.
      return { kind: 'fail', error: reasonOf(error), retry: true, unreachable: !isCallbackError(error) };
    }
  }

  private async end(held: HeldJob, outcome: PushOutcome | null, signals: EndingSignals): Promise<CallOutcome> {
    if (signals.lost.aborted) return 'lost';
    if (outcome === null && signals.cancel.aborted)
      return this.retryUntilLost(signals, () => this.record(held, cancelled));
    return this.retryUntilLost(signals, () => (outcome === null ? this.release(held) : this.record(held, outcome)));
  }

  private async release({ organizationId, job }: HeldJob): Promise<CallOutcome> {
    await this.work.release(organizationId, [job], { delivered: true });
    return 'released';
  }

  private async record(held: HeldJob, outcome: PushOutcome): Promise<CallOutcome> {
    if (outcome.kind === 'complete') {
      await this.work.complete(held, outcome.result);
      return 'completed';
    }
    const { willRetry, cancelled: isCancelled } = await this.work.fail(held, outcome);
    if (isCancelled) return 'cancelled';
    const fields = { queue: held.job.queueName, attempt: held.job.retryCount + 1, error: outcome.error, willRetry };
    this.logger.info(fields, 'pushed job failed');
    return willRetry ? 'retried' : 'deadlettered';
  }

  /** As long as the lease is held: the receiver has processed the job, or must not cost it an attempt. Not during shutdown. */
  private async retryUntilLost(
    { lost, abort }: EndingSignals,
    record: () => Promise<CallOutcome>,
  ): Promise<CallOutcome> {
    for (;;) {
      try {
        return await record();
      } catch (error) {
        if (isRefusal(error)) return 'lost';
        if (lost.aborted || (abort.aborted && !isDisplaced(abort))) throw error;
        await this.clock.sleep(recordRetryMs);
      }
    }
  }

  /** Other failures are retried with the next renewal. */
  private async renew(held: HeldJob, lost: AbortController, cancel: AbortController): Promise<void> {
    try {
      const { cancelRequested } = await this.work.renew(held);
      if (cancelRequested) cancel.abort();
    } catch (error) {
      if (isRefusal(error)) lost.abort();
    }
  }
}

const isDisplaced = (abort: AbortSignal): boolean => abort.reason instanceof Displacement;

/** The lease is lost, as opposed to a temporary failure. */
const isRefusal = (error: unknown): boolean => error instanceof SpooledError && error.status < 500;
