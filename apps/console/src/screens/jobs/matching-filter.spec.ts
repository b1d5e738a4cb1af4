import { filterWords } from '../../parts/filter-words';
import { matchingFilterOf } from './matching-filter';

const at = '2026-11-23T10:00:00.000Z';

describe('the cancellation of what a list shows', () => {
  it('takes every filter of the list', () => {
    const list = { queue: 'mail', search: 'we', jobType: 'welcome', tag: 'vip', createdAfter: at, createdBefore: at };
    const { queue: queueName, ...others } = list;
    expect(matchingFilterOf({ ...list, orderBy: 'created_at' })).toEqual({ queueName, ...others, status: undefined });
  });

  it.each([
    [['pending'], 'pending'],
    [['scheduled', 'completed'], 'scheduled'],
    [['pending', 'scheduled'], undefined],
  ] as const)('of the statuses %j takes %j', (status, expected) => {
    expect(matchingFilterOf({ queue: 'mail', status: [...status] })).toMatchObject({ status: expected });
  });

  it('is not offered without a queue, and for jobs that cannot be cancelled', () => {
    expect(matchingFilterOf({ search: 'we' })).toBe('filter by a queue first');
    expect(matchingFilterOf({ queue: 'mail', status: ['completed', 'processing'] })).toMatch(/^only pending/);
  });
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
