import { readdirSync, readFileSync } from 'node:fs';
import { statOf } from '@spooled/local';

/** Ticks per second of /proc/<pid>/stat: 100 on every Linux that Node supports. */
const ticksPerSecond = 100;

interface Times {
  parent: number;
  /** CPU seconds, user and system. */
  own: number;
  /** CPU seconds of ended children. */
  ended: number;
}

/** CPU seconds of the process so far; null without /proc or if the process does not exist. */
export const cpuSecondsOf = (pid: number): number | null => timesOf(pid)?.own ?? null;

/** CPU seconds of a process and all its children, including ended ones: PostgreSQL forks a backend for each connection. */
export function cpuSecondsWithChildren(pid: number): number | null {
  const root = timesOf(pid);
  if (!root) return null;
  const children = processes().flatMap((other) => {
    const stat = timesOf(other);
    return stat?.parent === pid ? stat.own : [];
  });
  return root.own + root.ended + children.reduce((sum, seconds) => sum + seconds, 0);
}

/** Resident memory in MB; null without /proc or if the process does not exist. */
export const residentMbOf = (pid: number): number | null => megabytesIn(`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB/m);

/** Proportional set size in MB: a page shared by n processes counts as 1/n. Only for processes of the same user. */
export const proportionalMemoryMbOf = (pid: number): number | null =>
  megabytesIn(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB/m);

function megabytesIn(file: string, line: RegExp): number | null {
  try {
    const [, kilobytes] = line.exec(readFileSync(file, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) / 1_024;
  } catch {
    return null;
  }
}

function timesOf(pid: number): Times | null {
  const fields = statOf(pid)?.map(Number);
  if (!fields) return null;
  const seconds = (...at: number[]): number => at.reduce((sum, i) => sum + (fields[i] ?? 0), 0) / ticksPerSecond;
  return { parent: fields[1] ?? 0, own: seconds(11, 12), ended: seconds(13, 14) };
}

function processes(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  } catch {
    return [];
  }
}
