import { setTimeout as sleep } from 'node:timers/promises';
import type { Window } from '../measure/window.js';
import type { Endpoint } from './closed-loop.js';
import { HttpConnection } from './http-connection.js';

/** Timer tolerance: a request sent within this after its due time is measured from the send. */
const timerMs = 2;
/** Further requests wait for a free connection; the wait is part of their latency. */
const maxConnections = 512;

/**
 * Starts operations at fixed times, whether or not earlier ones have finished, until the window closes; then waits for them.
 *
 * @param send - one operation; must not reject. Its latency is measured from `dueAt` (ms of `performance.now()`), even if it was
 *   sent later
 */
export async function openLoop(
  { baseUrl, apiKey }: Endpoint,
  window: Window,
  ratePerSecond: number,
  send: (connection: HttpConnection, dueAt: number) => Promise<void>,
): Promise<void> {
  const connections = new ConnectionPool(() => new HttpConnection(baseUrl, apiKey));
  const inFlight = new Set<Promise<void>>();
  const everyMs = 1_000 / ratePerSecond;
  let dueAt = performance.now();
  while (!window.over) {
    const now = performance.now();
    for (; dueAt <= now; dueAt += everyMs) {
      const startsAt = now - dueAt < timerMs ? now : dueAt;
      const operation = connections.use((connection) => send(connection, startsAt));
      inFlight.add(operation);
      void operation.then(() => inFlight.delete(operation));
    }
    await sleep(Math.max(0, dueAt - performance.now()), undefined, { signal: window.signal }).catch(() => undefined);
  }
  await Promise.all(inFlight);
  await connections.close();
}

/**
 * Health checks in a row of their own: what a request waits for the event loop of this process.
 * @returns the longest, in ms
 */
export async function probeLoop(
  window: Window,
  row: string,
  { baseUrl, path, perSecond }: { baseUrl: string; path: string; perSecond: number },
): Promise<number> {
  let longest = 0;
  await openLoop({ baseUrl, apiKey: '' }, window, perSecond, async (connection, dueAt) => {
    const response = await connection.get(path).catch((error: Error) => error);
    if (response instanceof Error) return window.fail(response.message, row);
    if (window.isOpen) longest = Math.max(longest, performance.now() - dueAt);
    window.count(dueAt, 1, row);
  });
  return longest;
}

/** Opens connections as needed, up to `maxConnections`. */
class ConnectionPool {
  private readonly all: HttpConnection[] = [];
  private readonly idle: HttpConnection[] = [];
  private readonly waiting: ((connection: HttpConnection) => void)[] = [];

  constructor(private readonly create: () => HttpConnection) {}

  async use(work: (connection: HttpConnection) => Promise<void>): Promise<void> {
    const connection =
      this.idle.pop() ?? this.open() ?? (await new Promise<HttpConnection>((resolve) => this.waiting.push(resolve)));
    await work(connection);
    const next = this.waiting.shift();
    if (next) next(connection);
    else this.idle.push(connection);
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((connection) => connection.close()));
  }

  private open(): HttpConnection | undefined {
    if (this.all.length >= maxConnections) return undefined;
    const connection = this.create();
    this.all.push(connection);
    return connection;
  }
}
