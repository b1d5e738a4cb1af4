import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';

/** npm does not forward every signal, and none when it is killed; its end is detected within this time. */
const lookEveryMs = 500;

/**
 * Watches the npm that started this script, and the shell in between. Call it as early as possible: later they may have
 * exited.
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

/** A process whose parent has exited gets another parent. */
const isWhole = (chain) => chain.slice(1).every((parent, index) => parentOf(chain[index]) === parent);

function parentOf(pid) {
  if (pid === process.pid) return process.ppid;
  // The name in field 2 may contain spaces and brackets, so fields are counted from its closing bracket.
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
    // The process has exited.
    return '';
  }
}

const ps = (column, pid) => spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
