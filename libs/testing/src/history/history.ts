import type { Action, Call } from './call.js';

/** How a call ended: `ok` with the members that its answer adds to the action. */
export type Ending<A extends Action> =
  | { outcome: 'ok'; answer?: A extends { answer?: infer T } ? T : undefined }
  | { outcome: 'refused' | 'unknown' };

/** Records calls of concurrent callers, in the order in which they began and ended. */
export class History {
  readonly calls: Call[] = [];
  private events = 0;
  private earliest: number;
  private latest: number;

  /** @param movedMs how far the database's clock is ahead of this process's */
  constructor(movedMs: number) {
    this.earliest = this.latest = movedMs;
  }

  /** Runs a call and records it. `run` never rejects. */
  async record<A extends Action>(tenant: string, action: A, run: () => Promise<Ending<A>>): Promise<Ending<A>> {
    const began = this.events++;
    const from = Date.now() + this.earliest;
    const ending = await run();
    const times = { tenant, began, ended: this.events++, from, to: Date.now() + this.latest };
    this.calls.push({ ...action, ...ending, ...times } as Call);
    return ending;
  }

  /** The time of the database, unless it is being moved. */
  now(): number {
    return Date.now() + this.earliest;
  }

  /** Tells that the database's clock moves while `move` runs: calls beside it may see either time. */
  async moveClock(ms: number, move: () => Promise<void>): Promise<void> {
    this.latest += ms;
    await move();
    this.earliest += ms;
  }
}
