import { pauseEndOf } from './pause-end';

const now = new Date('2026-01-01T12:00:00Z').getTime();
const day = 86_400_000;
const at = (ms: number) => new Date(now + ms).toISOString();

describe('the end of a pause', () => {
  it('is none, a duration or a time', () => {
    expect(pauseEndOf('resumed', '', now)).toEqual({ body: {}, problem: null });
    expect(pauseEndOf('3600', '', now)).toEqual({ body: { durationSeconds: 3_600 }, problem: null });
    expect(pauseEndOf('time', at(day), now)).toEqual({ body: { expiresAt: at(day) }, problem: null });
    expect(pauseEndOf('time', '', now)).toEqual({ body: {}, problem: null });
  });

  it.each([
    ['in the past', at(-1_000), 'This time is in the past.'],
    ['no time', 'soon', 'This is not a time.'],
    ['too far ahead', at(31 * day), 'This time is more than 30 days ahead.'],
  ])('is refused if it is %s', (_, time, problem) => {
    expect(pauseEndOf('time', time, now)).toEqual({ body: {}, problem });
  });
});
