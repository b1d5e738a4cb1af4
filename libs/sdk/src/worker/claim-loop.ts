import type { WorkerClock } from './clock.js';
import type { LeasedJob, WorkSource } from './work-source.js';

export interface ClaimLoopOptions {
  clock: WorkerClock;
  source: WorkSource;
  queueNames: string[];
  leaseSeconds: number;
  /** Milliseconds between two claims if the source has no waiting claims. */
  pollIntervalMs: number;
  /** Ends the loop. */
  signal: AbortSignal;
  /** Number of jobs that can be started. */
  freeSlots(): number;
  /** Resolves when a slot becomes free or the loop must end. */
  slotFreed(): Promise<unknown>;
  start(job: LeasedJob): void;
  onError(error: unknown): void;
}

const maxPauseMs = 15_000;
const maxClaim = 100;
/** With several queues each waiting claim reserves a slot that the others cannot use, so the wait is short. */
const sharedWaitSeconds = 5;

/** Claims jobs for the free slots of a worker, with waiting claims if the source supports them, otherwise by polling. */
export class ClaimLoop {
  /** Waiting claims by queue, with the slots that are reserved for their jobs. */
  private readonly waits = new Map<string, { slots: number; done: Promise<void> }>();
  private slotFreedPromise: Promise<unknown> | undefined;
  private failures = 0;
  private claimed = 0;

  constructor(private readonly options: ClaimLoopOptions) {}

  /** Resolves when the loop has ended and no claim is in flight. */
  async run(): Promise<void> {
    const { queueNames, signal } = this.options;
    for (let round = 0; !signal.aborted; round++) {
      if (this.unreservedSlots === 0) await Promise.race([this.nextFreeSlot(), ...this.waitsDone]);
      else if (queueNames.length === 1 && this.canWait) await this.waitForJobs();
      else if ((await this.claimFromAll(round)) === 0) await this.waitForJobs();
    }
    await Promise.all(this.waitsDone);
  }

  /** Claims from each queue once, starting with another queue each round. @returns the number of claimed jobs */
  private async claimFromAll(round: number): Promise<number> {
    const { queueNames: names, signal } = this.options;
    const before = this.claimed;
    for (let index = 0; index < names.length && this.unreservedSlots > 0 && !signal.aborted; index++) {
      await this.claim(names[(round + index) % names.length]!, this.unreservedSlots);
    }
    return this.claimed - before;
  }

  /** Waits until jobs were claimed or the next poll is due. Also limits the rate of claims if the server does not wait as requested. */
  private async waitForJobs(): Promise<void> {
    const { signal, clock } = this.options;
    const [before, started] = [this.claimed, clock.monotonic()];
    if (this.canWait) await this.runWaitingClaims();
    const pauseMs = this.pauseMs - (clock.monotonic() - started);
    if (this.claimed === before && pauseMs > 0) await clock.sleep(pauseMs, signal);
  }

  /** Runs a waiting claim per queue; resolves when the first one ends. */
  private async runWaitingClaims(): Promise<void> {
    const { queueNames, source } = this.options;
    const isAlone = queueNames.length === 1;
    const seconds = isAlone ? source.maxWaitSeconds : Math.min(sharedWaitSeconds, source.maxWaitSeconds);
    for (const name of queueNames) {
      if (!this.waits.has(name)) this.startWait(name, isAlone ? this.unreservedSlots : 1, seconds);
    }
    await Promise.race(this.waitsDone);
  }

  private startWait(queueName: string, slots: number, seconds: number): void {
    const done = this.claim(queueName, slots, seconds).then(() => void this.waits.delete(queueName));
    this.waits.set(queueName, { slots, done });
  }

  /** Never rejects. */
  private async claim(queueName: string, limit: number, seconds = 0): Promise<void> {
    const { source, leaseSeconds, signal, start, onError } = this.options;
    try {
      const wait = { seconds, signal };
      const jobs = await source.claim(queueName, Math.min(limit, source.maxClaim ?? maxClaim), leaseSeconds, wait);
      this.failures = 0;
      this.claimed += jobs.length;
      for (const job of jobs) start(job);
    } catch (error) {
      if (signal.aborted && error === signal.reason) return;
      this.failures++;
      onError(error);
    }
  }

  /** Shared by all rounds, so that there is one listener at a time. */
  private nextFreeSlot(): Promise<unknown> {
    this.slotFreedPromise ??= this.options.slotFreed().then(() => (this.slotFreedPromise = undefined));
    return this.slotFreedPromise;
  }

  private get waitsDone(): Promise<void>[] {
    return [...this.waits.values()].map(({ done }) => done);
  }

  /** Free slots that no waiting claim has reserved. */
  private get unreservedSlots(): number {
    return [...this.waits.values()].reduce((free, { slots }) => free - slots, this.options.freeSlots());
  }

  /** Whether there is a slot for each queue without a waiting claim. */
  private get canWait(): boolean {
    const { source, queueNames } = this.options;
    return (
      source.maxWaitSeconds > 0 && this.failures === 0 && queueNames.length - this.waits.size <= this.unreservedSlots
    );
  }

  /** Doubles after each failure, to protect a server that recovers. */
  private get pauseMs(): number {
    const { pollIntervalMs } = this.options;
    return Math.min(pollIntervalMs * 2 ** Math.min(this.failures, 10), Math.max(maxPauseMs, pollIntervalMs));
  }
}
