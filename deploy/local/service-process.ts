import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isRunning, type ProcessIdentity, stopProcess } from './processes.js';

export interface ServiceSpec {
  /** Unique among the services of one supervisor, such as `gateway` or `engine-2`. */
  name: string;
  /** Built entry, relative to `cwd`. */
  script: string;
  /** Flags of Node, before the script. */
  nodeFlags?: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Answers 200 as soon as the service can work. */
  readyUrl: string;
  /** Receives the service's output directly; without it each line goes to `ServiceWatcher.line`. */
  logFile?: string;
}

export interface ServiceWatcher {
  /** Each line of the service's output, without the line break. */
  line(name: string, line: string): void;
  /** Called whenever the process of the service changes. */
  changed(): void;
  /** The service exited without being stopped. */
  crashed(name: string, how: string, nextTryMs: number | null): void;
}

const readyWithinMs = 60_000;
const firstBackoffMs = 500;
const longestBackoffMs = 30_000;
/** After this long a crash counts as the first one again. */
const settledAfterMs = 60_000;

/** One service as a child process: started, watched, restarted after a crash, stopped. */
export class ServiceProcess {
  private child: ChildProcess | null = null;
  private wanted = false;
  private wasReady = false;
  private startedAtMs = 0;
  private crashes = 0;

  constructor(
    readonly spec: ServiceSpec,
    private readonly watcher: ServiceWatcher,
    private readonly restartCrashed: boolean,
  ) {}

  get identity(): ProcessIdentity | null {
    return this.child?.pid === undefined || this.hasEnded() ? null : identify(this.child.pid);
  }

  /** Resolves when the service is ready. @throws Error when it ends before that, or is not ready within a minute */
  async start(): Promise<void> {
    this.wanted = true;
    this.wasReady = false;
    const child = this.spawn();
    let missing: string | null = null;
    for (const end = Date.now() + readyWithinMs; Date.now() < end; await sleep(50)) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`${this.spec.name} ended before it was ready (${howItEnded(child)})`);
      }
      if (!this.wanted) throw new Error(`${this.spec.name} was stopped before it was ready`);
      missing = await missingOf(this.spec.readyUrl);
      if (missing === null) {
        this.wasReady = true;
        return;
      }
    }
    throw new Error(
      `${this.spec.name} was not ready within ${readyWithinMs / 1000} s (${this.spec.readyUrl}: ${missing}): read its log.`,
    );
  }

  /** SIGTERM, then SIGKILL after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.wanted = false;
    const running = this.identity;
    if (running) await stopProcess(running, 'SIGTERM', graceMs);
  }

  /** Sends a signal and waits for the process to exit; it is not restarted. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    this.wanted = false;
    const { child } = this;
    if (!child || this.hasEnded()) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  private spawn(): ChildProcess {
    const { name, script, nodeFlags = [], cwd, env, logFile } = this.spec;
    const log = logFile === undefined ? null : openSync(logFile, 'a', 0o600);
    const preload = new URL(`file://${cwd}/deploy/local/exit-with-parent.mjs`).href;
    // A process group of its own: Ctrl-C reaches only the launcher, which then stops the services in order.
    const child = spawn(process.execPath, [...nodeFlags, '--import', preload, script], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', log ?? 'pipe', log ?? 'pipe', 'ipc'],
    });
    if (log !== null) closeSync(log);
    this.child = child;
    this.startedAtMs = Date.now();
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.watcher.line(name, line));
    }
    child.once('error', (error) => this.watcher.line(name, `could not start: ${error.message}`));
    child.once('exit', () => this.onExit(child));
    this.watcher.changed();
    return child;
  }

  private onExit(child: ChildProcess): void {
    if (child !== this.child) return;
    this.watcher.changed();
    // `start` reports an exit before readiness: a service that was never ready would only crash again.
    if (!this.wanted || !this.wasReady) return;
    if (!this.restartCrashed) return this.watcher.crashed(this.spec.name, howItEnded(child), null);
    if (Date.now() - this.startedAtMs > settledAfterMs) this.crashes = 0;
    const waitMs = Math.min(firstBackoffMs * 2 ** this.crashes++, longestBackoffMs);
    this.watcher.crashed(this.spec.name, howItEnded(child), waitMs);
    setTimeout(() => this.wanted && this.hasEnded() && this.spawn(), waitMs).unref();
  }

  private hasEnded(): boolean {
    return !this.child || this.child.exitCode !== null || this.child.signalCode !== null;
  }
}

/** Signals by which Node or the kernel ends a process without memory. */
const memorySignals = new Set(['SIGKILL', 'SIGABRT']);

function howItEnded({ exitCode, signalCode }: ChildProcess): string {
  if (!signalCode) return `exit code ${exitCode}`;
  const hint = memorySignals.has(signalCode) ? ', as when memory is short: free some, or raise its limit' : '';
  return `signal ${signalCode}${hint}`;
}

/** What a service still lacks by its own report; null when it is ready. */
async function missingOf(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const text = await response.text();
    if (response.ok) return null;
    const { checks } = JSON.parse(text) as { checks?: Record<string, boolean> };
    const failing = Object.entries(checks ?? {}).flatMap(([name, passes]) => (passes ? [] : [name]));
    return failing.length > 0 ? `${failing.join(' and ')} does not answer` : 'still starting';
  } catch {
    return 'no answer';
  }
}

/** Stops services of an earlier launcher. */
export async function stopLeftovers(left: ProcessIdentity[]): Promise<number> {
  const running = left.filter(isRunning);
  await Promise.all(running.map((process) => stopProcess(process, 'SIGTERM', 3_000)));
  return running.length;
}
