import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { createTestDatabase, serverUrl, type TestDatabase } from '@spooled/testing';
import { parse } from 'yaml';
import { CliProcess, CliRun, cliFor } from './cli-process.js';
import { compile, installPackages } from './installed-packages.js';
import { useStack } from './use-rest.js';

const run = promisify(execFile);
const guide = readFileSync('libs/embedded/README.md', 'utf8');
/** The files of the guide: each block begins with the name of its file. */
const files = new Map(
  [...guide.matchAll(/^```ts\n\/\/ (\S+\.ts)\n([^]*?)^```$/gm)].map(([, name, text]) => [name!, text!]),
);

const init = (folder: string, Runner: typeof CliRun | typeof CliProcess = CliRun) =>
  cliFor({}, Runner)(['init', folder, '--output', 'json']);

describe('BX-18 the guide, in a project of `spooled init` with the built packages', () => {
  /** Where the packages are installed. */
  let packages: string;
  let folder: string;
  let database: TestDatabase;
  const stack = useStack();
  beforeAll(async () => {
    packages = installPackages();
    folder = join(packages, 'My Project!');
    // The built program has the versions of the packages.
    expect(await init(folder, CliProcess)).toMatchObject({ code: 0, stderr: '' });
    database = await createTestDatabase({ empty: true });
  });
  afterAll(async () => {
    await database?.drop();
    rmSync(packages, { recursive: true, force: true });
  });

  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  /** A script of the project, with other databases than those of its compose file. */
  const start = async (script: 'start' | 'test', env: Record<string, string>) => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const [, ...args] = scripts[script]!.split(' ');
    return (await run(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH, ...env } })).stdout;
  };

  it('is what was written, beside what npm and a database need', () => {
    for (const [name, text] of files) expect(read(name)).toBe(text);
    const versionOf = (name: string) =>
      (JSON.parse(readFileSync(`dist/${name}/package.json`, 'utf8')) as { version: string }).version;
    expect(JSON.parse(read('package.json'))).toMatchObject({
      name: 'my-project',
      engines: { node: '>=24' },
      dependencies: { 'spooled-embedded': versionOf('embedded'), 'spooled-sdk': versionOf('sdk') },
    });
    const env = parseEnv(read('.env'));
    expect(env.POSTGRES_PASSWORD).toMatch(/^[0-9a-f]{48}$/);
    for (const name of ['SPOOLED_URL', 'TEST_DATABASE_URL']) {
      expect(new URL(env[name]!)).toMatchObject({ password: env.POSTGRES_PASSWORD, port: '5432' });
    }
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
    expect(read('.gitignore')).toContain('.env\n');
    const { services } = parse(read('docker-compose.yml')) as { services: { postgres: { ports: string[] } } };
    expect(services.postgres.ports).toEqual(['127.0.0.1:5432:5432']);
  });

  it('is never overwritten, not even in part or through a link', async () => {
    const before = read('.env');
    const again = await init(folder);
    expect([again.code, again.stdout]).toEqual([2, '']);
    expect(again.stderr).toContain('.env, .gitignore, jobs.ts, app.ts, jobs.test.ts: exists in ');
    expect(read('.env')).toBe(before);
    const other = join(packages, 'other');
    mkdirSync(other);
    symlinkSync('nowhere', join(other, '.env'));
    expect(await init(other)).toMatchObject({ code: 2, stderr: expect.stringMatching(/: \.env: exists in /) });
    expect(readdirSync(other)).toEqual(['.env']);
    expect(await init(join(folder, 'jobs.ts'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/cannot be written/),
    });
  });

  it('has three files of less than 30 lines together, which compile', async () => {
    expect([...files.keys()]).toEqual(['jobs.ts', 'app.ts', 'jobs.test.ts']);
    const lines = [...files.values()].join('').split('\n');
    expect(lines.filter((line) => line.trim() !== '').length).toBeLessThan(30);
    await compile(folder, ...files.keys());
  });

  it('runs its job in the process of the application, by the URL of a database that is empty', async () => {
    expect(await start('start', { SPOOLED_URL: database.ownerUrl })).toContain("{ text: 'Hello Ada' }");
  });

  it('runs the same job at the services, by their URL', async () => {
    const url = new URL(stack.baseUrl);
    url.username = stack.apiKey;
    expect(await start('start', { SPOOLED_URL: url.href })).toContain("{ text: 'Hello Ada' }");
  });

  it('tests its job', async () => {
    expect(await start('test', { TEST_DATABASE_URL: serverUrl() })).toMatch(/pass 1\n/);
  });
});
