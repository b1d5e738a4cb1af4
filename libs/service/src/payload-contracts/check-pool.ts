import { FairQueue, SchemaProblem, SpooledError, unavailable } from '@spooled/domain';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Worker } from 'node:worker_threads';
import type { ThreadReply, ThreadResults, ThreadTask } from './thread-tasks.js';

/** Of one organization, most of at most 20 ms: about a second. */
const maxWaiting = 50;

/** Ten times what the largest payload needs. */
const maxOldGenerationSizeMb = 256;

/** In a bundle beside it; specs run sources, for which the test setup builds it. */
const threadFile = new URL(
  process.env.SPOOLED_VERSION === undefined ? '../../../../dist/testing/check-thread.js' : './check-thread.js',
  import.meta.url,
);

interface Waiting {
  task: ThreadTask;
  ended: AbortSignal | undefined;
  resolve: (reply: ThreadReply) => void;
  reject: (error: Error) => void;
}

/**
 * Checks payloads and reads schemas in another thread, organizations round robin, so that the event loop is free for other requests. The
 * thread starts with the first task. It has no time limit, because a task ends after a fixed number of steps.
 */
export class CheckPool implements OnApplicationShutdown {
  private readonly waiting = new FairQueue<Waiting>();
  private readonly waitingOf = new Map<string, number>();
  private running: Waiting | null = null;
  private thread: Worker | null = null;
  private closed = false;

  /**
   * @param ended a task that has not begun by then is dropped
   * @throws SpooledError 429 when the organization has too many waiting, 503 when the thread ends or `ended` is aborted; SchemaProblem
   */
  async run<Task extends ThreadTask>(
    organizationId: string,
    task: Task,
    ended?: AbortSignal,
  ): Promise<ThreadResults[Task['kind']]> {
    const own = this.waitingOf.get(organizationId) ?? 0;
    if (own >= maxWaiting) throw tooMany();
    this.waitingOf.set(organizationId, own + 1);
    const reply = await new Promise<ThreadReply>((resolve, reject) => {
      this.waiting.push(organizationId, { task, ended, resolve, reject });
      this.next();
    });
    if ('problem' in reply) throw new SchemaProblem(reply.problem.path, reply.problem.reason);
    return reply.result as ThreadResults[Task['kind']];
  }

  /** After the HTTP server has closed, which answers until then. */
  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    await this.thread?.terminate();
  }

  private next(): void {
    while (this.running === null && this.waiting.size > 0) {
      const next = this.take();
      if (this.closed || next.ended?.aborted) next.reject(unavailable('The check of payloads'));
      else this.start(next);
    }
  }

  private take(): Waiting {
    const organizationId = this.waiting.next!;
    const left = this.waitingOf.get(organizationId)! - 1;
    if (left > 0) this.waitingOf.set(organizationId, left);
    else this.waitingOf.delete(organizationId);
    return this.waiting.take()!;
  }

  private start(next: Waiting): void {
    this.running = next;
    this.thread ??= this.open();
    this.thread.postMessage(next.task);
  }

  private open(): Worker {
    const thread = new Worker(threadFile, { resourceLimits: { maxOldGenerationSizeMb } });
    thread.unref();
    let failure: unknown;
    thread.on('message', (reply: ThreadReply) => this.finish(({ resolve }) => resolve(reply)));
    thread.on('error', (error) => (failure = error));
    // The next task starts another one.
    thread.on('exit', () => {
      this.thread = null;
      this.finish(({ reject }) => reject(unavailable('The check of payloads', 1, failure)));
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
