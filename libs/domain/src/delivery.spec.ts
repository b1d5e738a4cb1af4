import { deliveryEnvelope, type DeliveryRetryRule, deliveryWaitMs, isDelivered } from './delivery.js';

describe('SP-53 deliveries', () => {
  const rule = { maxAttempts: 50, firstWaitMs: 1000, retrySeconds: 259_200 };
  type Changes = Partial<DeliveryRetryRule & { random: number; ageSeconds: number; isProbe: boolean }>;
  const waitAfter = (attempts: number, { random = 0, ageSeconds = 0, isProbe = false, ...changes }: Changes = {}) =>
    deliveryWaitMs({ attempts, ageSeconds, isProbe }, { ...rule, ...changes }, random);

  it('waits 1, 2, 4, 8 s between five attempts, whatever chance says', () => {
    expect([1, 2, 3, 4].map((attempts) => waitAfter(attempts, { random: 0.9, ageSeconds: 999_999 }))).toEqual([
      1000, 2000, 4000, 8000,
    ]);
  });

  it('never waits longer than 32 s between the first five', () => {
    expect([1, 2, 3, 4].map((attempts) => waitAfter(attempts, { firstWaitMs: 10_000 }))).toEqual([
      10_000, 20_000, 32_000, 32_000,
    ]);
  });

  it('then doubles its waits up to 4 h, with a fifth of jitter', () => {
    expect([5, 6, 7, 14, 15, 30].map((attempts) => waitAfter(attempts))).toEqual([
      16_000, 32_000, 64_000, 8_192_000, 14_400_000, 14_400_000,
    ]);
    expect(waitAfter(5, { random: 0.5 })).toBe(17_600);
    expect(waitAfter(30, { random: 0.5 })).toBe(15_840_000);
  });

  it('ends with an attempt when the delivery is as old as it is retried', () => {
    expect(waitAfter(20, { ageSeconds: 259_100 })).toBe(100_000);
    expect(waitAfter(21, { ageSeconds: 259_200 })).toBeNull();
    expect(waitAfter(5, { retrySeconds: 0, ageSeconds: 15 })).toBeNull();
  });

  it('ends with the last allowed attempt', () => {
    expect([4, 5].map((attempts) => waitAfter(attempts, { maxAttempts: 5 }))).toEqual([8000, null]);
  });

  it('goes on with the probe of a held webhook, unless there are no later attempts', () => {
    const late = { isProbe: true, ageSeconds: 999_999 };
    expect([5, 50, 500].map((attempts) => waitAfter(attempts, late))).toEqual([16_000, 32_000, 32_000]);
    expect(waitAfter(5, { ...late, retrySeconds: 0 })).toBeNull();
    expect(waitAfter(5, { ...late, maxAttempts: 5 })).toBeNull();
  });

  it('takes about 31 attempts in 3 days', () => {
    let [attempts, ageSeconds] = [0, 0];
    for (let wait: number | null = 0; wait !== null; wait = waitAfter(++attempts, { ageSeconds, random: 0.5 }))
      ageSeconds += wait / 1000;
    expect([attempts, ageSeconds]).toEqual([31, 259_200]);
  });

  it('BX-13 have a body that keeps the digits of every number', () => {
    const data = '{"amount":12345678901234567890.10}';
    expect(deliveryEnvelope({ id: 'd1', event: 'job.completed', createdAt: '2026-01-01T00:00:00Z', data })).toBe(
      `{"id":"d1","event":"job.completed","created_at":"2026-01-01T00:00:00Z","data":${data}}`,
    );
  });

  it('counts 2xx alone as delivered', () => {
    expect([199, 200, 204, 299, 300, 404, 500].filter(isDelivered)).toEqual([200, 204, 299]);
  });
});
