import { unixSeconds } from '@spooled/testing';
import type { RateLimit, RateLimitResult, RateLimitScope } from '@spooled/transport';
import Fastify from 'fastify';
import { openRateLimiter, rateHeaders, reportCharge } from './rate-limits.js';

const limitOf = (scope: RateLimitScope, burst = 2): RateLimit => ({
  kind: 'bucket',
  key: scope,
  scope,
  // Never refilled.
  ratePerSecond: 0,
  burst,
});

describe('RATE_LIMIT_ENABLED=false', () => {
  const open = () => openRateLimiter(null, { RATE_LIMIT_ENABLED: false, RATE_LIMIT_FAIL_CLOSED: false });

  it.each<RateLimitScope>(['admin', 'login', 'throttle'])('keeps limits of the scope %s', async (scope) => {
    const limiter = open();
    expect(await limiter.take('a', [limitOf(scope)], 5)).toMatchObject({ granted: 2, last: { scope, remaining: 0 } });
    expect((await limiter.check('a', [limitOf(scope)])).allowed).toBe(false);
    limiter.refund('a', [limitOf(scope)]);
    expect((await limiter.check('a', [limitOf(scope)])).allowed).toBe(true);
    await limiter.reset('a', [scope]);
    expect((await limiter.check('a', [limitOf(scope)])).allowed).toBe(true);
    expect((await limiter.charge('a', [limitOf(scope)], 1)).remaining).toBe(0);
    expect((await limiter.check('a', [limitOf(scope)])).allowed).toBe(false);
  });

  it.each<RateLimitScope>(['organization', 'api_key', 'console', 'ip', 'signal'])(
    'counts nothing in the scope %s',
    async (scope) => {
      const limiter = open();
      const free = { allowed: true, scope, limit: 2, remaining: 2, retryAfterSeconds: 0 };
      expect(await limiter.take('a', [limitOf(scope)], 5)).toMatchObject({ granted: 5, last: free });
      expect(await limiter.charge('a', [limitOf(scope)], 5)).toMatchObject(free);
      const { resetAtUnix, ...last } = await limiter.check('a', [limitOf(scope)]);
      expect(last).toEqual(free);
      expect(Math.abs(resetAtUnix - unixSeconds())).toBeLessThan(60);
    },
  );

  it('counts only the limits that it keeps of several', async () => {
    const limiter = open();
    const both = [limitOf('organization', 1), limitOf('login')];
    expect((await limiter.check('a', both)).allowed).toBe(true);
    expect((await limiter.charge('a', both, 1)).remaining).toBe(0);
    limiter.refund('a', both);
    expect((await limiter.check('a', both)).allowed).toBe(true);
    expect(await limiter.check('a', both)).toMatchObject({ allowed: false, scope: 'login', limit: 2 });
  });
});

describe('tokens beyond the one of every request', () => {
  const stateOf = (scope: RateLimitScope, remaining: number): RateLimitResult => ({
    ...{ allowed: true, limit: 50, resetAtUnix: 1, retryAfterSeconds: 0 },
    scope,
    remaining,
  });
  /** The headers of a response after these charges to the organization, each of two tokens. */
  async function headersAfter(...remaining: number[]): Promise<Record<string, unknown>> {
    const fastify = Fastify();
    fastify.get('/', (_request, reply) => {
      void reply.headers(rateHeaders(stateOf('api_key', 5)));
      for (const left of remaining) reportCharge(reply, stateOf('organization', left), 2);
      return 'done';
    });
    return (await fastify.inject('/')).headers;
  }

  it('are added up, and leave another limit in the response that has fewer calls left', async () => {
    const shown = { 'x-ratelimit-scope': 'api_key', 'x-ratelimit-remaining': '5' };
    expect(await headersAfter(40)).toMatchObject({ 'x-ratelimit-cost': '3', ...shown });
    expect(await headersAfter(40, 38)).toMatchObject({ 'x-ratelimit-cost': '5', ...shown });
  });

  it('show their own limit once it has the fewest', async () => {
    expect(await headersAfter(6, 4)).toMatchObject({
      'x-ratelimit-cost': '5',
      'x-ratelimit-scope': 'organization',
      'x-ratelimit-remaining': '4',
    });
  });
});
