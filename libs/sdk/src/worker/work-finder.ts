import { setTimeout as sleep } from 'node:timers/promises';
import type { LeasedJob, WorkSource } from './work-source.js';

export interface WorkFinderOptions {
  source: WorkSource;
  queueNames: string[];
  leaseSeconds: number;
  /** Ms between two looks where the source cannot wait for work itself. */
  pollIntervalMs: number;
  /** Ends the search. */
  signal: AbortSignal;
  /** Hands that hold no job. */
  freeHands(): number;
  /** Resolves when a hand has come free, or the search must end. */
  handFreed(): Promise<unknown>;
  take(job: LeasedJob): void;
  onProblem(error: unknown): void;
}

const longestPauseMs = 15_000;
/** While claims of several queues wait, each keeps a hand from the other queues: not for long. */
const sharedWaitSeconds = 5;

/** Looks for jobs as there are hands free: by claims that wait, or again and again. */
export class WorkFinder {
  /** Claims that wait, by queue, with the hands that are kept for what they may bring. */
  private readonly waits = new Map<string, { hands: number; done: Promise<void> }>();
  private freed: Promise<unknown> | undefined;
  private failures = 0;
  private taken = 0;

  constructor(private readonly options: WorkFinderOptions) {}

  /** Resolves when the search has ended and no claim is under way any more. */
  async run(): Promise<void> {
    const { queueNames, signal } = this.options;
    for (let round = 0; !signal.aborted; round++) {
      if (this.free === 0) await Promise.race([this.handFreed(), ...this.waitsDone]);
      else if (queueNames.length === 1 && this.canWait) await this.rest();
      else if ((await this.lookAround(round)) === 0) await this.rest();
    }
    await Promise.all(this.waitsDone);
  }

  /** Asks each queue once, another one first each time. @returns how many jobs came */
  private async lookAround(round: number): Promise<number> {
    const { queueNames: names, signal } = this.options;
    const before = this.taken;
    for (let index = 0; index < names.length && this.free > 0 && !signal.aborted; index++) {
      await this.claim(names[(round + index) % names.length]!, this.free);
    }
    return this.taken - before;
  }

  /** Until there is work, or it is time to look. A server that answers sooner than it was asked to is not asked at once again. */
  private async rest(): Promise<void> {
    const { signal } = this.options;
    const [before, started] = [this.taken, Date.now()];
    if (this.canWait) await this.awaitWork();
    const pauseMs = this.pauseMs - (Date.now() - started);
    if (this.taken === before && pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }

  /** Lets a claim wait in each queue; resolves with the first that ends. */
  private async awaitWork(): Promise<void> {
    const { queueNames, source } = this.options;
    const isAlone = queueNames.length === 1;
    const seconds = isAlone ? source.maxWaitSeconds : Math.min(sharedWaitSeconds, source.maxWaitSeconds);
    for (const name of queueNames) {
      if (!this.waits.has(name)) this.beginWait(name, isAlone ? this.free : 1, seconds);
    }
    await Promise.race(this.waitsDone);
  }

  private beginWait(queueName: string, hands: number, seconds: number): void {
    const done = this.claim(queueName, hands, seconds).then(() => void this.waits.delete(queueName));
    this.waits.set(queueName, { hands, done });
  }

  /** Never rejects. */
  private async claim(queueName: string, limit: number, seconds = 0): Promise<void> {
    const { source, leaseSeconds, signal, take, onProblem } = this.options;
    try {
      const wait = seconds > 0 ? { seconds, signal } : undefined;
      const jobs = await source.claim(queueName, Math.min(limit, 100), leaseSeconds, wait);
      this.failures = 0;
      this.taken += jobs.length;
      for (const job of jobs) take(job);
    } catch (error) {
      if (signal.aborted && error === signal.reason) return;
      this.failures++;
      onProblem(error);
    }
  }

  /** Asked for once at a time, however often the search goes round meanwhile. */
  private handFreed(): Promise<unknown> {
    this.freed ??= this.options.handFreed().then(() => (this.freed = undefined));
    return this.freed;
  }

  private get waitsDone(): Promise<void>[] {
    return [...this.waits.values()].map(({ done }) => done);
  }

  /** Hands that neither hold a job nor are kept for one. */
  private get free(): number {
    return [...this.waits.values()].reduce((free, { hands }) => free - hands, this.options.freeHands());
  }

  /** Whether there is a hand for each queue that nobody waits for yet. */
  private get canWait(): boolean {
    const { source, queueNames } = this.options;
    return source.maxWaitSeconds > 0 && this.failures === 0 && queueNames.length - this.waits.size <= this.free;
  }

  /** Longer after failures, so that a server that comes back is not run over. */
  private get pauseMs(): number {
    const { pollIntervalMs } = this.options;
    return Math.min(pollIntervalMs * 2 ** Math.min(this.failures, 10), Math.max(longestPauseMs, pollIntervalMs));
  }
}
