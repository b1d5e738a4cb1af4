import { filterWords } from '../../parts/filter-words';
import { chosenJobs, matchingJobs } from './job-selection';

const at = '2026-11-23T10:00:00.000Z';

describe('acts on what a list shows', () => {
  it('take every filter of the list', () => {
    const list = { queue: 'mail', search: 'we', jobType: 'welcome', tag: 'vip', createdAfter: at, createdBefore: at };
    const { queue: queueName, ...others } = list;
    expect(matchingJobs({ ...list, orderBy: 'created_at' })).toEqual({ queueName, ...others, status: undefined });
  });

  it.each([
    [['pending'], 'pending'],
    [['scheduled', 'completed'], 'scheduled'],
    [['pending', 'scheduled'], undefined],
  ] as const)('of the statuses %j take %j', (status, expected) => {
    expect(matchingJobs({ queue: 'mail', status: [...status] })).toMatchObject({ status: expected });
  });

  it('are not offered without a queue, and for jobs that cannot be cancelled', () => {
    expect(matchingJobs({ search: 'we' })).toBe('filter by a queue first');
    expect(matchingJobs({ queue: 'mail', status: ['completed', 'processing'] })).toMatch(/^only pending/);
  });
});

it('as many jobs are chosen one by one as the server takes', () => {
  const ids = Array.from({ length: 1_000 }, (_, number) => String(number));
  expect(chosenJobs(ids)).toEqual({ jobIds: ids });
  expect(chosenJobs([...ids, 'more'])).toBe('choose at most 1000 jobs');
});

describe('a filter in words', () => {
  it('names every member, and says all without any', () => {
    expect(filterWords('jobs', { queueName: null })).toBe('all jobs');
    expect(filterWords('jobs', { queueName: 'mail', status: 'pending', jobType: '', search: 'we', tag: 'vip' })).toBe(
      'jobs of mail that are pending without a type that match “we” with the tag “vip”',
    );
    expect(filterWords('dead letters', { cause: 'full', jobIds: [] })).toContain('that were chosen');
  });
});
