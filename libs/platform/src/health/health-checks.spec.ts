import { jest } from '@jest/globals';
import { HealthChecks } from './health-checks.js';

const works = async () => {};
const broken = async () => {
  throw new Error('connection refused');
};
const silent = () => new Promise<void>(() => {});

describe('HealthChecks', () => {
  it('is unhealthy if a critical check fails, and degraded if another one fails', async () => {
    const health = new HealthChecks();
    expect(await health.report()).toEqual({ status: 'healthy', checks: {} });
    health.register('database', works, { critical: true });
    health.register('cache', broken, { critical: false });
    expect(await health.report()).toEqual({ status: 'degraded', checks: { database: true, cache: false } });
    expect(await health.ready()).toBe(true);
    health.register('database', broken, { critical: true });
    expect(await health.report()).toMatchObject({ status: 'unhealthy' });
    expect(await health.ready()).toBe(false);
  });

  it('is not ready during shutdown, even if healthy', async () => {
    const health = new HealthChecks();
    health.draining = true;
    expect(await health.ready()).toBe(false);
    expect((await health.report()).status).toBe('healthy');
  });

  describe('with fake timers', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    it('fails a check that has no result after 2 s', async () => {
      const health = new HealthChecks();
      health.register('database', silent, { critical: true });
      const report = health.report();
      await jest.advanceTimersByTimeAsync(2_000);
      expect(await report).toEqual({ status: 'unhealthy', checks: { database: false } });
    });

    it('checks at most once a second, and logs each change once', async () => {
      const lines: string[] = [];
      const log = (_: object | string, message?: string) => void lines.push(message ?? '');
      const health = new HealthChecks({ warn: log, info: log });
      const check = jest.fn<() => Promise<void>>().mockImplementation(broken);
      health.register('database', check, { critical: true });
      await Promise.all([health.report(), health.report()]);
      await health.report();
      expect(check).toHaveBeenCalledTimes(1);
      jest.advanceTimersByTime(1_001);
      await health.report();
      check.mockImplementation(works);
      jest.advanceTimersByTime(1_001);
      await health.report();
      expect(check).toHaveBeenCalledTimes(3);
      expect(lines).toEqual(['database does not answer', 'database answers again']);
    });
  });
});
