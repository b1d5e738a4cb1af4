import { textsOf, withTexts } from './custom-limits';

const empty = { rate_limit_requests_per_second: '', rate_limit_burst: '', max_jobs_per_day: '' };

describe('the limits of an organization', () => {
  it('show its own numbers, and nothing where those of the plan hold', () => {
    expect(textsOf(null)).toEqual(empty);
    expect(textsOf({ max_jobs_per_day: 500, rate_limit_burst: null })).toEqual({ ...empty, max_jobs_per_day: '500' });
  });

  it('keep others, and become those of the plan when a field is emptied', () => {
    const limits = { max_queues: 3, max_jobs_per_day: 500, rate_limit_burst: null };
    expect(withTexts(limits, { rate_limit_requests_per_second: '10', max_jobs_per_day: '' })).toEqual({
      max_queues: 3,
      rate_limit_burst: null,
      rate_limit_requests_per_second: 10,
    });
    expect(withTexts(null, {})).toEqual({});
  });
});
