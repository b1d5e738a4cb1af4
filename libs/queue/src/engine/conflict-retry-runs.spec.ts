import { CommitLostError } from '@spooled/data-access';
import { unavailable } from '@spooled/domain';
import { ManualClock } from '@spooled/testing';
import { type PreviousRun, retryAfterConflict } from './conflict-retry.js';

const conflict = () => Object.assign(new Error('deadlock detected'), { code: '40P01' });
const lost = () => unavailable('PostgreSQL', 1, Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
const commitLost = () => new CommitLostError(new Error('closed'));

/** Runs a transaction that throws these errors, one in each run, and then succeeds. */
const run = (...errors: Error[]) => runLasting(0, errors);

/** As `run`; each run takes `ms`. */
async function runLasting(ms: number, errors: Error[]) {
  const clock = new ManualClock();
  const runs: PreviousRun[] = [];
  const reported: [unknown, string][] = [];
  const transaction = async (previous: PreviousRun) => {
    await clock.advance(ms);
    const error = errors[runs.push(previous) - 1];
    if (error) throw error;
    return 'done';
  };
  const retried = retryAfterConflict(clock, transaction, (...report) => reported.push(report));
  const result = await clock.until(retried.catch((error: unknown) => error));
  return { runs, reported, result };
}

describe('a transaction that has failed', () => {
  it('runs again after a conflict, and knows that the run before was undone', async () => {
    const error = conflict();
    expect(await run(error)).toEqual({
      runs: ['none', 'undone'],
      reported: [[error, 'transaction conflict, retrying']],
      result: 'done',
    });
  });

  it('runs again when the connection was lost before its COMMIT', async () => {
    const error = lost();
    expect(await run(error)).toEqual({
      runs: ['none', 'undone'],
      reported: [[error, 'connection lost, retrying']],
      result: 'done',
    });
  });

  it('keeps in mind that an earlier run may have been committed', async () => {
    const [first, second] = [commitLost(), conflict()];
    expect(await run(first, second)).toMatchObject({
      runs: ['none', 'unknown', 'unknown'],
      reported: [
        [first, 'connection lost, retrying'],
        [second, 'transaction conflict, retrying'],
      ],
      result: 'done',
    });
    expect((await run(conflict(), commitLost())).runs).toEqual(['none', 'undone', 'unknown']);
  });

  it('runs three times at most', async () => {
    const last = conflict();
    const { runs, reported, result } = await run(conflict(), conflict(), last);
    expect([runs.length, reported.length, result]).toEqual([3, 2, last]);
  });

  it('does not run again after another error', async () => {
    const error = new Error('syntax error');
    expect(await run(error)).toEqual({ runs: ['none'], reported: [], result: error });
  });

  it('does not run again 5 s after the first run, when its caller hardly waits any more', async () => {
    expect((await runLasting(5_000, [conflict()])).runs).toHaveLength(2);
    expect((await runLasting(5_001, [conflict()])).runs).toHaveLength(1);
  });
});
