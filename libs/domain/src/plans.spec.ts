import fc from 'fast-check';
import { planFields } from './plan-numbers.js';
import { parsePlanOverrides, practicallyUnlimited } from './plan-overrides.js';
import { jobQuota, planLimits, upgradeTo } from './plans.js';
import { usageItem, usageWarnings } from './usage.js';

describe('plan limits', () => {
  it('keeps the free numbers that published SDK tests assert', () => {
    expect(planLimits('free')).toMatchObject({
      tier: 'free',
      display_name: 'Free',
      max_active_jobs: 10,
      max_queues: 2,
      max_workers: 1,
      max_workflows: 0,
      job_retention_days: 3,
    });
    expect(planLimits('enterprise').max_jobs_per_day).toBeNull();
    expect(planLimits('deleted').tier).toBe('free');
  });

  it('lets each stronger form win, and the organization over all', () => {
    const maybe = fc.option(fc.nat(1_000_000), { nil: undefined });
    fc.assert(
      fc.property(fc.constantFrom(...planFields), maybe, maybe, maybe, maybe, (field, all, tier, single, own) => {
        const short = field === 'rate_limit_requests_per_second' ? 'RATE_LIMIT_RPS' : field.toUpperCase();
        const overrides = parsePlanOverrides({
          SPOOLED_PLAN_LIMITS_JSON: all === undefined ? undefined : JSON.stringify({ pro: { [field]: all } }),
          SPOOLED_PLAN_PRO_LIMITS_JSON: tier === undefined ? '' : JSON.stringify({ [field]: tier }),
          [`SPOOLED_PLAN_PRO_${short}`]: single?.toString(),
        });
        const limits = planLimits('pro', overrides, own === undefined ? null : { [field]: own });
        expect(limits[field]).toBe(own ?? single ?? tier ?? all ?? planLimits('pro')[field]);
        expect(planLimits('free', overrides)).toEqual(planLimits('free'));
      }),
    );
  });

  it.each(['unlimited', 'none', 'null', '-1', 'Unlimited'])('lifts a limit for %p', (word) => {
    const overrides = parsePlanOverrides({
      SPOOLED_PLAN_FREE_MAX_WORKERS: word,
      SPOOLED_PLAN_FREE_JOB_RETENTION_DAYS: word,
    });
    expect(planLimits('free', overrides)).toMatchObject({
      max_workers: null,
      job_retention_days: practicallyUnlimited,
    });
  });

  it.each([
    { SPOOLED_PLAN_FREE_MAX_WORKERS: 'many' },
    { SPOOLED_PLAN_FREE_MAX_WORKERS: '-2' },
    { SPOOLED_PLAN_PRO_LIMITS_JSON: '[]' },
    { SPOOLED_PLAN_PRO_LIMITS_JSON: '{"max_wokers":1}' },
    { SPOOLED_PLAN_LIMITS_JSON: '{"gold":{}}' },
    { SPOOLED_PLAN_LIMITS_JSON: '{"free":' },
    { SPOOLED_PLAN_LIMITS_JSON: '{"free":5}' },
    { SPOOLED_PLAN_LIMITS_JSON: '{"free":{"max_workers":-2}}' },
    { SPOOLED_PLAN_LIMITS_JSON: '5' },
    { SPOOLED_PLAN_LIMITS_JSON: 'null' },
    { SPOOLED_PLAN_FREE_MAX_WORKERS: '5x' },
    { SPOOLED_PLAN_FREE_MAX_WORKERS: 'x5' },
  ])('refuses %p and names the variable', (env) => {
    expect(() => parsePlanOverrides(env)).toThrow(Object.keys(env)[0]);
  });

  it('ignores spaces around a value, and variables with nothing else', () => {
    expect(parsePlanOverrides({ SPOOLED_PLAN_FREE_MAX_WORKERS: ' 5 ' })).toEqual({ free: { max_workers: 5 } });
    expect(parsePlanOverrides({ SPOOLED_PLAN_FREE_MAX_WORKERS: ' ', SPOOLED_PLAN_LIMITS_JSON: ' ' })).toEqual({});
  });

  it('passes over custom limits that make no sense; null lifts one', () => {
    const custom = { max_workers: null, max_queues: 'lots', max_api_keys: -7, theme: 'dark' };
    expect(planLimits('free', {}, custom)).toEqual({ ...planLimits('free'), max_workers: null });
    expect(planLimits('free', {}, [1])).toEqual(planLimits('free'));
  });

  it('says which plan comes next', () => {
    expect(['free', 'starter', 'pro', 'enterprise'].map(upgradeTo)).toEqual(['starter', 'pro', 'enterprise', null]);
    expect(jobQuota(planLimits('free'))).toEqual({
      plan: 'free',
      upgradeTo: 'starter',
      maxJobsPerDay: 1_000,
      maxActiveJobs: 10,
      maxQueues: 2,
    });
  });
});

describe('usage', () => {
  it('warns from 50 % on free and 80 % on other plans, critical at the limit, never for what the plan lacks', () => {
    const usage = { half: usageItem(5, 10), full: usageItem(2, 2), none: usageItem(0, 0), open: usageItem(9, null) };
    const severities = (tier: string) =>
      usageWarnings(tier, usage).map(({ resource, severity }) => [resource, severity]);
    expect(severities('free')).toEqual([
      ['half', 'warning'],
      ['full', 'critical'],
    ]);
    expect(severities('pro')).toEqual([['full', 'critical']]);
    expect(usageWarnings('free', { ...usage, third: usageItem(2, 3) }).map(({ message }) => message)).toEqual([
      'half is at 50% of its limit (5/10)',
      'full limit reached (2/2)',
      'third is at 66% of its limit (2/3)',
    ]);
    expect(usage.half).toEqual({ current: 5, limit: 10, percentage: 50, is_disabled: false });
    expect(usage.none).toEqual({ current: 0, limit: 0, percentage: null, is_disabled: true });
  });
});
