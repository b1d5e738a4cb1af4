import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { join } from 'node:path';

export interface CliResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** The built command line as a child process, as users run it. */
export class CliProcess {
  stdout = '';
  stderr = '';
  readonly child: ChildProcessWithoutNullStreams;
  private readonly closed: Promise<[number | null, NodeJS.Signals | null]>;

  /** @param output file that standard output is written to, in place of `stdout` */
  constructor(args: string[], env: NodeJS.ProcessEnv, output?: number) {
    const { PATH, HOME } = process.env;
    this.child = spawn(process.execPath, [join('dist/cli/spooled.js'), ...args], {
      env: { PATH, HOME, ...env },
      stdio: ['pipe', output ?? 'pipe', 'pipe'],
    }) as ChildProcessWithoutNullStreams;
    this.closed = once(this.child, 'close') as CliProcess['closed'];
    if (output !== undefined) closeSync(output);
    else this.child.stdout.on('data', (chunk: Buffer) => (this.stdout += chunk.toString('utf8')));
    this.child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString('utf8')));
    // A program that ends without reading its input closes the pipe.
    this.child.stdin.on('error', () => undefined);
  }

  async result(): Promise<CliResult> {
    const [code, signal] = await this.closed;
    return { code, signal, stdout: this.stdout, stderr: this.stderr };
  }
}

/** Runs commands against one server with one key; `input` is all of standard input. */
export const cliFor =
  (env: NodeJS.ProcessEnv) =>
  (
    args: string[],
    { input = '', more = {} }: { input?: string; more?: NodeJS.ProcessEnv } = {},
  ): Promise<CliResult> => {
    const started = new CliProcess(args, { ...env, ...more });
    started.child.stdin.end(input);
    return started.result();
  };
