import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  createTestDatabase,
  gate,
  root,
  serverUrl,
  startRedis,
  type TestDatabase,
  type TestRedis,
} from '@spooled/testing';
import { compile, installPackages } from './installed-packages.js';

const run = promisify(execFile);
const sources = join(root, 'examples');
const examples = readdirSync(sources, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

describe('the examples, with the built packages', () => {
  let folder: string;
  let database: TestDatabase;
  let redis: TestRedis;
  const children = new Set<ChildProcess>();
  beforeAll(async () => {
    folder = installPackages('bullmq', 'graphile-worker', 'pg-boss');
    for (const name of examples) cpSync(join(sources, name), join(folder, name), { recursive: true });
    database = await createTestDatabase();
    redis = await startRedis();
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await redis?.close();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('compile, and name the versions of the packages', async () => {
    await compile(folder, ...globSync('*/*.ts', { cwd: folder, exclude: ['node_modules'] }));
    const versionOf = (name: string) =>
      (JSON.parse(readFileSync(join(root, 'dist', name, 'package.json'), 'utf8')) as { version: string }).version;
    for (const name of examples) {
      expect(JSON.parse(readFileSync(join(sources, name, 'package.json'), 'utf8'))).toMatchObject({
        dependencies: { 'spooled-embedded': versionOf('embedded'), 'spooled-sdk': versionOf('sdk') },
      });
    }
  });

  it('pass their tests, without a line of errors', async () => {
    const env = { PATH: process.env.PATH, TEST_DATABASE_URL: serverUrl(), TEST_REDIS_URL: redis.url };
    // One process: each loads the packages again.
    const args = ['--test', '--test-isolation=none'];
    const { stdout, stderr } = await run(process.execPath, args, { cwd: folder, env }).catch(
      (error: { stdout?: string }) => {
        throw new Error(error.stdout, { cause: error });
      },
    );
    expect(stdout).toMatch(/pass 16\n/);
    expect(stdout + stderr).not.toContain('spooled: error');
  });

  it.each([
    ['agent', 'port '],
    ['approval', 'port '],
    ['images', 'published '],
    ['nightly-report', 'Sales of '],
    ['orders', 'port '],
    ['webhooks', 'port '],
  ])('%s starts by one command, and stops at SIGTERM', async (name, printed) => {
    const env = { PATH: process.env.PATH, SPOOLED_URL: database.ownerUrl, PORT: '0' };
    const child = spawn(process.execPath, ['app.ts'], { cwd: join(folder, name), env });
    children.add(child);
    const { opened: started, open } = gate();
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        output += String(text);
        if (output.includes(printed)) open();
      });
    }
    const ended = once(child, 'close');
    await Promise.race([ended, started]);
    child.kill('SIGTERM');
    expect({ ended: await ended, output }).toEqual({
      ended: [null, 'SIGTERM'],
      output: expect.stringContaining('app stopped'),
    });
  });

  it('are all started', () => {
    const started = globSync('*/app.ts', { cwd: sources }).map(dirname);
    expect(started.sort()).toEqual(['agent', 'approval', 'images', 'nightly-report', 'orders', 'webhooks']);
  });
});
