import { formatCount } from '../../ui/format';

/** `1 job`, `more than 100,000 jobs`. */
export const countJobs = (count: number, hasMore = false): string =>
  `${hasMore ? 'more than ' : ''}${formatCount(count)} ${count === 1 && !hasMore ? 'job' : 'jobs'}`;
