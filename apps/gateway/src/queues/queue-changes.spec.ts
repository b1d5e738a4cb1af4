import { createLogger } from '@spooled/platform';
import { eventually, useDatabase, useForAll, useRedis, useTenant } from '@spooled/testing';
import { parseShards, QueueSignals, RedisCredentialCache, RedisShards } from '@spooled/transport';
import { useGatewayOn } from '../gateway.fixture.js';

const database = useDatabase();
const redis = useRedis();
const tenant = useTenant(database);
const gateway = useGatewayOn(database, { redis });
const log = createLogger({ service: 'spec', level: 'silent' });
const otherProcess = useForAll(
  async () => ({ shards: new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log }) }),
  ({ shards }) => shards.close(),
);
beforeAll(() => eventually(() => expect(otherProcess.shards.connected).toBe(true)));

it('notifies every process when a queue is paused, resumed and configured', async () => {
  const { organizationId, key } = tenant;
  const received: unknown[] = [];
  const signals = new QueueSignals(otherProcess.shards);
  signals.onControl(organizationId, 'mail', (state) => received.push(state));
  signals.onWake(organizationId, 'mail', () => received.push('wake'));
  signals.onControl(organizationId, 'last', () => received.push('last'));
  new RedisCredentialCache(otherProcess.shards, log).onInvalidate((notice) => {
    if (notice.kind === 'queue') received.push(notice);
  });
  const changed = { kind: 'queue', organizationId, queueName: 'mail' };
  // Repeated until the subscriptions are active: earlier messages are lost.
  await eventually(async () => {
    received.length = 0;
    await gateway.request('PUT', '/queues/mail/config', key, { enabled: true });
    await eventually(() => expect(received).toEqual(expect.arrayContaining(['resumed', 'wake', changed])), {
      timeoutMs: 500,
    });
  });
  // Messages arrive in their order: after this one there are none of the changes before, which may have been late.
  await eventually(async () => {
    await gateway.request('PUT', '/queues/last/config', key, { enabled: true });
    await eventually(() => expect(received).toContain('last'), { timeoutMs: 500 });
  });
  received.length = 0;
  await gateway.request('POST', '/queues/mail/pause', key);
  await eventually(() => expect(received).toEqual(expect.arrayContaining(['paused', changed])));
  expect(received).not.toContain('wake');
});
