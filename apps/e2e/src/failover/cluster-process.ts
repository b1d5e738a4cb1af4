import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface ProcessOptions {
  /** For its log and process id; exists. */
  folder: string;
  /** Without a path it is looked for on the PATH, and where Debian has servers. */
  program: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** Default: that of this process. */
  account?: { uid?: number; gid?: number };
}

/** A server of a cluster that is started, killed and started again. Its process id is in the folder, so that `createServerFolder` ends it. */
export class ClusterProcess {
  private child: ChildProcess | undefined;

  constructor(
    private readonly name: string,
    private readonly options: ProcessOptions,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  start(): void {
    const { folder, program, args, env = {}, account = {} } = this.options;
    const log = openSync(this.logFile, 'a');
    const child = spawn(program, args, {
      ...account,
      cwd: folder,
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, ...env },
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.once('error', () => undefined);
    child.unref();
    writeFileSync(join(folder, `${this.name}.pid`), `${child.pid}\n`);
    this.child = child;
  }

  /** Sends the signal and resolves when it has ended; at once if it does not run. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  lastLines(): string {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
  }

  private get logFile(): string {
    return join(this.options.folder, `${this.name}.log`);
  }
}
