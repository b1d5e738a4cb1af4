import { readSettings } from '@spooled/platform';
import { planSettings } from './plan.settings.js';

const limitsOf = (env: Record<string, string>) => readSettings(planSettings, env)['SPOOLED_PLAN_*'];

describe('limits of plans', () => {
  it('are those of all variables together', () => {
    const env = { SPOOLED_PLAN_LIMITS_JSON: '{"pro":{"max_queues":7}}', SPOOLED_PLAN_FREE_MAX_WORKERS: 'unlimited' };
    expect(limitsOf(env)).toEqual({ pro: { max_queues: 7 }, free: { max_workers: null } });
    expect(limitsOf({ SPOOLED_PLANS: 'x' })).toBeUndefined();
  });

  it('are refused with the name of the variable when the service starts', () => {
    expect(() => limitsOf({ SPOOLED_PLAN_FREE_MAX_WORKERS: 'many' })).toThrow('SPOOLED_PLAN_FREE_MAX_WORKERS');
  });
});
