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
let elsewhere: RedisShards;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
  tenant = await createTenant(database.superuserUrl);
  gateway = await startGateway(database, { redisUrl: redis.url });
  const log = createLogger({ service: 'spec', level: 'silent' });
  elsewhere = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log });
  await eventually(() => expect(elsewhere.connected).toBe(true));
});

afterAll(async () => {
  await elsewhere?.close();
  await gateway?.stop();
  await redis?.close();
  await database?.drop();
});

it('tells every process when a queue is paused, resumed and configured', async () => {
  const { organizationId, key } = tenant;
  const heard: unknown[] = [];
  const signals = new QueueSignals(elsewhere);
  signals.onControl(organizationId, 'mail', (state) => heard.push(state));
  signals.onWake(organizationId, 'mail', () => heard.push('wake'));
  new RedisCredentialCache(elsewhere, createLogger({ service: 'spec', level: 'silent' })).onInvalidate((notice) => {
    if (notice.kind === 'queue') heard.push(notice);
  });
  const changed = { kind: 'queue', organizationId, queueName: 'mail' };
  // Repeated until the subscriptions stand: what is published before that is lost, as it may be.
  await eventually(async () => {
    heard.length = 0;
    await gateway.ask('PUT', '/queues/mail/config', key, { enabled: true });
    await eventually(() => expect(heard).toEqual(expect.arrayContaining(['resumed', 'wake', changed])), {
      timeoutMs: 500,
    });
  });
  heard.length = 0;
  await gateway.ask('POST', '/queues/mail/pause', key);
  await eventually(() => expect(heard).toEqual(expect.arrayContaining(['paused', changed])));
  expect(heard).not.toContain('wake');
});
