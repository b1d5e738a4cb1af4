import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

describe('a worker of Jest', () => {
  let worker: ChildProcess;
  beforeEach(() => {
    const execArgv = ['--import', './deploy/local/exit-with-parent.mjs'];
    worker = fork('node_modules/jest-worker/build/processChild.js', { execArgv });
    // jest-worker's first message, with a module that has nothing to tear down.
    worker.send([0, false, 'node:path', [], '1']);
  });
  afterEach(() => worker.kill('SIGKILL'));

  it('exits when it is told that the run has ended', async () => {
    const end = [2, false];
    worker.send(end);
    expect(await once(worker, 'exit')).toEqual([0, null]);
  });
});
