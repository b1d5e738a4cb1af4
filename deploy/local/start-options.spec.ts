import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('options of npm start', () => {
  // Neither packages nor sources are here: what is refused or explained needs none.
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'spooled-start-'));
    for (const name of readdirSync(import.meta.dirname).filter((each) => each.endsWith('.mjs')))
      cpSync(join(import.meta.dirname, name), join(folder, 'deploy/local', name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = (...args: string[]) => {
    const path = join(folder, 'deploy/local/start.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  it.each([[['--help']], [['migrate', '-h']]])('are explained before anything is installed or built: %j', (args) =>
    expect(start(...args)).toMatchObject({ status: 0, stdout: expect.stringContaining('npm run dev'), stderr: '' }),
  );

  it.each([
    [['--bogus'], "'--bogus'"],
    [['strat'], '"strat"'],
    [['migrate', '--watch'], "'--watch'"],
    [['--inspect'], '--inspect'],
  ])('that are wrong are refused before it: %j', (args, named) =>
    expect(start(...args)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(named) }),
  );
});
