import { Allowance, HourlyAllowances, NotAllowed } from './allowance.js';

describe('BX-39 what an agent may change', () => {
  it('is spent before each act, and never more than there is', () => {
    const allowance = new Allowance({ changes: 3, jobs: 100 });
    allowance.spend(60);
    expect(() => allowance.spend(41)).toThrow(NotAllowed);
    expect(allowance.remaining).toEqual({ changes: 2, jobs: 40 });
    allowance.spend(40);
    allowance.spend(0);
    expect(() => allowance.spend(0)).toThrow('used up');
  });

  it('is one for all sessions of a key, renewed after an hour', () => {
    let now = 0;
    const allowances = new HourlyAllowances({ changes: 1, jobs: 10 }, () => now);
    allowances.of('a').spend(10);
    now = 3_599_999;
    expect(() => allowances.of('a').spend(0)).toThrow(NotAllowed);
    expect(allowances.of('b').remaining).toEqual({ changes: 1, jobs: 10 });
    now = 3_600_000;
    expect(allowances.of('a').remaining).toEqual({ changes: 1, jobs: 10 });
  });
});
