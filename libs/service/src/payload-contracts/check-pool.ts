import { FairQueue, type PayloadCheck, SpooledError, unavailable } from '@spooled/domain';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Worker } from 'node:worker_threads';
import type { ThreadCheck } from './check-thread.js';

/** Of one organization, each of at most 20 ms: about a second. */
const maxWaiting = 50;

/** Ten times what the largest payload needs. */
const maxOldGenerationSizeMb = 256;

/** In a bundle beside it; specs run sources, for which the test setup builds it. */
const threadFile = new URL(
  process.env.SPOOLED_VERSION === undefined ? '../../../../dist/testing/check-thread.js' : './check-thread.js',
  import.meta.url,
);

interface Waiting {
  check: ThreadCheck;
  disconnected: AbortSignal | undefined;
  resolve: (result: PayloadCheck) => void;
  reject: (error: Error) => void;
}

/**
 * Checks payloads in another thread, organizations round robin, so that the event loop is free for other requests. The thread starts with
 * the first check. It has no time limit, because a check ends after a fixed number of steps.
 */
export class CheckPool implements OnApplicationShutdown {
  private readonly waiting = new FairQueue<Waiting>();
  private readonly waitingOf = new Map<string, number>();
  private running: Waiting | null = null;
  private thread: Worker | null = null;
  private closed = false;

  /**
   * @param disconnected a check that has not begun by then is dropped
   * @throws SpooledError 429 when the organization has too many waiting, 503 when the thread ends or `disconnected` is aborted
   */
  run(organizationId: string, check: ThreadCheck, disconnected?: AbortSignal): Promise<PayloadCheck> {
    const own = this.waitingOf.get(organizationId) ?? 0;
    if (own >= maxWaiting) return Promise.reject(tooMany());
    this.waitingOf.set(organizationId, own + 1);
    return new Promise((resolve, reject) => {
      this.waiting.push(organizationId, { check, disconnected, resolve, reject });
      this.next();
    });
  }

  /** After the HTTP server has closed, which answers until then. */
  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    await this.thread?.terminate();
  }

  private next(): void {
    while (this.running === null && this.waiting.size > 0) {
      const task = this.take();
      if (this.closed || task.disconnected?.aborted) task.reject(unavailable('The check of payloads'));
      else this.start(task);
    }
  }

  private take(): Waiting {
    const organizationId = this.waiting.next!;
    const left = this.waitingOf.get(organizationId)! - 1;
    if (left > 0) this.waitingOf.set(organizationId, left);
    else this.waitingOf.delete(organizationId);
    return this.waiting.take()!;
  }

  private start(task: Waiting): void {
    this.running = task;
    this.thread ??= this.open();
    this.thread.postMessage(task.check);
  }

  private open(): Worker {
    const thread = new Worker(threadFile, { resourceLimits: { maxOldGenerationSizeMb } });
    thread.unref();
    let failure: unknown;
    thread.on('message', (result: PayloadCheck) => this.finish((task) => task.resolve(result)));
    thread.on('error', (error) => (failure = error));
    // The next check starts another one.
    thread.on('exit', () => {
      this.thread = null;
      this.finish((task) => task.reject(unavailable('The check of payloads', 1, failure)));
    });
    return thread;
  }

  private finish(settle: (task: Waiting) => void): void {
    const { running } = this;
    this.running = null;
    if (running) settle(running);
    this.next();
  }
}

const tooMany = (): SpooledError =>
  new SpooledError('RATE_LIMIT_EXCEEDED', 'Too many payloads that take long to check; try again in 1 s', {
    retryAfterSeconds: 1,
    extras: { error: 'rate_limit_exceeded', retry_after_secs: 1 },
  });
