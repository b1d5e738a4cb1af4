import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import type { Machine } from '../report.js';

export function describeMachine(): Machine {
  const all = cpus();
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryMb: Math.round(totalmem() / 1_048_576),
    os: `${type()} ${release()}`,
    node: process.version,
    loadAverage: loadavg().map((load) => Number(load.toFixed(2))),
  };
}

/** Short commit hash, with `+` if files are modified; `unknown` outside of a repository. */
export function describeCommit(root: string): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--untracked-files=no') ? '+' : '');
  } catch {
    return 'unknown';
  }
}
