import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessIdentity, stopProcess } from './processes.js';

/** A PostgreSQL or Redis on 127.0.0.1. */
export interface StoreServer {
  process: ProcessIdentity;
  /** Of PostgreSQL that of the superuser, with the database `postgres`. */
  url: string;
  port: number;
  /** True when the server of an earlier launcher was taken over. */
  adopted: boolean;
  /** Open connections are closed, data is safe. */
  stop(): Promise<void>;
}

/** @param how - the signal that stops it, and the time until SIGKILL */
export function storeServer(
  server: Omit<StoreServer, 'stop'>,
  how: { signal: NodeJS.Signals; graceMs: number },
): StoreServer {
  return { ...server, stop: () => stopProcess(server.process, how.signal, how.graceMs) };
}

/**
 * Resolves when a server that was started answers.
 * @param isReady - false: not yet
 * @throws Error with the end of its log when it ends, `isReady` throws, or the time is over
 */
export async function untilReady(
  child: ChildProcess,
  { name, logFile, withinMs }: { name: string; logFile: string; withinMs: number },
  isReady: () => Promise<boolean>,
): Promise<void> {
  let failure: unknown;
  child.once('error', (error) => (failure = error));
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(20)) {
    if (child.exitCode !== null || child.signalCode !== null || failure) break;
    try {
      if (await isReady()) return;
    } catch (error) {
      failure = error;
    }
  }
  child.kill('SIGINT');
  const ending = existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n') : '';
  throw new Error(`${name} did not start (${failure ?? 'see its log'}). End of ${logFile}:\n${ending}`);
}
