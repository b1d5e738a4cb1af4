import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process id with its start time: ids are reused, the pair is not. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** The fields of /proc/<pid>/stat from the third on; null without /proc, or if there is no such process. */
export function statOf(pid: number): string[] | null {
  try {
    // The name in field 2 may contain spaces and brackets, so fields are counted from its closing bracket.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return null;
  }
}

/** The start time of a process as an opaque text for comparison; null if there is no such process. */
export function startTimeOf(pid: number): string | null {
  if (existsSync('/proc/self/stat')) {
    const fields = statOf(pid);
    return fields?.[0] === 'Z' ? null : (fields?.[19] ?? null);
  }
  const shown = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim();
  return shown || null;
}

export function identify(pid: number): ProcessIdentity | null {
  const startedAt = startTimeOf(pid);
  return startedAt === null ? null : { pid, startedAt };
}

export const isRunning = ({ pid, startedAt }: ProcessIdentity): boolean => startTimeOf(pid) === startedAt;

/**
 * Sends `signal`, waits up to `graceMs`, then sends SIGKILL. Resolves when the process has exited.
 * Works for any process that may be signalled, not only for children.
 */
export async function stopProcess(target: ProcessIdentity, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  for (const [step, limit] of [
    [signal, graceMs],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!isRunning(target)) return;
    trySignal(target.pid, step);
    for (const end = Date.now() + limit; Date.now() < end && isRunning(target);) await sleep(20);
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It exited between the check and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
