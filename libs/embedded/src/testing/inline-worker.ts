import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { systemClock } from '@spooled/clock';
import { type LeasedJob, Worker, type WorkerOptions } from '@spooled/sdk';
import { handlerOf, JobRun } from '@spooled/sdk/internal';
import type { EmbeddedSource } from '../embedded-source.js';

/** Runs jobs only when it is told to, in the calling test. */
export class InlineWorker extends Worker {
  private leaseSeconds = 30;

  constructor(
    private readonly inlineSource: EmbeddedSource,
    private readonly plan: WorkerOptions,
  ) {
    super(inlineSource, plan);
  }

  override async start(): Promise<void> {
    const { leaseSeconds = this.leaseSeconds, concurrency = 5, queues } = this.plan;
    this.leaseSeconds = leaseSeconds;
    await this.inlineSource.open({
      queueName: Object.keys(queues)[0]!,
      hostname: hostname(),
      workerId: `test-${randomUUID()}`,
      maxConcurrency: concurrency,
    });
  }

  override async stop(): Promise<void> {
    if (this.id !== '') await this.inlineSource.close();
  }

  /** Claims and runs jobs of each queue, at most as many as its concurrency. @returns how many */
  async runSome(): Promise<number> {
    const { queues, concurrency = 5 } = this.plan;
    let ran = 0;
    for (const queue of Object.keys(queues)) {
      const jobs = await this.inlineSource.claim(queue, concurrency, this.leaseSeconds);
      await Promise.all(jobs.map((job) => this.runOne(job)));
      ran += jobs.length;
    }
    return ran;
  }

  private async runOne(job: LeasedJob): Promise<void> {
    const onError = (error: unknown) => void this.emit('error', error);
    const run = new JobRun(job, {
      clock: systemClock,
      source: this.inlineSource,
      leaseSeconds: this.leaseSeconds,
      findHandler: (found) => handlerOf(this.plan.queues[found.queueName]!, found),
      onError,
    });
    run.startTimers();
    const outcome = await run.run();
    if (outcome.kind === 'completed') this.emit('completed', job, outcome.result);
    else if (outcome.kind === 'failed') this.emit('failed', job, outcome.error, outcome.willRetry);
    else if (outcome.kind === 'cancelled') this.emit('cancelled', job);
    else if (outcome.kind === 'waiting') this.emit('waiting', job);
    else this.emit('leaseLost', job);
  }
}
