import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { FixtureSettings } from './engine.fixture.js';

const root = resolve(import.meta.dirname, '../../../..');
const run = promisify(execFile);

/** The bundled engine fixture; built once per spec file. */
export class EngineBundle {
  private readonly folder = resolve(root, `dist/spec/redelivery-${process.pid}`);

  /** In a separate process: the bundler's native module rejects objects from the test runner's VM context. */
  async build(): Promise<void> {
    const config = resolve(root, 'rolldown.config.mjs');
    const script = `
      import { build } from 'rolldown';
      import { bundleOptions } from ${JSON.stringify(config)};
      await build({
        ...bundleOptions,
        input: ${JSON.stringify(resolve(import.meta.dirname, 'engine.fixture.ts'))},
        output: { dir: ${JSON.stringify(this.folder)}, format: 'esm', entryFileNames: 'main.js' },
      });`;
    await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: root });
  }

  /** A process that loads its modules, and reads no command before `listen`. */
  launch(settings: FixtureSettings): EngineProcess {
    const child = spawn(process.execPath, [`${this.folder}/main.js`], {
      env: {
        PATH: process.env.PATH,
        FIXTURE: JSON.stringify(settings),
        // A file of specs starts about forty of them.
        NODE_COMPILE_CACHE: `${this.folder}/compile-cache`,
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    return new EngineProcess(child);
  }

  async start(settings: FixtureSettings): Promise<EngineProcess> {
    const engine = this.launch(settings);
    await engine.listen();
    return engine;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** A running engine fixture, to be stopped, resumed and killed. */
export class EngineProcess {
  private readonly exited: Promise<unknown>;
  private readonly messages: unknown[] = [];
  private readonly waiting = new Map<string, () => void>();

  constructor(private readonly child: ChildProcess) {
    this.exited = once(child, 'exit');
    child.on('message', (message) => {
      this.messages.push(message);
      this.waiting.get(String(message))?.();
    });
  }

  /** Resolves when the engine has sent this message. */
  received(message: 'loaded' | 'ready' | 'held'): Promise<void> {
    if (this.messages.includes(message)) return Promise.resolve();
    return new Promise((found) => this.waiting.set(message, found));
  }

  /** Resolves when it reads commands. */
  async listen(): Promise<void> {
    await this.received('loaded');
    this.child.send('listen');
    await this.received('ready');
  }

  /** Releases held commands; a stopped process receives the message after SIGCONT. */
  continue(): void {
    // It may be about to exit.
    if (this.child.connected) this.child.send('continue', () => undefined);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Resolves when it has run what it has read, and exited. */
  async end(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGCONT');
      this.continue();
      this.child.kill('SIGTERM');
      const deadline = setTimeout(() => this.child.kill('SIGKILL'), 20_000);
      await this.exited;
      clearTimeout(deadline);
    }
  }
}
