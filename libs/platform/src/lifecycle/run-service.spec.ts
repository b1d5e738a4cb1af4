import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../../../..');
const folder = resolve(root, `dist/spec/run-service-${process.pid}`);

const run = promisify(execFile);
// As the services are bundled, so that it loads no package that it does not use. In a separate process, which keeps the bundler's threads
// out of this one.
const build = `
  import { build } from 'rolldown';
  import { bundleOptions } from ${JSON.stringify(resolve(root, 'rolldown.config.mjs'))};
  await build({
    ...bundleOptions,
    input: ${JSON.stringify(resolve(import.meta.dirname, 'run-service.fixture.ts'))},
    output: { dir: ${JSON.stringify(folder)}, format: 'esm', entryFileNames: 'main.js', sourcemap: true },
  });`;

/** Runs the fixture as a process, with its log lines and exit code. */
class Fixture {
  readonly lines: Record<string, unknown>[] = [];
  readonly errors: string[] = [];
  readonly exited: Promise<number>;
  private readonly child: ChildProcess;
  private readonly reader: Interface;
  private readonly waiting: { message: string; found: () => void }[] = [];

  constructor(env: Record<string, string>) {
    this.child = spawn(process.execPath, [`${folder}/main.js`], {
      env: {
        PATH: process.env.PATH,
        HOST: '127.0.0.1',
        METRICS_PORT: '0',
        LOG_LEVEL: 'debug',
        NODE_COMPILE_CACHE: `${folder}/compile-cache`,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exited = once(this.child, 'close').then(([code]) => code as number);
    this.reader = createInterface({ input: this.child.stdout! }).on('line', (line) => this.onLine(line));
    this.child.stderr!.on('data', (chunk) => this.errors.push(String(chunk)));
  }

  get messages(): unknown[] {
    return this.lines.map(({ msg }) => msg);
  }

  logged(message: string): Promise<void> {
    if (this.messages.includes(message)) return Promise.resolve();
    return new Promise((found) => this.waiting.push({ message, found }));
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Simulates a log collector that hangs: the pipe fills up. */
  pauseReading(): void {
    this.reader.close();
    this.child.stdout!.pause();
  }

  /** Resolves to the exit code while the pipe may still be open. */
  get ended(): Promise<number> {
    return once(this.child, 'exit').then(([code]) => code as number);
  }

  /** Simulates that the launcher or log collector that reads the pipe has died. */
  stopReading(): void {
    this.child.stdout!.destroy();
  }

  line(message: string): Record<string, unknown> | undefined {
    return this.lines.find(({ msg }) => msg === message);
  }

  private onLine(line: string): void {
    const entry = JSON.parse(line) as Record<string, unknown>;
    this.lines.push(entry);
    for (const { message, found } of this.waiting) if (message === entry.msg) found();
  }
}

describe('runService', () => {
  const fixtures: Fixture[] = [];
  const start = (env: Record<string, string> = {}): Fixture => {
    const fixture = new Fixture(env);
    fixtures.push(fixture);
    return fixture;
  };

  beforeAll(() => run(process.execPath, ['--input-type=module', '--eval', build], { cwd: root }));
  afterAll(async () => {
    for (const fixture of fixtures) fixture.kill('SIGKILL');
    await Promise.all(fixtures.map(({ exited }) => exited));
    await rm(folder, { recursive: true, force: true });
  });

  it('shuts down cleanly when its log is no longer read', async () => {
    const fixture = start();
    await fixture.logged('started');
    fixture.stopReading();
    fixture.kill('SIGTERM');
    expect(await fixture.exited).toBe(0);
  });

  it('shuts down cleanly when the reader of its log hangs', async () => {
    const fixture = start({ FAILURE: 'long-log' });
    await fixture.logged('started');
    fixture.pauseReading();
    fixture.kill('SIGTERM');
    expect(await fixture.ended).toBe(0);
    fixture.stopReading();
  });

  it('PB-24 serves health and metrics; after SIGTERM it turns readiness off, stops the parts in reverse order and exits with 0', async () => {
    const fixture = start({ METRICS_TOKEN: 'a-long-token' });
    await fixture.logged('started');
    const base = `http://127.0.0.1:${String(fixture.line('started')?.metrics_port)}`;
    expect((await fetch(`${base}/health/ready`)).status).toBe(200);
    expect((await fetch(`${base}/metrics`)).status).toBe(401);
    const scrape = await fetch(`${base}/metrics`, { headers: { authorization: 'Bearer a-long-token' } });
    expect(await scrape.text()).toContain('greetings_total 0');
    fixture.kill('SIGTERM');
    expect(await fixture.exited).toBe(0);
    const parts = ['stopping', 'server closed', 'store closed', 'stopping operations server', 'stopped'];
    expect(fixture.messages.filter((message) => parts.includes(String(message)))).toEqual(parts);
    expect(fixture.line('server closed')).toMatchObject({ draining: true, aborted: true });
  });

  it('exits by force with code 1 on a second signal while a part hangs', async () => {
    const fixture = start({ FAILURE: 'hang-at-stop' });
    await fixture.logged('started');
    fixture.kill('SIGTERM');
    await fixture.logged('server closed');
    fixture.kill('SIGINT');
    expect(await fixture.exited).toBe(1);
    expect(fixture.line('exited by force')).toMatchObject({ reason: 'second signal (SIGINT)', part: 'server' });
  });

  it('exits by force after SHUTDOWN_TIMEOUT_SECS', async () => {
    const fixture = start({ FAILURE: 'hang-at-stop', SHUTDOWN_TIMEOUT_SECS: '1' });
    await fixture.logged('started');
    fixture.kill('SIGTERM');
    expect(await fixture.exited).toBe(1);
    expect(fixture.messages).toContain('exited by force');
  });

  it.each([
    ['reject', 'unhandled rejection', 'not awaited'],
    ['throw', 'uncaught exception', 'not caught'],
    ['fail-at-start', 'fixture could not start', 'the store is unavailable'],
  ])('logs the reason with its source, shuts down and exits with 1: %s', async (FAILURE, message, reason) => {
    const fixture = start({ FAILURE });
    expect(await fixture.exited).toBe(1);
    const line = fixture.line(message) as { err: { stack: string } };
    expect(line).toMatchObject({ level: 'fatal', err: { message: reason } });
    // The positions of the sources.
    expect(line.err.stack).toMatch(/\/libs\/platform\/src\/lifecycle\/run-service\.fixture\.ts:\d+:\d+/);
    expect(line.err.stack).not.toContain('main.js');
    expect(fixture.messages).toContain('store closed');
  });

  it('says in one sentence which port another program uses, and which setting to change', async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const { port } = other.address() as AddressInfo;
    const fixture = start({ METRICS_PORT: String(port) });
    expect(await fixture.exited).toBe(1);
    other.close();
    const line = fixture.line('fixture cannot start');
    expect(line).toMatchObject({
      level: 'fatal',
      reason: `Port ${port} of 127.0.0.1 is in use by another program: stop that program, or set METRICS_PORT to a free port.`,
    });
    expect(line).not.toHaveProperty('err');
  });

  it('says in one sentence why a start cannot succeed before something is changed', async () => {
    const fixture = start({ FAILURE: 'refuse-to-start' });
    expect(await fixture.exited).toBe(1);
    expect(fixture.line('fixture cannot start')).toMatchObject({ reason: 'The store is too old: upgrade it.' });
    expect(fixture.messages).toContain('store closed');
  });

  it('does not keep the memory that only its start needed once a minute was idle', async () => {
    const fixture = start({ FAILURE: 'much-garbage' });
    await fixture.logged('started');
    fixture.kill('SIGUSR2');
    await fixture.logged('garbage collected');
    fixture.kill('SIGTERM');
    await fixture.exited;
    expect(fixture.line('server closed')?.heapMb).toBeLessThan(40);
  });

  it('prints every invalid setting to standard error and exits with 1', async () => {
    const fixture = start({ METRICS_PORT: 'ninety', LOG_LEVEL: 'loud' });
    expect(await fixture.exited).toBe(1);
    expect(fixture.errors.join('')).toMatch(/fixture cannot start[^]*METRICS_PORT[^]*ninety[^]*LOG_LEVEL/);
  });
});
