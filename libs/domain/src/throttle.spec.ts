import { readExact } from './exact-json.js';
import { admittedJobs, isThrottled, throttleBurst, type ThrottleTarget } from './throttle.js';

const any: ThrottleTarget = { apiKeyId: null, queueName: null, tagName: null, tagValue: null };
const job = (tags: unknown, queueName = 'mail') => ({ queueName, tags: () => readExact(JSON.stringify(tags)) });

describe('a throttle', () => {
  it.each([
    [{ queueName: 'mail' }, job(null), true],
    [{ queueName: 'bills' }, job(null), false],
    [{ tagName: 'customer' }, job({ customer: null }), true],
    [{ tagName: 'customer' }, job({ Customer: 1 }), false],
    [{ tagName: 'customer' }, job(['customer']), true],
    [{ tagName: 'customer' }, job('customer'), true],
    [{ tagName: 'customer' }, job(null), false],
    [{ tagName: 'toString' }, job({}), false],
    [{ tagName: 'customer', tagValue: '7' }, job({ customer: 7 }), true],
    [{ tagName: 'customer', tagValue: '7' }, job({ customer: '7' }), true],
    [{ tagName: 'customer', tagValue: '7' }, job({ customer: 70 }), false],
    [{ tagName: 'customer', tagValue: 'null' }, job({ customer: null }), false],
    [{ tagName: 'customer', tagValue: 'customer' }, job(['customer']), false],
    [{ queueName: 'mail', tagName: 'customer', tagValue: 'acme' }, job({ customer: 'acme' }, 'bills'), false],
  ])('%j of %j: %s', (target, one, expected) => {
    expect(isThrottled({ ...any, ...target }, one)).toBe(expected);
  });

  it('admits a whole request after a pause, and a second of its rate', () => {
    expect([throttleBurst(0.1), throttleBurst(100.5)]).toEqual([100, 101]);
  });

  it('would have admitted its burst and then its rate', () => {
    const flood = Array.from({ length: 60 }, (_, second) => ({ second, jobs: 50 }));
    expect(admittedJobs(flood, 10)).toBe(100 + 59 * 10);
    expect(admittedJobs(flood.toReversed(), 10)).toBe(100 + 59 * 10);
    expect(admittedJobs(flood, 50)).toBe(3_000);
    expect(
      admittedJobs(
        [
          { second: 0, jobs: 500 },
          { second: 599, jobs: 500 },
        ],
        1,
      ),
    ).toBe(200);
    expect(admittedJobs([], 1)).toBe(0);
  });
});
