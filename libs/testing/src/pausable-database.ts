import { isRunning, startPostgres } from '@spooled/local';
import { eventually } from './eventually.js';
import { createOwnDatabase } from './own-database.js';
import { childrenOf, trySignal } from './process-tree.js';
import { createServerFolder } from './server-folder.js';
import type { TestDatabase } from './test-database.js';

export interface PausableDatabase extends TestDatabase {
  /** Of its data and its log. */
  folder: string;
  /** Pauses every process of the server (SIGSTOP): connections stay open, the kernel accepts new ones, nothing responds. */
  pause(): void;
  resume(): void;
  /** Kills every process of the server (SIGKILL). */
  crash(): Promise<void>;
  /** Starts it again on the same port, unless it runs; it recovers from its log. */
  restart(): Promise<void>;
  crashAndRestart(): Promise<void>;
}

export interface PausableDatabaseOptions {
  /** Commits survive a crash, as in production; slower. Default false. */
  durable?: boolean;
  /** Further settings of the server. */
  settings?: Record<string, string | number>;
  /** A disk of its own of this size, in memory. Only as root. */
  diskMb?: number;
}

/** A migrated database on a separate server, so that its faults do not affect other specs. Linux only. Call `drop` in `afterAll`. */
export async function startPausableDatabase({
  durable = false,
  settings,
  diskMb,
}: PausableDatabaseOptions = {}): Promise<PausableDatabase> {
  const { folder, remove } = createServerFolder('spooled-pausable-', { diskMb });
  const start = () => startPostgres({ folder, password: 'postgres', durable, settings });
  let server = await start();
  const urls = await createOwnDatabase(server.url);
  const processes = () => [server.process.pid, ...childrenOf(server.process.pid)];
  const crash = async () => {
    const killed = processes();
    for (const pid of killed) trySignal(pid, 'SIGKILL');
    // The next server refuses to start while one of them exists.
    await eventually(() => expect(killed.filter((pid) => trySignal(pid, 0))).toEqual([]));
  };
  const restart = async () => {
    server = await start();
  };
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => processes().forEach((pid) => trySignal(pid, name));
  return {
    folder,
    ...urls,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    crash,
    restart,
    crashAndRestart: async () => {
      await crash();
      await restart();
    },
    drop: async () => {
      if (isRunning(server.process)) signal('SIGCONT');
      await server.stop();
      remove();
    },
  };
}
