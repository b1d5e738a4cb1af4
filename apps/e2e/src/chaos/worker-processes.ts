import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { SpecProgram } from '@spooled/testing';
import type { Report } from './messages.js';
import type { WorkerProcessOptions } from './worker-process.js';

/** Of each of these processes; built before the first one starts. */
export const workerProgram = new SpecProgram('apps/e2e/src/chaos/worker-process.ts');

/** Processes with workers, which can be killed and paused. */
export class WorkerProcesses {
  private readonly running: ChildProcess[];
  private starts = 0;

  constructor(
    count: number,
    private readonly options: Omit<WorkerProcessOptions, 'name'>,
    private readonly report: (report: Report) => void,
  ) {
    this.running = Array.from({ length: count }, () => this.start());
  }

  signal(index: number, signal: NodeJS.Signals): void {
    this.running[index]!.kill(signal);
  }

  /** SIGKILL. */
  async kill(index: number): Promise<void> {
    const child = this.running[index]!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Starts another process in its place. */
  replace(index: number): void {
    this.running[index] = this.start();
  }

  /** Lets them end their jobs; those that do not are killed. */
  async stop(): Promise<void> {
    await Promise.all(
      this.running.map(async (child, index) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const timer = setTimeout(() => void this.kill(index), 10_000);
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
        clearTimeout(timer);
      }),
    );
  }

  private start(): ChildProcess {
    const options: WorkerProcessOptions = { ...this.options, name: `worker-${this.starts++}` };
    const child = workerProgram.start({}, [JSON.stringify(options)]);
    child.on('message', (report) => this.report(report as Report));
    return child;
  }
}
