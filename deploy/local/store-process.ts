import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './processes.js';
import type { StoreServer } from './store-server.js';

/** A PostgreSQL or Redis started by the launcher. */
export type RunningStore = Pick<StoreServer, 'process' | 'stop'>;

export interface StoreWatcher {
  /** The server exited without being stopped, or could not be started; the next attempt follows. */
  crashed(how: string, nextTryMs: number): void;
  restarted(): void;
  /** No further attempt follows. */
  lost(how: string): void;
}

/** Half a minute of delays in total; PostgreSQL's own recovery comes on top. */
const defaultPolicy = {
  lookEveryMs: 250,
  firstBackoffMs: 500,
  /** In a row; the delay doubles with each. */
  attempts: 6,
  /** After this long a crash counts as the first one again. */
  settledAfterMs: 60_000,
};

/** A running PostgreSQL or Redis that is watched, restarted when it exits, and stopped. */
export class StoreProcess {
  private readonly stopping = new AbortController();
  private readonly watching: Promise<void>;

  /** @param restart - starts it again with the same data on the same port */
  constructor(
    private server: RunningStore,
    private readonly restart: () => Promise<RunningStore>,
    private readonly watcher: StoreWatcher,
    private readonly policy = defaultPolicy,
  ) {
    this.watching = this.watch().catch((error: Error) => {
      if (!this.stopping.signal.aborted) watcher.lost(error.message);
    });
  }

  /** Stops the server, even while it is being restarted. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.watching;
    await this.server.stop();
  }

  private async watch(): Promise<void> {
    let attempt = 0;
    for (;;) {
      const upSince = Date.now();
      // Not the child's exit event: a server that was taken over is not a child of this process.
      while (isRunning(this.server.process)) await this.wait(this.policy.lookEveryMs);
      if (Date.now() - upSince > this.policy.settledAfterMs) attempt = 0;
      attempt = await this.startAgain(attempt);
    }
  }

  /** @returns the number of attempts so far, including `attempt` @throws Error when no attempts are left */
  private async startAgain(attempt: number): Promise<number> {
    for (let how = 'exited'; ; attempt++) {
      if (attempt >= this.policy.attempts) throw new Error(how);
      const waitMs = this.policy.firstBackoffMs * 2 ** attempt;
      this.watcher.crashed(how, waitMs);
      await this.wait(waitMs);
      try {
        this.server = await this.restart();
        this.watcher.restarted();
        return attempt + 1;
      } catch (error) {
        how = error instanceof Error ? error.message : String(error);
      }
    }
  }

  private async wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.stopping.signal });
  }
}
