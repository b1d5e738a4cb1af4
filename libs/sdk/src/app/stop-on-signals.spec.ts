import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const module = join(process.cwd(), 'libs/sdk/src/app/stop-on-signals.ts');

/** A process with these statements, whose `go` resolves with the first line that it gets. */
function start(statements: string) {
  const program = `
    import { once } from 'node:events';
    import { stopOnSignals } from ${JSON.stringify(module)};
    const go = once(process.stdin, 'data');
    ${statements}
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'pipe' });
  const ended = once(child, 'close');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, ended, line: async () => (await lines.next()).value as string | undefined };
}

describe('a signal', () => {
  it('ends the process only after all apps have stopped', async () => {
    const { child, ended, line } = start(`
      stopOnSignals(['SIGTERM'], async () => console.log('first'), console.error);
      stopOnSignals(['SIGTERM'], () => go.then(() => console.log('second')), console.error);`);
    expect(await line()).toBe('ready');
    child.kill('SIGTERM');
    expect(await line()).toBe('first');
    child.stdin.write('go\n');
    expect([await line(), await ended]).toEqual(['second', [null, 'SIGTERM']]);
  });

  it.each(['once', 'on'])('leaves the end to a listener of the process that was added with %s', async (add) => {
    const { child, ended, line } = start(`
      process.${add}('SIGTERM', () => go.then(() => process.exit(3)));
      stopOnSignals(['SIGTERM'], async () => console.log('stopped'), console.error);`);
    expect(await line()).toBe('ready');
    child.kill('SIGTERM');
    expect(await line()).toBe('stopped');
    child.stdin.write('go\n');
    expect(await ended).toEqual([3, null]);
  });

  it('ends the process at once when it comes again, and when nothing has to stop any more', async () => {
    for (const forgets of [false, true]) {
      const { child, ended, line } = start(`
        const forget = stopOnSignals(['SIGTERM'], () => (console.log('stopping'), go), console.error);
        if (${forgets}) forget();`);
      expect(await line()).toBe('ready');
      child.kill('SIGTERM');
      if (!forgets) {
        expect(await line()).toBe('stopping');
        child.kill('SIGTERM');
      }
      expect(await ended).toEqual([null, 'SIGTERM']);
    }
  });
});
