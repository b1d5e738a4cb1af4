import { type SpooledError, unauthorized, unavailable } from '@spooled/domain';
import { ManualClock } from '@spooled/testing';
import { LocalRateLimiter, type RateLimitResult } from '@spooled/transport';
import { type AddressCall, AddressLimits } from './address-limits.js';

const burst = 3;
const settings = {
  RATE_LIMIT_REQUESTS_PER_SECOND: 1,
  RATE_LIMIT_BURST_SIZE: burst,
  TRUSTED_CLIENT_IP_HEADER: undefined,
  TRUSTED_PROXY_HOPS: 0,
};
/** Limits that are not refilled, because their clock stands still. */
const open = () => new AddressLimits(new LocalRateLimiter(new ManualClock()), settings);
const call = (): AddressCall => ({ address: '203.0.113.1' });
const guarded = (): AddressCall => ({ ...call(), windows: [{ scope: 'guess', limit: 2, windowSeconds: 60 }] });

const statusOf = (done: Promise<unknown>): Promise<number> =>
  done.then(
    () => 200,
    ({ status }: SpooledError) => status,
  );
async function statuses(times: number, run: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < times; i++) found.push(await statusOf(run()));
  return found;
}

describe('SP-67 attempts of one address to authenticate', () => {
  const valid = () => Promise.resolve('a principal');
  const refused = () => Promise.reject(unauthorized('Invalid API key'));
  const unchecked = () => Promise.reject(unavailable('PostgreSQL'));

  it('are counted when they are refused, and not looked up beyond the limit', async () => {
    const limits = open();
    let lookups = 0;
    const guess = (n: number) => limits.authenticate(call, `guess ${n}`, () => (lookups++, refused()));
    expect(await statuses(burst + 2, () => guess(lookups))).toEqual([401, 401, 401, 429, 429]);
    expect(lookups).toBe(burst);
  });

  it('are not counted when the credential could not be checked', async () => {
    const limits = open();
    const attempts = await statuses(2 * burst, () => limits.authenticate(call, 'key', unchecked));
    expect(new Set(attempts)).toEqual(new Set([503]));
    expect(await statusOf(limits.authenticate(call, 'key', valid))).toBe(200);
  });

  it('are counted for a credential that was valid, from its first refusal', async () => {
    const limits = open();
    expect(await statusOf(limits.authenticate(call, 'key', valid))).toBe(200);
    expect(await statuses(burst, () => limits.authenticate(call, 'key', unchecked))).toEqual([503, 503, 503]);
    let lookups = 0;
    const use = () => limits.authenticate(call, 'key', () => (lookups++, refused()));
    expect(await statuses(burst + 1, use)).toEqual([401, 401, 401, 429]);
    expect(lookups).toBe(burst);
  });

  it('at once with one credential are one attempt if it is valid, and else one each', async () => {
    const limits = open();
    const atOnce = (credential: string, identify: () => Promise<string>) =>
      Promise.all(Array.from({ length: 10 }, () => statusOf(limits.authenticate(call, credential, identify))));
    expect(new Set(await atOnce('key', valid))).toEqual(new Set([200]));
    const uncounted = () => {
      throw new Error('counted');
    };
    expect(await limits.authenticate(uncounted, 'key', valid)).toBe('a principal');
    const guesses = await atOnce('guess', refused);
    expect(guesses.filter((status) => status === 401)).toHaveLength(burst);
    expect(guesses.filter((status) => status === 429)).toHaveLength(10 - burst);
  });

  it('leave nothing behind: there are as many guesses as callers care to make', async () => {
    const limits = open();
    await statuses(1, () => limits.authenticate(call, 'guess', refused));
    await statuses(1, () => limits.authenticate(call, 'key', valid));
    expect(Reflect.get(limits, 'attempts')).toEqual(new Map());
  });

  it('are counted apart for another address', async () => {
    const limits = open();
    await statuses(burst + 1, () => limits.authenticate(call, 'guess', refused));
    const elsewhere = () => ({ address: '203.0.113.2' });
    expect(await statusOf(limits.authenticate(elsewhere, 'guess', refused))).toBe(401);
  });
});

describe('SP-67 stricter limits of an address', () => {
  it('refuse before that of every request', async () => {
    const limits = open();
    expect(await statuses(3, () => limits.check(guarded()))).toEqual([200, 200, 429]);
    expect(await statuses(2, () => limits.check(call()))).toEqual([200, 429]);
  });

  it('count alone where only they are checked', async () => {
    const limits = open();
    expect(await statuses(3, () => limits.checkWindows(guarded()))).toEqual([200, 200, 429]);
    expect(await statuses(burst + 1, () => limits.check(call()))).toEqual([200, 200, 200, 429]);
    expect(await statuses(1, () => limits.checkWindows(call()))).toEqual([200]);
  });

  it('get a call back alone, or with that of every request', async () => {
    const [failures, all] = [open(), open()];
    const request = async () => (await failures.check(guarded()), failures.refundWindows(guarded()));
    expect(await statuses(burst + 1, request)).toEqual([200, 200, 200, 429]);
    failures.refundWindows(call());
    expect(await statuses(1, () => failures.check(call()))).toEqual([429]);
    const refunded = async () => (await all.check(guarded()), all.refund(guarded()));
    expect(await statuses(2 * burst, refunded)).not.toContain(429);
  });

  it('are named in responses as what they count', async () => {
    const seen: Partial<RateLimitResult>[] = [];
    const onCount = ({ scope, limit, remaining }: RateLimitResult) => void seen.push({ scope, limit, remaining });
    for (const counts of [undefined, 'login'] as const)
      await open().check({ ...call(), windows: [{ scope: 'guess', limit: 2, windowSeconds: 60, counts }], onCount });
    expect(seen).toEqual([
      { scope: 'ip', limit: 2, remaining: 1 },
      { scope: 'login', limit: 2, remaining: 1 },
    ]);
    expect(open().uncounted()).toMatchObject({ allowed: true, scope: 'ip', limit: burst, remaining: burst });
  });
});
