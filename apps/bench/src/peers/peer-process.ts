import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Window } from '../measure/window.js';
import type { Settings } from '../report.js';
import { peersFolder } from './install-peers.js';

/** The plan of every peer, as of our own cycles; peers/loads.mjs says what its members are. */
export const peerPlan = { batch: 100, producers: 4, ahead: 2_000 };

export interface PeerRequest {
  /** One of `peerNames` or `recordKeepers`, or `embedded`. */
  peer: string;
  /** What the peer needs to open. */
  urls: Record<string, string>;
  plan: typeof peerPlan & { payloadBytes: number };
}

export interface PeerDescription {
  name: string;
  version: string;
  settings: Settings;
}

type Message =
  | ({ event: 'about' } & PeerDescription)
  | { event: 'jobs'; count: number }
  | { event: 'idle'; cpuSeconds: number }
  | { event: 'failed'; message: string };

interface PendingCommand extends PromiseWithResolvers<number> {
  onJobs(count: number): void;
}

export const peerNames = ['graphile-worker', 'pg-boss', 'bullmq'] as const;
/** Display names, which prefix the names of their steps. */
export const peerLabels = ['graphile-worker', 'pg-boss', 'BullMQ'] as const;

/** Those that keep a record of each finished job, as we do: pg-boss always, the others with an addition. Only their cycle is measured. */
export const recordKeepers = ['graphile-worker-records', 'bullmq-records'] as const;
export const recordKeeperLabels = ['graphile-worker with records', 'pg-boss', 'BullMQ with records'] as const;

/** A peer in its own process, controlled by messages. One command at a time. */
export class PeerProcess {
  about: PeerDescription = { name: '', version: '', settings: {} };
  private pending: PendingCommand | null = null;
  private errors = '';
  private readonly exited: Promise<void>;

  private constructor(private readonly child: ChildProcess) {
    // Not `close`, which does not come when this process closes the channel.
    this.exited = new Promise((resolve) => child.once('exit', () => resolve()));
    child.on('message', (message) => this.onMessage(message as Message));
    child.stderr!.on('data', (data: Buffer) => (this.errors = (this.errors + data.toString()).slice(-2_000)));
    child.once('error', (error) => this.fail(error));
    child.once('close', (code) => this.fail(new Error(`peer process exited (${code}): ${this.errors.trim()}`)));
  }

  /** @throws Error when the peer cannot be opened */
  static async start(root: string, request: PeerRequest): Promise<PeerProcess> {
    const folder = peersFolder(root);
    const child = fork(join(folder, 'main.mjs'), { cwd: folder, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const peer = new PeerProcess(child);
    await peer.command({ do: 'open', ...request });
    return peer;
  }

  /** Closes and reopens the peer with empty tables. */
  async fresh(): Promise<void> {
    await this.command({ do: 'fresh' });
  }

  /** Enqueues a backlog of jobs. */
  async fill(jobs: number): Promise<void> {
    await this.command({ do: 'fill', size: jobs });
  }

  /**
   * Runs a load, and counts the jobs that it enqueues or completes: `enqueue` (size = jobs per call) and `cycle` until the window closes,
   * `drain` (size = backlog) until the backlog is empty, which closes the window.
   */
  async measure(load: 'enqueue' | 'drain' | 'cycle', size: number, window: Window): Promise<void> {
    let all = 0;
    const ended = this.command({ do: load, size }, (jobs) => {
      all += jobs;
      window.add(jobs);
      if (load === 'drain' && all >= size) window.close();
    });
    await Promise.race([window.whenClosed, ended]);
    this.send({ do: 'stop' });
    const cpuSeconds = await ended;
    // Includes the warm-up.
    window.figure('peer CPU µs/op', (cpuSeconds * 1e6) / Math.max(1, all));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.connected) this.child.disconnect();
    const killer = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    await this.exited;
    clearTimeout(killer);
  }

  /**
   * @param onJobs - called about 40 times a second with the number of jobs since the last call
   * @returns the CPU seconds of the peer's process. Rejects if the peer fails
   */
  private command(request: object, onJobs: (count: number) => void = () => undefined): Promise<number> {
    this.pending = { ...Promise.withResolvers<number>(), onJobs };
    this.send(request);
    return this.pending.promise;
  }

  /** That the process has exited is reported by `close`. */
  private send(request: object): void {
    this.child.send(request, () => undefined);
  }

  private onMessage(message: Message): void {
    if (message.event === 'about') this.about = message;
    else if (message.event === 'jobs') this.pending?.onJobs(message.count);
    else if (message.event === 'failed') this.fail(new Error(message.message));
    else this.settle((pending) => pending.resolve(message.cpuSeconds));
  }

  private fail(error: Error): void {
    this.settle((pending) => pending.reject(error));
  }

  private settle(action: (pending: PendingCommand) => void): void {
    const { pending } = this;
    this.pending = null;
    if (pending) action(pending);
  }
}
