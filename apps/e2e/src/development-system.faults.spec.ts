import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort, portIsFree } from '@spooled/local';
import { Spooled } from '@spooled/sdk';
import { eventually, root } from '@spooled/testing';
import { cliFor } from './cli-process.js';

/** A project with both packages as they are published. */
let folder: string;
let ports: Record<'PORT' | 'GRPC_PORT' | 'METRICS_PORT', string>;
let running: Started[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spooled-dev-'));
  // The account of PostgreSQL has to reach its data.
  chmodSync(folder, 0o755);
  for (const [name, built] of Object.entries({ 'spooled-dev': 'dev', 'spooled-cli': 'cli' })) {
    const target = join(folder, 'node_modules', name);
    cpSync(join(root, 'dist', built), target, { recursive: true });
    linkDependencies(target);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  const [port, grpc, metrics] = [await freePort(), await freePort(), await freePort()].map(String);
  ports = { PORT: port!, GRPC_PORT: grpc!, METRICS_PORT: metrics! };
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.end()));
  running = [];
});

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** As npm does it, but from the packages of the repository; binaries of other platforms are not there. */
function linkDependencies(target: string): void {
  const manifest = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const link = join(folder, 'node_modules', name);
    const source = join(root, 'node_modules', name);
    if (existsSync(link) || !existsSync(source)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(source, link);
  }
}

/** `spooled dev` in the folder of the project. */
class Started {
  output = '';
  readonly child: ChildProcess;
  private readonly closed: Promise<unknown>;

  constructor(args: string[], more: NodeJS.ProcessEnv = {}) {
    const { PATH, HOME } = process.env;
    this.child = spawn(process.execPath, ['node_modules/spooled-cli/spooled.js', 'dev', ...args], {
      cwd: folder,
      env: { PATH, HOME, ...ports, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString('utf8')));
    this.closed = once(this.child, 'close');
    running.push(this);
  }

  async ready(): Promise<this> {
    await eventually(() => expect(this.output).toMatch(/^Spooled is ready\.[^]*^ {2}Stop/m), { timeoutMs: 120_000 });
    return this;
  }

  /** What stands beside a name in the summary. */
  shown(name: string): string {
    return new RegExp(`^ {2}${name} +(\\S+)`, 'm').exec(this.output)![1]!;
  }

  get client(): Spooled {
    return new Spooled({ baseUrl: this.shown('Base URL'), apiKey: this.shown('API key') });
  }

  /** Its exit code, when every process that writes its output has ended. */
  async exit(): Promise<number | null> {
    await this.closed;
    return this.child.exitCode;
  }

  async end(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.closed;
  }
}

const allPortsAreFree = () =>
  eventually(async () =>
    expect(await Promise.all(Object.values(ports).map((port) => portIsFree(Number(port))))).toEqual([true, true, true]),
  );

describe('BX-17 spooled dev, from the published packages', () => {
  it('brings up services and console with an organization and a key, and keeps them and their jobs', async () => {
    const first = await new Started([]).ready();
    const job = await first.client.jobs.create({ queueName: 'mails', payload: { to: 'ada@example.com' } });
    const page = await fetch(first.shown('Console'));
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    expect(first.shown('Base URL')).toBe(`http://127.0.0.1:${ports.PORT}`);
    expect((await fetch(`${first.shown('Base URL')}/api/v1/openapi.json`)).status).toBe(200);

    first.child.kill('SIGINT');
    expect(await first.exit()).toBe(0);
    await allPortsAreFree();
    // Keys are for their owner, and not for git.
    expect(statSync(join(folder, '.spooled/secrets.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, '.spooled/.gitignore'), 'utf8')).toBe('*\n');

    const second = await new Started([]).ready();
    expect(second.shown('API key')).toBe(first.shown('API key'));
    expect(await second.client.jobs.get(job.id)).toMatchObject({
      payload: { to: 'ada@example.com' },
      status: 'pending',
    });

    // A process that is killed cannot stop the others itself.
    second.child.kill('SIGKILL');
    await second.exit();
    await allPortsAreFree();
  }, 300_000);

  it('refuses a port that another program has, and names the setting', async () => {
    const other = createServer().listen(Number(ports.PORT), '127.0.0.1');
    await once(other, 'listening');
    const { PORT, ...more } = ports;
    const refused = new Started(['--port', PORT, '--data', 'elsewhere'], more);
    expect(await refused.exit()).toBe(1);
    expect(refused.output).toContain(
      `spooled-dev: Port ${PORT} is in use by another program: stop it, or set PORT to a free port.`,
    );
    other.close();
  });

  it('refuses a Redis that does not answer', async () => {
    const refused = new Started(['--data', 'other'], { REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
    expect(await refused.exit()).toBe(1);
    expect(refused.output).toMatch(/spooled-dev: Redis does not answer at 127\.0\.0\.1:\d+ \(connection refused\)/);
  });

  it('refuses a PostgreSQL that does not answer', async () => {
    const url = `postgres://owner:secret@127.0.0.1:${await freePort()}/spooled`;
    const refused = new Started(['--data', 'other'], { DATABASE_URL: url });
    expect(await refused.exit()).toBe(1);
    expect(refused.output).toMatch(
      /spooled-dev: PostgreSQL does not answer at 127\.0\.0\.1:\d+ \(connection refused\)/,
    );
    expect(refused.output).not.toContain('secret');
  });

  it('is refused as wrong usage with an unknown option or an empty folder', async () => {
    const run = cliFor({});
    expect(await run(['dev', '--prot', '8080'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--port') });
    expect(await run(['dev', '--data', ''])).toMatchObject({ code: 2, stderr: expect.stringContaining('--data') });
  });

  it('names the package that is missing, and how to get it', async () => {
    const { code, stderr } = await cliFor({})(['dev']);
    expect(code).toBe(1);
    expect(stderr).toContain('The package spooled-dev is not installed: run "npx spooled-dev"');
  });
});
