import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, isRunning, startRedis as launchRedis, stopProcess } from '@spooled/local';

export interface TestRedis {
  url: string;
  port: number;
  /** Clean shutdown, as in a planned restart. Keeps persistent data for `start`. */
  stop(): Promise<void>;
  /** SIGKILL: connections break. */
  kill(): Promise<void>;
  /** Starts again on the same port. */
  start(): Promise<void>;
  /** Stops and removes the files. Call it in `afterAll`. */
  close(): Promise<void>;
}

/**
 * Starts a separate redis-server. With `persistent` it has an append-only file, so data survive `stop` and `start`.
 */
export async function startRedis({ persistent = false } = {}): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'spooled-test-redis-'));
  const port = await freePort();
  let server = await launchRedis({ folder, port, persistent });
  const killOnExit = () => void (isRunning(server.process) && process.kill(server.process.pid, 'SIGKILL'));
  process.once('exit', killOnExit);
  return {
    url: server.url,
    port,
    stop: () => server.stop(),
    kill: () => stopProcess(server.process, 'SIGKILL', 0),
    start: async () => {
      server = await launchRedis({ folder, port, persistent });
    },
    close: async () => {
      process.removeListener('exit', killOnExit);
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
