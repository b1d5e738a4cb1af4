import { createLogger } from '@spooled/platform';
import {
  createTenant,
  createTestDatabase,
  eventually,
  startRedis,
  type TestDatabase,
  type TestRedis,
  type TestTenant,
} from '@spooled/testing';
import { parseShards, QueueSignals, RedisCredentialCache, RedisShards } from '@spooled/transport';
import { startGateway, type TestGateway } from '../gateway.fixture.js';

let database: TestDatabase;
let redis: TestRedis;
let tenant: TestTenant;
let gateway: TestGateway;
let otherProcess: RedisShards;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
  tenant = await createTenant(database.superuserUrl);
  gateway = await startGateway(database, { redisUrl: redis.url });
  const log = createLogger({ service: 'spec', level: 'silent' });
  otherProcess = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log });
  await eventually(() => expect(otherProcess.connected).toBe(true));
});

afterAll(async () => {
  await otherProcess?.close();
  await gateway?.stop();
  await redis?.close();
  await database?.drop();
});

it('notifies every process when a queue is paused, resumed and configured', async () => {
  const { organizationId, key } = tenant;
  const received: unknown[] = [];
  const signals = new QueueSignals(otherProcess);
  signals.onControl(organizationId, 'mail', (state) => received.push(state));
  signals.onWake(organizationId, 'mail', () => received.push('wake'));
  signals.onControl(organizationId, 'last', () => received.push('last'));
  new RedisCredentialCache(otherProcess, createLogger({ service: 'spec', level: 'silent' })).onInvalidate((notice) => {
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
