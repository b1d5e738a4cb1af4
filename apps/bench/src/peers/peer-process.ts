import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Settings } from '../report.js';
import { peersFolder } from './install-peers.js';

/** How a peer is put to work; see loads.mjs beside the peers. */
export interface PeerPlan {
  payloadBytes: number;
  /** Jobs in one call to enqueue. */
  batch: number;
  /** Calls to enqueue under way at the same time. */
  producers: number;
  /** Jobs that producers may be ahead of workers in the whole cycle. */
  ahead: number;
}

export interface PeerRequest {
  /** One of `peerNames`. */
  peer: string;
  urls: { postgres: string; redis: string };
  plan: PeerPlan;
}

export interface PeerAbout {
  name: string;
  version: string;
  settings: Settings;
}

export interface PeerLoad {
  /** CPU seconds that the peer's process took. Rejects when the peer failed. */
  ended: Promise<number>;
  stop(): void;
}

type Line =
  | ({ event: 'about' } & PeerAbout)
  | { event: 'jobs'; count: number }
  | { event: 'idle'; cpuSeconds: number }
  | { event: 'failed'; message: string };

interface Waiting {
  resolve(cpuSeconds: number): void;
  reject(error: Error): void;
  onJobs(count: number): void;
}

export const peerNames = ['graphile-worker', 'pg-boss', 'bullmq'] as const;
/** As they call themselves, which is how their steps are named. */
export const peerLabels = ['graphile-worker', 'pg-boss', 'BullMQ'] as const;

/** A peer in a process of its own, which speaks JSON lines. One command at a time. */
export class PeerProcess {
  about: PeerAbout = { name: '', version: '', settings: {} };
  private waiting: Waiting | null = null;
  private errors = '';
  private readonly exited: Promise<void>;

  private constructor(private readonly child: ChildProcess) {
    this.exited = new Promise((resolve) => child.once('close', () => resolve()));
    createInterface({ input: child.stdout! }).on('line', (line) => this.hear(JSON.parse(line) as Line));
    child.stderr!.on('data', (data: Buffer) => (this.errors = (this.errors + data.toString()).slice(-2_000)));
    // Writing to a process that has ended is no news: its end is.
    child.stdin!.on('error', () => undefined);
    child.once('error', (error) => this.fail(error));
    child.once('close', (code) => this.fail(new Error(`a peer's process ended (${code}): ${this.errors.trim()}`)));
  }

  /** @throws Error when the peer cannot be opened on these stores */
  static async start(root: string, request: PeerRequest): Promise<PeerProcess> {
    const folder = peersFolder(root);
    const child = spawn(process.execPath, [join(folder, 'main.mjs')], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
    const peer = new PeerProcess(child);
    await peer.command({ do: 'open', ...request }).ended;
    return peer;
  }

  /** Empties the peer's tables. */
  async fresh(): Promise<void> {
    await this.command({ do: 'fresh' }).ended;
  }

  /** Lays jobs in store. */
  async fill(jobs: number): Promise<void> {
    await this.command({ do: 'fill', size: jobs }).ended;
  }

  /**
   * Starts a load: `enqueue` (size = jobs a call) and `cycle` go on until `stop`, `drain` (size = jobs in store) ends by itself.
   * @param onJobs - told some dozen times a second how many jobs were kept (enqueue) or completed since
   */
  run(load: 'enqueue' | 'drain' | 'cycle', size: number, onJobs: (count: number) => void): PeerLoad {
    return this.command({ do: load, size }, onJobs);
  }

  async close(): Promise<void> {
    this.child.stdin!.end();
    const killer = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    await this.exited;
    clearTimeout(killer);
  }

  private command(request: object, onJobs: (count: number) => void = () => undefined): PeerLoad {
    const ended = new Promise<number>((resolve, reject) => (this.waiting = { resolve, reject, onJobs }));
    this.send(request);
    return { ended, stop: () => this.send({ do: 'stop' }) };
  }

  private send(request: object): void {
    this.child.stdin!.write(`${JSON.stringify(request)}\n`);
  }

  private hear(line: Line): void {
    if (line.event === 'about') this.about = line;
    else if (line.event === 'jobs') this.waiting?.onJobs(line.count);
    else if (line.event === 'failed') this.fail(new Error(line.message));
    else this.settle((waiting) => waiting.resolve(line.cpuSeconds));
  }

  private fail(error: Error): void {
    this.settle((waiting) => waiting.reject(error));
  }

  private settle(how: (waiting: Waiting) => void): void {
    const { waiting } = this;
    this.waiting = null;
    if (waiting) how(waiting);
  }
}
