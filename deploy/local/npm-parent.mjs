import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';

/** npm does not pass every signal on, and none when it is killed: its end is noticed this soon. */
const lookEveryMs = 500;

/**
 * Watches npm when it started this script, and the shell that it put in between. Taken as early as possible: later
 * they may be gone already.
 *
 * @returns {{ onEnd(listener: () => void): void } | null} null when the script was started directly
 */
export function npmParent(script = process.argv[1] ?? '') {
  if (!process.env.npm_lifecycle_script?.includes(basename(script))) return null;
  const chain = ancestorsUpToNpm(basename(script));
  return {
    onEnd(listener) {
      const timer = setInterval(() => {
        if (isWhole(chain)) return;
        clearInterval(timer);
        listener();
      }, lookEveryMs);
      timer.unref();
    },
  };
}

/** This process, its parent and so on: shells and launchers name the script in their arguments, npm does not. */
function ancestorsUpToNpm(script) {
  const chain = [process.pid, process.ppid];
  while (argumentsOf(chain.at(-1)).includes(script)) chain.push(parentOf(chain.at(-1)));
  return chain;
}

/** A process whose parent ended gets another one. */
const isWhole = (chain) => chain.slice(1).every((parent, index) => parentOf(chain[index]) === parent);

function parentOf(pid) {
  if (pid === process.pid) return process.ppid;
  // The name in field 2 may hold spaces and brackets, so fields are counted from its closing bracket.
  if (process.platform === 'linux')
    return Number(
      readProc(pid, 'stat')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  return Number(ps('ppid=', pid));
}

function argumentsOf(pid) {
  return process.platform === 'linux' ? readProc(pid, 'cmdline').replaceAll('\0', ' ') : ps('args=', pid);
}

function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process ended.
    return '';
  }
}

const ps = (column, pid) => spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
