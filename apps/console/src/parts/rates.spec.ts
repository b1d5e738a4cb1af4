import { inHour, inLastHour, perMinute } from './rates';

const minute = { created: 120, completed: 90, failedAttempts: 0, coveredSeconds: 60 };

describe('rates', () => {
  it('are of the last minute, per minute whatever the time that was counted', () => {
    expect(perMinute(minute, 'created')).toBe('120');
    expect(perMinute({ ...minute, coveredSeconds: 50 }, 'created')).toBe('144');
    expect(perMinute({ ...minute, coveredSeconds: 120 }, 'completed')).toBe('45');
    expect(perMinute(minute, 'failedAttempts')).toBe('0');
    expect(perMinute(null, 'created')).toBe('–');
  });

  it('of an hour say how much of it they cover where something is missing', () => {
    expect(inHour(1_204, 3_600)).toBe('1,204 in 1 h');
    expect(inHour(1_204, 3_120)).toBe('1,204 in 52 min');
    expect(inLastHour(1_204, 3_600)).toBe('1,204 in the last hour');
    expect(inLastHour(1_204, 3_120)).toBe('1,204 in 52 min of the last hour');
  });
});
