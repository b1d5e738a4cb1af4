import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';

export const coreCount = cpus().length;

/**
 * Lets a process, with all its threads, run on these cores only. Linux.
 * @param cores - such as `0` or `0-3`
 * @throws Error when the program `taskset` is missing or refuses
 */
export function pinProcess(pid: number, cores: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], { stdio: 'ignore' });
}

export const allCores = `0-${coreCount - 1}`;
