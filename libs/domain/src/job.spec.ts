import { isTerminal, jobStatuses, jobTypeOf, mayMove } from './job.js';

describe('job statuses', () => {
  it('SP-30 lets a job leave a terminal status only back to pending', () => {
    expect(jobStatuses.filter(isTerminal)).toEqual(['completed', 'failed', 'deadletter', 'cancelled']);
    for (const from of jobStatuses.filter(isTerminal)) {
      const open = jobStatuses.filter((to) => mayMove(from, to));
      expect([from, open]).toEqual([from, ['pending']]);
    }
  });

  it('SP-30 completes and dead-letters only what is being processed', () => {
    for (const to of ['completed', 'deadletter'] as const) {
      expect(jobStatuses.filter((from) => mayMove(from, to))).toEqual(['processing']);
    }
  });
});

describe('jobTypeOf', () => {
  it.each([
    [{ job_type: 'send' }, 'send'],
    [{ job_type: 7 }, ''],
    [{ type: 'send' }, ''],
    [['job_type'], ''],
    ['job_type', ''],
    [null, ''],
  ])('reads %j as %j', (payload, expected) => {
    expect(jobTypeOf(payload)).toBe(expected);
  });

  it('gives a text that PostgreSQL can hold, cut between code points', () => {
    expect(jobTypeOf({ job_type: 'a\0b\ud800' })).toBe('a\ufffdb\ufffd');
    const longest = 'x'.repeat(254) + '\u{1f600}';
    expect(jobTypeOf({ job_type: `${longest}\u{1f600}` })).toBe(longest);
  });
});
