import { execFile } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serviceNames } from './service-plan.js';

/** What Node has compiled of the services, for the starts of test stacks; below the root of the repository. */
export const compileCache = 'dist/testing/compile-cache';

/**
 * Compiles each service that was built since the last call. Services of test stacks are killed, and Node writes what it has compiled
 * when a process ends by itself. When each of them wrote it 10 s after its start, twenty waited for one folder: beside two busy loops
 * gateways were not ready after a minute.
 *
 * @throws Error with what a service says that cannot be loaded
 */
export async function compileServices(root: string): Promise<void> {
  const folder = join(root, compileCache);
  for (const name of serviceNames) {
    const script = join(root, 'dist/apps', name, 'main.js');
    const compiled = join(folder, name);
    if (modifiedMs(script) < modifiedMs(compiled)) continue;
    await promisify(execFile)(process.execPath, [script, '--settings'], {
      env: { ...process.env, NODE_COMPILE_CACHE: folder },
    });
    closeSync(openSync(compiled, 'w'));
  }
}

const modifiedMs = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
