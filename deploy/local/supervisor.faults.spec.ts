import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '@spooled/testing';
import { freePort } from './ports.js';
import { isRunning, type ProcessIdentity } from './processes.js';
import type { ServiceSpec } from './service-process.js';
import { Supervisor } from './supervisor.js';

describe('Supervisor', () => {
  const lines: string[] = [];
  const crashes: string[] = [];
  let running: ProcessIdentity[] = [];
  let supervisor: Supervisor;

  beforeEach(() => {
    lines.length = crashes.length = 0;
    // The exit events of a test's processes may arrive during the next test.
    const own: Supervisor = new Supervisor({
      restartCrashed: true,
      line: (name, line) => own === supervisor && lines.push(`${name} ${line.replace(/ \d+$/, '')}`),
      crashed: (name, how) => own === supervisor && crashes.push(`${name} ${how}`),
      processes: (now) => {
        if (own === supervisor) running = now;
      },
    });
    supervisor = own;
  });
  afterEach(() => supervisor.stop(2_000));

  it('stops the gateway first and the engine last, and leaves no process', async () => {
    await supervisor.start([await spec('engine'), await spec('gateway'), await spec('scheduler')]);
    const processes = running;
    expect(processes).toHaveLength(3);
    await supervisor.stop(5_000);
    await eventually(() => expect(lines.slice(3)).toEqual(['gateway down', 'scheduler down', 'engine down']));
    expect(processes.filter(isRunning)).toEqual([]);
  });

  it('restarts a crashed service', async () => {
    await supervisor.start([await spec('engine')]);
    const [first] = running;
    process.kill(first?.pid as number, 'SIGKILL');
    await eventually(() => expect(lines).toEqual(['engine up', 'engine up']));
    expect(crashes).toEqual(['engine signal SIGKILL, as when memory is short: free some, or raise its limit']);
    expect(running[0]?.pid).not.toBe(first?.pid);
  });

  it('kills a service that does not stop', async () => {
    await supervisor.start([await spec('engine', { STUBBORN: '1' })]);
    const [stubborn] = running;
    process.kill(stubborn?.pid as number, 'SIGTERM');
    await eventually(() => expect(lines).toContain('engine down'));
    expect(isRunning(stubborn as ProcessIdentity)).toBe(true);
    await supervisor.stop(600);
    expect(isRunning(stubborn as ProcessIdentity)).toBe(false);
  });

  it('names the service that exits before it is ready', async () => {
    const broken = { ...(await spec('engine')), script: 'deploy/local/no-such-file.mjs' };
    await expect(supervisor.start([broken])).rejects.toThrow('engine ended before it was ready (exit code 1)');
    expect(crashes).toEqual([]);
  });

  it('stops when its launcher is killed', async () => {
    const { script, cwd, env } = await spec('engine');
    const code = `
      const { spawn } = await import('node:child_process');
      const child = spawn(process.execPath, ['--import', './deploy/local/exit-with-parent.mjs', ${JSON.stringify(script)}],
        { detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });`;
    const launcher = spawn(process.execPath, ['--input-type=module', '-e', code], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    launcher.stdout.on('data', (data) => (output += data));
    await eventually(() => expect(output).toContain('up'));
    launcher.kill('SIGKILL');
    await once(launcher, 'close');
    expect(output).toContain('down');
  });

  async function spec(name: string, env: NodeJS.ProcessEnv = {}): Promise<ServiceSpec> {
    const port = await freePort();
    return {
      name,
      script: 'deploy/local/service.fixture.mjs',
      cwd: process.cwd(),
      env: { ...process.env, ...env, METRICS_PORT: String(port) },
      readyUrl: `http://127.0.0.1:${port}/`,
    };
  }
});
