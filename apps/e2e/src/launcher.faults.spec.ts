import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, identify, isRunning, type ProcessIdentity } from '@spooled/local';
import { eventually } from '@spooled/testing';

/** Runs `npm start` with its own data folder; the child is npm's process. */
class NpmStart {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'spooled-launcher-'));
  readonly npm: ChildProcess;
  readonly closed: Promise<unknown>;
  output = '';

  constructor(
    private readonly port: number,
    ports: Record<string, string>,
  ) {
    const env = {
      ...process.env,
      DATA_DIR: this.dataDir,
      PORT: String(port),
      ...ports,
      DATABASE_URL: '',
      REDIS_URL: '',
    };
    this.npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.npm.stdout, this.npm.stderr]) stream?.on('data', (data) => (this.output += data));
    // The output closes when the last process that writes to it has exited.
    this.closed = once(this.npm, 'close');
  }

  async ready(): Promise<void> {
    await eventually(() => expect(this.output).toContain('Spooled is ready'), { timeoutMs: 60_000 });
  }

  /** Launcher, services, PostgreSQL and Redis. */
  processes(): ProcessIdentity[] {
    const { launcher, services } = this.read<{ launcher: ProcessIdentity; services: ProcessIdentity[] }>(
      'launcher.json',
    );
    return [launcher, ...services, this.postgres(), this.redis()];
  }

  postgres(): ProcessIdentity {
    const [pid] = readFileSync(join(this.dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
    return identify(Number(pid)) as ProcessIdentity;
  }

  redis(): ProcessIdentity {
    return this.read('redis/redis.json');
  }

  async createJob(): Promise<number> {
    const { apiKey } = this.read<{ apiKey: string }>('secrets.json');
    const response = await fetch(`http://127.0.0.1:${this.port}/api/v1/jobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ queue_name: 'emails', payload: {} }),
    });
    return response.status;
  }

  private read<T>(file: string): T {
    return JSON.parse(readFileSync(join(this.dataDir, file), 'utf8')) as T;
  }
}

describe('npm start', () => {
  let system: NpmStart;
  /** Processes that a failed test may have left. */
  let started: ProcessIdentity[] = [];

  beforeAll(async () => {
    system = new NpmStart(await freePort(), {
      GRPC_PORT: String(await freePort()),
      METRICS_PORT: String(await freePort()),
    });
    await system.ready();
    started = system.processes();
  }, 90_000);
  afterAll(async () => {
    for (const { pid } of started.filter(isRunning)) process.kill(pid, 'SIGKILL');
    await system.closed;
    rmSync(system.dataDir, { recursive: true });
  });

  it('restarts PostgreSQL and Redis when they are killed, and the services continue', async () => {
    expect(await system.createJob()).toBe(201);
    const killed = [system.postgres(), system.redis()];
    for (const { pid } of killed) process.kill(pid, 'SIGKILL');
    await eventually(
      () =>
        expect(system.output).toMatch(
          /PostgreSQL is running again[^]*Redis is running again|Redis is running again[^]*PostgreSQL is running again/,
        ),
      { timeoutMs: 30_000 },
    );
    await eventually(async () => expect(await system.createJob()).toBe(201), { timeoutMs: 30_000 });
    expect(killed.filter(isRunning)).toEqual([]);
  }, 90_000);

  it('stops with all child processes when npm receives SIGTERM', async () => {
    const everything = system.processes();
    expect(everything).toHaveLength(8);
    system.npm.kill('SIGTERM');
    await system.closed;
    const [launcher, ...children] = everything;
    expect(children.filter(isRunning)).toEqual([]);
    expect(system.output).toContain('all processes stopped');
    // The kernel closes the output of an exiting process shortly before the process is gone.
    await eventually(() => expect(isRunning(launcher!)).toBe(false));
  }, 60_000);
});
