import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, isRunning, startRedis as launchRedis, stopProcess } from '@spooled/local';

export interface TestRedis {
  url: string;
  port: number;
  /** Orderly end, as in a planned restart. Also removes nothing, so that `start` finds kept data. */
  stop(): Promise<void>;
  /** SIGKILL: connections break without a word. */
  kill(): Promise<void>;
  /** Again on the same port. */
  start(): Promise<void>;
  /** Stops for good and removes the files. Call it in `afterAll`. */
  close(): Promise<void>;
}

/**
 * A redis-server of the caller's own. With `persistent` it keeps an append-only file, so data survive `stop` and `start`.
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
