import { isRefusal } from '../http/errors.js';
import type { WorkerClock } from '../worker/clock.js';
import type { Connection, EndedJob } from './connection.js';
import { JobTimeoutError } from './job-errors.js';

const shortestPauseMs = 50;
const longestPauseMs = 1_000;
/** As many as one request answers. */
const maxAsked = 100;

interface Waiting {
  resolve(job: EndedJob): void;
  reject(error: unknown): void;
}

const stopped = (id: string): Error => new Error(`The app has stopped before job ${id} has ended, which goes on`);

/** Waits for the ends of jobs; one question asks about all of them. */
export class JobWaits {
  private readonly waiting = new Map<string, Set<Waiting>>();
  private isAsking = false;
  /** Why the last question had no answer. */
  private failure: unknown;
  private pause = new AbortController();
  private isClosed = false;

  constructor(
    private readonly connection: Pick<Connection, 'ended'>,
    private readonly clock: WorkerClock,
  ) {}

  /** @throws JobTimeoutError; SpooledError when the question is refused; Error when the app stops meanwhile */
  async for(id: string, timeoutMs: number): Promise<EndedJob> {
    if (this.isClosed) throw stopped(id);
    const all = this.waiting.get(id) ?? new Set();
    this.waiting.set(id, all);
    let end: () => void = () => undefined;
    const ended = new Promise<EndedJob>((resolve, reject) => {
      const one = { resolve, reject };
      all.add(one);
      const timer = this.clock.after(timeoutMs, () => reject(new JobTimeoutError(id, timeoutMs, this.failure)));
      end = () => {
        timer.cancel();
        all.delete(one);
        if (all.size === 0 && this.waiting.get(id) === all) this.waiting.delete(id);
      };
    });
    void this.ask();
    try {
      return await ended;
    } finally {
      end();
    }
  }

  /** A job has ended in this process: asks at once if anybody waits for it. */
  ended(id: string): void {
    if (this.waiting.has(id)) this.pause.abort();
  }

  /** Ends all waits, which would keep the process alive. */
  close(): void {
    this.isClosed = true;
    for (const id of [...this.waiting.keys()]) this.settle(id, ({ reject }) => reject(stopped(id)));
    this.pause.abort();
  }

  /** Never rejects. */
  private async ask(): Promise<void> {
    this.pause.abort();
    if (this.isAsking) return;
    this.isAsking = true;
    for (let pauseMs = shortestPauseMs; this.waiting.size > 0; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      this.pause = new AbortController();
      const ids = [...this.waiting.keys()];
      for (let first = 0; first < ids.length; first += maxAsked) await this.askFor(ids.slice(first, first + maxAsked));
      if (this.pause.signal.aborted) pauseMs = shortestPauseMs;
      else if (this.waiting.size > 0) await this.clock.sleep(pauseMs, this.pause.signal);
    }
    this.isAsking = false;
  }

  private async askFor(ids: string[]): Promise<void> {
    try {
      for (const job of await this.connection.ended(ids)) this.settle(job.id, ({ resolve }) => resolve(job));
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
      // Jobs go on while the server is away: each wait lasts until its own time-out.
      if (!isRefusal(error)) return;
      for (const id of ids) this.settle(id, ({ reject }) => reject(error));
    }
  }

  private settle(id: string, end: (one: Waiting) => void): void {
    const all = this.waiting.get(id) ?? [];
    this.waiting.delete(id);
    for (const one of all) end(one);
  }
}
