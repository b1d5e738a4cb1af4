import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compileCache } from '@spooled/local';
import { root } from './declared-settings.js';

const builder = join(root, 'libs/testing/src/build-program.mjs');
const compiled = join(root, compileCache);

/**
 * A program that a spec starts again and again, for example to kill it. It is bundled once: with the loader of specs each process would
 * compile all of its modules, which took 0.5 to 2 s. A program that is killed calls `flushCompileCache` when it is loaded.
 */
export class SpecProgram {
  private readonly file: string;

  /** @param module its path in the repository */
  constructor(private readonly module: string) {
    this.file = join(root, 'dist/testing', `${basename(module, '.ts')}-${process.pid}.mjs`);
  }

  /** In a process of its own. @throws Error with what the bundler says */
  build(): void {
    const { status, stderr } = spawnSync(process.execPath, [builder, join(root, this.module), this.file], {
      cwd: root,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  }

  /** A process with a channel to this one; of its environment it has the path alone. */
  start(env: NodeJS.ProcessEnv = {}, args: string[] = []): ChildProcess {
    const { PATH } = process.env;
    return fork(this.file, args, { env: { PATH, NODE_COMPILE_CACHE: compiled, ...env }, execArgv: [] });
  }

  remove(): void {
    rmSync(this.file, { force: true });
  }
}
