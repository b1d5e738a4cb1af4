import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Does `work`, and prints what was checked and how long it took. @throws Error that names the check */
export async function check(what, work) {
  const since = Date.now();
  try {
    const result = await work();
    console.log(`✓ ${what} (${((Date.now() - since) / 1000).toFixed(1)} s)`);
    return result;
  } catch (error) {
    throw new Error(`✗ ${what}: ${error.message}`, { cause: error });
  }
}

/** Runs a program and returns what it prints. @throws Error with the end of its messages */
export function run(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    ...options,
  });
  if (status !== 0) {
    const why = (error?.message ?? (stderr || `exit code ${status}`)).trim().slice(-1500);
    throw new Error(`${program} ${args.slice(0, 2).join(' ')}: ${why}`);
  }
  return stdout.trim();
}

/** @throws Error if `isSo` stays false for `seconds` */
export async function until(isSo, seconds = 30) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(100)) if (await isSo()) return;
  throw new Error(`not within ${seconds} s`);
}
