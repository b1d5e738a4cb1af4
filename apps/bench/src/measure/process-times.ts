import { readdirSync, readFileSync } from 'node:fs';

/** Ticks a second of /proc/<pid>/stat: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

interface Stat {
  parent: number;
  /** CPU seconds, user and system. */
  own: number;
  /** The same of ended children that were waited for. */
  ended: number;
}

/** CPU seconds of the process so far; null where there is no /proc or no such process. */
export function cpuSecondsOf(pid: number): number | null {
  return statOf(pid)?.own ?? null;
}

/** CPU seconds of a process and all its children, the ended ones included: PostgreSQL forks a backend for each connection. */
export function cpuSecondsOfFamily(pid: number): number | null {
  const head = statOf(pid);
  if (!head) return null;
  const children = processes().flatMap((other) => {
    const stat = statOf(other);
    return stat?.parent === pid ? stat.own : [];
  });
  return head.own + head.ended + children.reduce((sum, seconds) => sum + seconds, 0);
}

/** Resident memory in MB; null where there is no /proc or no such process. */
export const residentMbOf = (pid: number): number | null => megabytesIn(`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB/m);

/** The same, but of a page that n processes share (Node's own code) an nth; only of processes of our own user. */
export const shareOfMemoryMbOf = (pid: number): number | null =>
  megabytesIn(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB/m);

function megabytesIn(file: string, line: RegExp): number | null {
  try {
    const [, kilobytes] = line.exec(readFileSync(file, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) / 1_024;
  } catch {
    return null;
  }
}

function statOf(pid: number): Stat | null {
  try {
    // The name in field 2 may hold spaces and brackets, so fields are counted from its closing bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const seconds = (...at: number[]): number => at.reduce((sum, i) => sum + (fields[i] ?? 0), 0) / ticksPerSecond;
    return { parent: fields[1] ?? 0, own: seconds(11, 12), ended: seconds(13, 14) };
  } catch {
    return null;
  }
}

function processes(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  } catch {
    return [];
  }
}
