import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase, serverUrl, type SharedStack, sharedStack, type TestDatabase } from '@spooled/testing';
import { compile, installPackages } from './installed-packages.js';

const run = promisify(execFile);
const guide = readFileSync('libs/embedded/README.md', 'utf8');
/** The files of the guide: each block begins with the name of its file. */
const files = new Map(
  [...guide.matchAll(/^```ts\n\/\/ (\S+\.ts)\n([^]*?)^```$/gm)].map(([, name, text]) => [name!, text!]),
);

describe('BX-18 the guide, from an empty folder with the built packages', () => {
  let folder: string;
  let database: TestDatabase;
  let stack: SharedStack;
  beforeAll(async () => {
    folder = installPackages();
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    database = await createTestDatabase({ empty: true });
    stack = await sharedStack();
  }, 60_000);
  afterAll(async () => {
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (args: string[], env: Record<string, string>) =>
    (await run(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH, ...env } })).stdout;

  it('has three files of less than 30 lines together, which compile', async () => {
    expect([...files.keys()]).toEqual(['jobs.ts', 'app.ts', 'jobs.test.ts']);
    const lines = [...files.values()].join('').split('\n');
    expect(lines.filter((line) => line.trim() !== '').length).toBeLessThan(30);
    await compile(folder, ...files.keys());
  }, 60_000);

  it('runs its job in the process of the application, by the URL of a database that is empty', async () => {
    expect(await start(['app.ts'], { SPOOLED_URL: database.ownerUrl })).toContain("{ text: 'Hello Ada' }");
  }, 60_000);

  it('runs the same job at the services, by their URL', async () => {
    const url = new URL(stack.baseUrl);
    url.username = stack.apiKey;
    expect(await start(['app.ts'], { SPOOLED_URL: url.href })).toContain("{ text: 'Hello Ada' }");
  }, 60_000);

  it('tests its job', async () => {
    expect(await start(['--test', 'jobs.test.ts'], { TEST_DATABASE_URL: serverUrl() })).toMatch(/pass 1\n/);
  }, 60_000);
});
