import { aheadOf } from './job-reports.js';
import { problemLines } from './overview.js';

type Problems = Parameters<typeof problemLines>[1];

describe('BX-17 what a report says', () => {
  const plain = { tone: (_tone: string, text: string) => text };
  const nothing: Problems = {
    problems: [],
    total: 0,
    muted: 0,
    unexamined: { queues: 0, schedules: 0, webhooks: 0 },
    notChecked: [],
    checkedAt: '2026-11-28T10:00:00Z',
  };

  it('of the jobs ahead of one is exact up to where the server counts', () => {
    expect([0, 1, 10_000, 10_001].map(aheadOf)).toEqual([
      '0 jobs are ahead of it.',
      '1 job is ahead of it.',
      '10000 jobs are ahead of it.',
      '10000+ jobs are ahead of it.',
    ]);
  });

  it('of problems is that there are none only if everything was examined', () => {
    expect(problemLines(plain, nothing)).toEqual(['There are no problems.']);
    const unexamined = { ...nothing.unexamined, queues: 7 };
    expect(problemLines(plain, { ...nothing, unexamined, notChecked: ['Redis is not available'] })).toEqual([
      'No problem was found in what was examined.',
      '7 more queues may have one: they were not examined.',
      'Redis is not available.',
    ]);
  });
});
