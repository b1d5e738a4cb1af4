import { readdirSync, readFileSync } from 'node:fs';

/** False if there is no such process. */
export function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Each backend of PostgreSQL leads its own process group, so a signal to the server's group does not reach it. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === parent);
}

function parentOf(pid: number): number | undefined {
  try {
    // The name in field 2 may contain spaces and parentheses, so fields are counted after its closing parenthesis.
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  } catch {
    return undefined;
  }
}
