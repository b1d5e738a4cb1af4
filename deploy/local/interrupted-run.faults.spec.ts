import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@spooled/testing';

// Processes are found as only Linux can show them.
const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('a run of tests that is interrupted leaves no process behind', () => {
  /** Temporary files of the run are here; so every process of it names this folder, or works in it. */
  let folder: string;
  let npm: ChildProcess;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spooled-interrupted-'));
    chmodSync(folder, 0o755);
  });
  afterEach(() => {
    for (const { pid } of processes()) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** A run with PostgreSQL, Redis and services, in a process group of its own, as a terminal starts it. */
  async function startRun(): Promise<void> {
    // The run must not use what the run of this spec has.
    const ofThisRun = /^(SPOOLED_|JEST_WORKER_ID$|npm_)/;
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofThisRun.test(name)));
    // It runs until it is interrupted, so that all of its processes are there at once.
    const endless = ['--testMatch=**/interrupted-run.fixture.ts', '--selectProjects=e2e'];
    npm = spawn('npm', ['test', '--', ...endless], {
      env: { ...env, TMPDIR: folder, SPOOLED_SKIP_BUILD: '1', SPOOLED_TEST_REPORTS: join(folder, 'reports') },
      detached: true,
      stdio: 'ignore',
    });
    const started = [
      /\/bin\/postgres /,
      /redis-server|valkey-server/,
      /apps\/gateway\/main\.js/,
      /jest-worker|jest\.js/,
    ];
    await eventually(
      () => expect(started.filter((command) => !processes().some(({ args }) => command.test(args)))).toEqual([]),
      { timeoutMs: 60_000 },
    );
  }

  function processes(): { pid: number; args: string }[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          const [args, environment] = ['cmdline', 'environ'].map((file) =>
            readFileSync(`/proc/${pid}/${file}`, 'utf8'),
          );
          const works = `${readlinkSync(`/proc/${pid}/cwd`)} ${args} ${environment}`;
          return works.includes(folder) ? [{ pid: Number(pid), args: args!.replaceAll('\0', ' ') }] : [];
        } catch {
          // It has ended.
          return [];
        }
      });
  }

  const find = (command: RegExp): number => processes().find(({ args }) => command.test(args))!.pid;

  it.each<[string, () => void]>([
    ['by Ctrl-C', () => process.kill(-npm.pid!, 'SIGINT')],
    ['by SIGTERM', () => npm.kill('SIGTERM')],
    ['by SIGKILL of npm', () => npm.kill('SIGKILL')],
    ['by SIGKILL of Jest', () => process.kill(find(/jest\/bin\/jest\.js/), 'SIGKILL')],
  ])(
    '%s',
    async (_, interrupt) => {
      await startRun();
      const ended = once(npm, 'exit');
      interrupt();
      await ended;
      await eventually(() => expect(processes()).toEqual([]), { timeoutMs: 30_000 });
      // The folders of PostgreSQL and of Redis.
      expect(readdirSync(folder).filter((name) => name.startsWith('spooled-test-'))).toEqual([]);
    },
    120_000,
  );
});
