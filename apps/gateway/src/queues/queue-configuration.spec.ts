import { useTenant } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenant(database);

const configure = (queue: string, body: object) => gateway.request('PUT', `/queues/${queue}/config`, tenant.key, body);
const rateOf = async (queue: string) => (await gateway.request('GET', `/queues/${queue}`, tenant.key)).body.rate_limit;
const claim = async (queue: string, limit: number) =>
  (await gateway.request('POST', '/jobs/claim', tenant.key, { queue_name: queue, worker_id: 'w', limit })).body.jobs;

describe("MQ-15 a queue's rate", () => {
  it('may be a fraction, stays when it is not named, and null removes it', async () => {
    expect((await configure('rated', { rate_limit: 0.5 })).body.rate_limit).toBe(0.5);
    expect((await configure('rated', { max_retries: 1 })).body.rate_limit).toBe(0.5);
    expect((await configure('rated', { rate_limit: null })).body.rate_limit).toBeNull();
    expect(await rateOf('rated')).toBeNull();
  });

  it.each([0, -1, 0.0001, 100_001])('is refused out of bounds: %d', async (rate_limit) => {
    expect(await configure('rated', { rate_limit })).toMatchObject({
      status: 400,
      body: { details: { rate_limit: expect.stringMatching(/^must be at (?:least|most)/) } },
    });
  });

  it('limits claims without Redis too', async () => {
    // One job in 100 s: none is refilled while the test runs.
    await configure('slow', { rate_limit: 0.01 });
    const jobs = Array.from({ length: 5 }, () => ({ payload: 1 }));
    await gateway.request('POST', '/jobs/bulk', tenant.key, { queue_name: 'slow', jobs });
    expect(await claim('slow', 5)).toHaveLength(1);
    expect(await claim('slow', 5)).toEqual([]);
    await configure('slow', { rate_limit: null });
    expect(await claim('slow', 5)).toHaveLength(4);
  });
});

describe('settings of a queue that the product acts on', () => {
  it.each([
    [{ retry_strategy: 'expnential' }, 'settings.retry_strategy', 'must be exponential, linear, fixed'],
    [{ retry_delay_ms: '5s' }, 'settings.retry_delay_ms', 'must be a number from 0 to 2592000000'],
    [{ backoff_multiplier: -2 }, 'settings.backoff_multiplier', 'must be a number from 1 to 100'],
    [{ concurrency: 'many' }, 'settings.concurrency', 'must be a whole number from 1 to 10000'],
  ])('are refused if they make no sense: %j', async (settings, field, reason) => {
    expect(await configure('mail', { settings })).toMatchObject({
      status: 400,
      body: { details: { [field]: reason } },
    });
  });

  it('may be removed with null, and others are kept as they are', async () => {
    const settings = { retry_delay_ms: null, retry_strategy: 'fixed', team: 'billing' };
    expect((await configure('mail', { settings })).body.settings).toEqual(settings);
  });
});
