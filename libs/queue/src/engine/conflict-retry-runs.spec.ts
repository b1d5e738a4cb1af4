import { jest } from '@jest/globals';
import { CommitLostError } from '@spooled/data-access';
import { unavailable } from '@spooled/domain';
import { type PreviousRun, retryAfterConflict } from './conflict-retry.js';

const conflict = () => Object.assign(new Error('deadlock detected'), { code: '40P01' });
const lost = () => unavailable('PostgreSQL', 1, Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
const commitLost = () => new CommitLostError(new Error('closed'));

/** Runs a transaction that throws these errors, one in each run, and then succeeds. */
async function run(...errors: Error[]) {
  const runs: PreviousRun[] = [];
  const reported: [unknown, string][] = [];
  const transaction = (previous: PreviousRun) => {
    const error = errors[runs.push(previous) - 1];
    return error ? Promise.reject(error) : Promise.resolve('done');
  };
  const result = await retryAfterConflict(transaction, (...report) => reported.push(report)).catch(
    (error: unknown) => error,
  );
  return { runs, reported, result };
}

describe('a transaction that has failed', () => {
  afterEach(() => jest.restoreAllMocks());

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
    const clock = jest.spyOn(performance, 'now');
    const endingAfter = (ms: number) => {
      clock.mockReturnValueOnce(1_000).mockReturnValue(1_000 + ms);
      return run(conflict());
    };
    expect((await endingAfter(5_000)).runs).toHaveLength(2);
    expect((await endingAfter(5_001)).runs).toHaveLength(1);
  });
});
