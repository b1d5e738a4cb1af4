import { isGithubSignature, isSameSecret, isStripeSignature } from './signatures.js';

describe('SP-54 GitHub signatures', () => {
  // The example of GitHub's own documentation, "Validating webhook deliveries".
  const secret = "It's a Secret to Everybody";
  const body = Buffer.from('Hello, World!');
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';

  it('accepts the documented example', () => {
    expect(isGithubSignature(signature, secret, body)).toBe(true);
  });

  it.each([
    ['another body', signature, secret, Buffer.from('Hello, World?')],
    ['another secret', signature, 'guessed', body],
    ['no algorithm', signature.slice('sha256='.length), secret, body],
    ['a cut signature', signature.slice(0, -1), secret, body],
    ['an empty one', '', secret, body],
  ])('refuses %s', (_what, header, key, bytes) => {
    expect(isGithubSignature(header, key, bytes)).toBe(false);
  });
});

describe('SP-55 Stripe signatures', () => {
  // printf '1700000000.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_test
  const signature = 'c89214b5b5da833daed6f0b8c5bb6bd58cea9022bd80ccc78230f3942d632925';
  const body = Buffer.from('{"id":"evt_1"}');
  const at = 1_700_000_000;
  const check = (header: string, now = at, bytes = body) => isStripeSignature(header, 'whsec_test', bytes, now);

  it('accepts a recent one, also among others during a secret rotation', () => {
    expect(check(`t=${at},v1=${signature}`)).toBe(true);
    expect(check(`t=${at},v1=${'0'.repeat(64)},v0=old,v1=${signature}`)).toBe(true);
  });

  it('compares twenty at most, because a caller without the secret may send thousands', () => {
    const others = (count: number) => 'v1=0,'.repeat(count);
    expect([19, 20].map((count) => check(`t=${at},${others(count)}v1=${signature}`))).toEqual([true, false]);
  });

  it('refuses timestamps older than 5 minutes or more than a minute ahead', () => {
    const header = `t=${at},v1=${signature}`;
    expect([at + 300, at + 301, at - 60, at - 61].map((now) => check(header, now))).toEqual([true, false, true, false]);
  });

  it('refuses a replay with a newer timestamp, a changed body, and incomplete headers', () => {
    expect(check(`t=${at + 200},v1=${signature}`, at + 200)).toBe(false);
    expect(check(`t=${at},v1=${signature}`, at, Buffer.from('{"id":"evt_2"}'))).toBe(false);
    for (const header of ['', 'v1=x', `v1=${signature}`, `t=${at}`, `t=,v1=${signature}`, `t=NaN,v1=${signature}`]) {
      expect(check(header)).toBe(false);
    }
  });
});

it('compares secrets of any length', () => {
  expect(isSameSecret('whk_abc', 'whk_abc')).toBe(true);
  expect(isSameSecret('', 'whk_abc')).toBe(false);
  expect(isSameSecret('whk_abcd', 'whk_abc')).toBe(false);
});
