import { SpooledError } from '@spooled/domain';
import { ManualClock } from '@spooled/testing';
import { BlockedTenants, isOutage } from './blocked-tenants.js';

describe('an organization whose commands were blocked', () => {
  it('counts as blocked for 5 s since the last time, and is reported when that begins', async () => {
    const clock = new ManualClock();
    const reported: string[] = [];
    const blocked = new BlockedTenants((organizationId) => reported.push(organizationId), clock);
    expect([blocked.any, blocked.has('a')]).toEqual([false, false]);
    blocked.record('a');
    await clock.advance(2_000);
    blocked.record('a');
    await clock.advance(4_999);
    expect([blocked.any, blocked.has('a'), blocked.has('b'), blocked.list()]).toEqual([true, true, false, ['a']]);
    expect(reported).toEqual(['a']);
    await clock.advance(1);
    expect([blocked.list(), blocked.any, blocked.has('a')]).toEqual([[], false, false]);
    blocked.record('a');
    expect(reported).toEqual(['a', 'a']);
    const unreported = new BlockedTenants();
    unreported.record('a');
    expect(unreported.list()).toEqual(['a']);
  });

  it('is a suspect for a minute after that, for which less time is spent', async () => {
    const clock = new ManualClock();
    const blocked = new BlockedTenants(undefined, clock);
    blocked.record('a');
    const states = [];
    for (const ms of [0, 4_999, 1, 59_999, 1]) {
      await clock.advance(ms);
      states.push([blocked.isSuspect('a'), blocked.suspects(), blocked.lockMs('a', 1_000)]);
    }
    const [not, is] = [[false, [], 1_000] as const, [true, ['a'], 250] as const];
    expect(states).toEqual([not, not, is, is, not]);
    expect([blocked.isSuspect('b'), blocked.lockMs('b', 1_000)]).toEqual([false, 1_000]);
  });
});

describe('an error of the work of one organization', () => {
  const withCode = (code: string) => Object.assign(new Error('of PostgreSQL'), { code });
  const unavailable = (cause?: unknown) =>
    new SpooledError('SERVICE_UNAVAILABLE', 'PostgreSQL is unavailable', { cause });

  it.each<[isOutageOf: boolean, what: string, error: unknown]>([
    [true, 'a lost connection', withCode('ECONNRESET')],
    [true, 'an outage', unavailable()],
    [false, 'a lock timeout', withCode('55P03')],
    [false, 'a statement timeout that became a 503', unavailable(withCode('57014'))],
    [false, 'a rejected row', withCode('23514')],
  ])('is an outage of PostgreSQL, for which the others wait: %s, %s', (expected, _, error) => {
    expect(isOutage(error)).toBe(expected);
  });
});
