import { setTimeout as sleep } from 'node:timers/promises';
import type { Window } from '../measure/window.js';
import type { Protocol } from './closed-loop.js';
import { HttpConnection } from './http-connection.js';

/** How late a timer may be: a send within this after its due time counts as on time, and its time runs from the send. */
const timerMs = 2;
/** More would be a backlog of thousands of requests; those that come later wait for a connection, and their times run. */
const maxConnections = 512;

/**
 * Starts an operation at fixed times whether or not earlier ones have ended, until the window closes; then waits for them.
 *
 * @param fire - one operation; `dueAt` (ms of `performance.now()`) is where its time begins, also when it could only be sent later.
 *   It must not reject
 */
export async function openLoop(
  { baseUrl, apiKey }: Protocol,
  window: Window,
  ratePerSecond: number,
  fire: (lane: HttpConnection, dueAt: number) => Promise<void>,
): Promise<void> {
  const lanes = new LanePool(() => new HttpConnection(baseUrl, apiKey));
  const underWay = new Set<Promise<void>>();
  const everyMs = 1_000 / ratePerSecond;
  let dueAt = performance.now();
  while (!window.over) {
    for (let now = performance.now(); dueAt <= now; dueAt += everyMs) {
      const startsAt = now - dueAt < timerMs ? now : dueAt;
      const one = lanes.use((lane) => fire(lane, startsAt));
      underWay.add(one);
      void one.then(() => underWay.delete(one));
    }
    await sleep(Math.max(0, dueAt - performance.now()), undefined, { signal: window.signal }).catch(() => undefined);
  }
  await Promise.all(underWay);
  await lanes.close();
}

/** Connections as many as are needed at once. */
class LanePool {
  private readonly all: HttpConnection[] = [];
  private readonly idle: HttpConnection[] = [];
  private readonly waiting: ((lane: HttpConnection) => void)[] = [];

  constructor(private readonly make: () => HttpConnection) {}

  async use(work: (lane: HttpConnection) => Promise<void>): Promise<void> {
    const lane =
      this.idle.pop() ?? this.another() ?? (await new Promise<HttpConnection>((got) => this.waiting.push(got)));
    await work(lane);
    const next = this.waiting.shift();
    if (next) next(lane);
    else this.idle.push(lane);
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((lane) => lane.close()));
  }

  private another(): HttpConnection | undefined {
    if (this.all.length >= maxConnections) return undefined;
    const lane = this.make();
    this.all.push(lane);
    return lane;
  }
}
