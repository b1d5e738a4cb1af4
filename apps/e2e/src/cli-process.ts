import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
// Commands run in this process: a start of the program costs 0.3 s of CPU.
// oxlint-disable-next-line @nx/enforce-module-boundaries
import { Interrupted } from '@spooled/cli/errors';
// oxlint-disable-next-line @nx/enforce-module-boundaries
import { run } from '@spooled/cli/run';

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** What both ways to run the command line have of the environment. */
function environment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, ...more };
}

/** The built command line as a child process, as users run it: for promises about the process. A start costs 0.3 s of CPU. */
export class CliProcess {
  stdout = '';
  stderr = '';
  readonly child: ChildProcessWithoutNullStreams;
  private readonly closed: Promise<[number | null, NodeJS.Signals | null]>;

  /** @param output file that standard output is written to, in place of `stdout` */
  constructor(args: string[], env: NodeJS.ProcessEnv, output?: number) {
    this.child = spawn(process.execPath, [join('dist/cli/spooled.js'), ...args], {
      env: environment(env),
      stdio: ['pipe', output ?? 'pipe', 'pipe'],
    }) as ChildProcessWithoutNullStreams;
    this.closed = once(this.child, 'close') as CliProcess['closed'];
    if (output !== undefined) closeSync(output);
    else this.child.stdout.on('data', (chunk: Buffer) => (this.stdout += chunk.toString('utf8')));
    this.child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString('utf8')));
    // A program that ends without reading its input closes the pipe.
    this.child.stdin.on('error', () => undefined);
  }

  async result(): Promise<CliResult & { signal: NodeJS.Signals | null }> {
    const [code, signal] = await this.closed;
    return { code, signal, stdout: this.stdout, stderr: this.stderr };
  }
}

/** A command of the command line in this process, with streams in place of those of a terminal. */
export class CliRun {
  stdout = '';
  stderr = '';
  readonly streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  private readonly interruption = new AbortController();
  private readonly ended: ReturnType<typeof run>;

  constructor(args: string[], env: NodeJS.ProcessEnv) {
    const { stdout, stderr } = this.streams;
    stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = run(args, { ...this.streams, env: environment(env), signal: this.interruption.signal });
  }

  /** What Ctrl-C does. */
  interrupt(): void {
    this.interruption.abort(new Interrupted('SIGINT'));
  }

  async result(): Promise<CliResult> {
    const { code } = await this.ended;
    const { stdout, stderr } = this.streams;
    await Promise.all([stdout, stderr].map((stream) => once(stream.end(), 'end')));
    return { code, stdout: this.stdout, stderr: this.stderr };
  }
}

/** Runs commands against one server with one key; `input` is all of standard input. */
export const cliFor =
  (env: NodeJS.ProcessEnv, Runner: typeof CliRun | typeof CliProcess = CliRun) =>
  (
    args: string[],
    { input = '', more = {} }: { input?: string; more?: NodeJS.ProcessEnv } = {},
  ): Promise<CliResult> => {
    const started = new Runner(args, { ...env, ...more });
    const { stdin } = started instanceof CliProcess ? started.child : started.streams;
    stdin.end(input);
    return started.result();
  };
