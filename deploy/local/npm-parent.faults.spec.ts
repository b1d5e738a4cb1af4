import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const script = 'deploy/local/npm-parent.fixture.mjs';

describe('a script that npm started', () => {
  let npm: ChildProcess;
  let output: string;
  afterEach(() => npm.kill('SIGKILL'));

  it('detects that npm was killed although the shell in between still runs', async () => {
    start(`node ${script}; true`, { npm_lifecycle_script: `node ${script}` });
    await says('watching');
    npm.kill('SIGKILL');
    await once(npm, 'close');
    expect(output).toContain('npm ended');
  });

  it('runs without npm when started directly', async () => {
    start(`node ${script}; true`, { npm_lifecycle_script: undefined });
    await says('nobody to watch');
  });

  /** Starts a command as npm does: a process that runs it in a shell. */
  function start(command: string, env: NodeJS.ProcessEnv): void {
    const code = `require('node:child_process').spawn('sh', ['-c', process.env.COMMAND], { stdio: 'inherit' })`;
    npm = spawn(process.execPath, ['-e', code], {
      cwd: root,
      env: { ...process.env, ...env, COMMAND: command },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    output = '';
    npm.stdout?.on('data', (data) => (output += data));
  }

  async function says(text: string): Promise<void> {
    while (!output.includes(text)) await once(npm.stdout!, 'data');
  }
});
