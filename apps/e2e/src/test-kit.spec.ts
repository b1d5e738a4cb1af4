import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serverUrl } from '@spooled/testing';
import { compile, installPackages } from './installed-packages.js';

const run = promisify(execFile);

const jobs = `
import { defineJob } from 'spooled-sdk';
export const greet = defineJob<{ name: string }>('greet').handle(({ name }) => ({ text: \`Hello \${name}\` }));
`;
const withMatchers = (runner: string, globals: string) => `
import 'spooled-embedded/testing/${runner}';
import { expect, test } from '${globals}';
import { testSpooled } from 'spooled-embedded/testing';
import { greet } from './jobs.ts';

test('greets', async () => {
  const spooled = await testSpooled(process.env.TEST_DATABASE_URL!, { jobs: [greet], mode: 'background' });
  await greet.enqueue({ name: 'Ada' });
  await spooled.drain();
  await expect(greet).toHaveCompleted({ payload: { name: 'Ada' }, result: { text: expect.any(String) }, times: 1 });
  await expect(greet).not.toHaveFailed();
  await spooled.stop();
});
`;
const files = {
  'jobs.ts': jobs,
  'jest.test.ts': withMatchers('jest', '@jest/globals'),
  'vitest.test.ts': withMatchers('vitest', 'vitest'),
  'node.test.ts': `
import { test } from 'node:test';
import { testSpooled } from 'spooled-embedded/testing';
import { greet } from './jobs.ts';

test('greets', async () => {
  const spooled = await testSpooled(process.env.TEST_DATABASE_URL!, { jobs: [greet], mode: 'background' });
  await greet.enqueue({ name: 'Ada' });
  await spooled.drain();
  await spooled.assertCompleted(greet, { payload: { name: 'Ada' }, times: 1 });
  await spooled.stop();
});
`,
  'jest.config.json': JSON.stringify({
    testMatch: ['**/jest.test.ts'],
    testTimeout: 60_000,
    extensionsToTreatAsEsm: ['.ts'],
    transform: { '\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
  }),
  'wrong.ts': `
import 'spooled-embedded/testing/jest';
import { expect } from '@jest/globals';
import { greet } from './jobs.ts';
// @ts-expect-error a payload of another type
void expect(greet).toHaveCompleted({ payload: { name: 1 } });
`,
};

describe('the test kit of the built packages', () => {
  let folder: string;
  beforeAll(() => {
    folder = installPackages('jest', '@jest/globals', 'expect', '@swc/jest', '@swc/core', 'vitest');
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has types for the matchers', () => compile(folder, 'jest.test.ts', 'vitest.test.ts', 'wrong.ts'));

  it.each([
    ['node:test', ['--test', 'node.test.ts']],
    ['Jest', ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js']],
    ['Vitest', ['node_modules/vitest/vitest.mjs', 'run', '--testTimeout=60000', 'vitest.test.ts']],
  ])('tests jobs with %s, and prints no errors of its own', async (_, args) => {
    const env = { PATH: process.env.PATH, TEST_DATABASE_URL: serverUrl(), NO_COLOR: '1' };
    const { stdout, stderr } = await run(process.execPath, args, { cwd: folder, env });
    expect(stdout + stderr).toMatch(/(pass 1\n|1 passed)/);
    expect(stdout + stderr).not.toContain('spooled:');
  });
});
