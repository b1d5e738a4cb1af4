import { deliveryEnvelope, deliveryWaitMs, isDelivered } from './delivery.js';

describe('SP-53 deliveries', () => {
  it('waits 1, 2, 4, 8 s between five attempts, then gives up', () => {
    const rule = { maxAttempts: 5, firstWaitMs: 1000 };
    expect([1, 2, 3, 4, 5].map((attempts) => deliveryWaitMs(attempts, rule))).toEqual([1000, 2000, 4000, 8000, null]);
  });

  it('never waits longer than 32 s', () => {
    const rule = { maxAttempts: 10, firstWaitMs: 1000 };
    expect([5, 6, 7, 9].map((attempts) => deliveryWaitMs(attempts, rule))).toEqual([16_000, 32_000, 32_000, 32_000]);
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
