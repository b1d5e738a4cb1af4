import fc from 'fast-check';
import { afterFailure } from './failure.js';
import { isTerminal, jobStatuses, mayMove, type JobStatus } from './job.js';

describe('after a failure', () => {
  it('PB-21 runs a job at most max_retries + 1 times', () => {
    fc.assert(
      fc.property(fc.nat(100), (maxRetries) => {
        let runs = 1;
        for (let retryCount = 0; afterFailure({ retryCount, maxRetries, retryWanted: true }) === 'retry'; retryCount++)
          runs++;
        expect(runs).toBe(maxRetries + 1);
      }),
    );
  });

  it('MQ-27 gives up at once when no retry is wanted', () => {
    expect(afterFailure({ retryCount: 0, maxRetries: 9, retryWanted: false })).toBe('deadletter');
  });
});

describe('moves of a job', () => {
  it('SP-30 leads from every status to an end, and out of an end only back to pending', () => {
    const walk = fc.infiniteStream(fc.nat(10)).map((choices) => {
      let status: JobStatus = 'scheduled';
      for (let steps = 0; steps < 200 && !isTerminal(status); steps++) {
        const next: JobStatus[] = jobStatuses.filter((to) => mayMove(status, to));
        status = next[(choices.next().value as number) % next.length] ?? status;
      }
      return status;
    });
    fc.assert(fc.property(walk, (end) => jobStatuses.every((to) => !mayMove(end, to) || to === 'pending')));
    for (const from of jobStatuses) expect(mayMove(from, from)).toBe(false);
    // Only a retry of its workflow from one of the jobs runs a completed job again.
    expect(jobStatuses.filter((to) => mayMove('completed', to))).toEqual(['pending']);
  });
});
