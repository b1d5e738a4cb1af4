import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import type { CommandBody, CommandKind, CommandOf, DeliveryRef } from '@spooled/contracts';
import { type Database, findOverdueDeliveries, firstOrganization } from '@spooled/data-access';
import { CommandPath, GroupCommit, JobEngine } from '@spooled/queue';
import { createLogger, newId } from '@spooled/platform';
import { DeliveryQueue, parseShards, RedisShards } from '@spooled/transport';
import {
  createTestDatabase,
  eventually,
  moveClock,
  openConnections,
  Receiver,
  startRedis,
  type TestDatabase,
  type TestRedis,
} from '@spooled/testing';
import { signatureOf } from '../callback/signature.js';
import { Tenant } from '../deliver/tenant.fixture.js';
import { startService, type RunningService } from '../service.fixture.js';
import { DeliverySweep } from './delivery-sweep.js';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

let store: TestDatabase;
let redis: TestRedis;
let db: Database;
let shards: RedisShards;
let handover: DeliveryQueue;
let receiver: Receiver;
let tenant: Tenant;
const services: RunningService[] = [];
/** Other resources of a test; closed after the services. */
const resources: (() => Promise<unknown>)[] = [];

async function start(env: Record<string, string | undefined> = {}): Promise<RunningService> {
  const service = await startService({
    DATABASE_URL: store.appUrl,
    DATABASE_SYSTEM_URL: store.systemUrl,
    REDIS_URL: redis.url,
    OUTGOING_WEBHOOK_RETRY_BASE_MS: '20',
    ...env,
  });
  services.push(service);
  return service;
}

const succeeded = (id: string) => eventually(async () => expect((await tenant.row(id)).status).toBe('success'));

/** Deliveries of an organization that BullMQ has. */
async function waitingInRedis(organizationId: string): Promise<string[]> {
  const queue = new Queue<DeliveryRef>('spooled-deliveries', {
    connection: { url: redis.url },
    prefix: shards.shardOf(organizationId).deliveryPrefix,
  });
  const jobs = await queue.getJobs(['delayed', 'waiting', 'active']);
  await queue.close();
  return jobs.filter(({ data }) => data.organizationId === organizationId).map(({ data }) => data.id);
}

const unlimited = { plan: 'enterprise', upgradeTo: null, maxJobsPerDay: null, maxActiveJobs: null, maxQueues: null };

const newJob = (completionWebhook: string) => ({
  id: newId(),
  queueName: 'mail',
  payload: '{}',
  jobType: '',
  priority: 0,
  maxRetries: null,
  timeoutSeconds: null,
  scheduledAt: null,
  expiresAt: null,
  idempotencyKey: null,
  tags: null,
  parentJobId: null,
  completionWebhook,
  completionWebhookSecret: 'shh',
});

/** A delivery whose dispatch was lost a minute ago. */
async function lostDelivery(webhookId: string, owner = tenant) {
  const delivery = await owner.delivery({ webhookId });
  await owner.query(`UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 minute' WHERE id = $1`, [
    delivery.id,
  ]);
  return delivery;
}

beforeAll(async () => {
  [store, redis] = await Promise.all([createTestDatabase(), startRedis()]);
  db = openConnections(store);
  shards = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log: silent });
  handover = new DeliveryQueue(shards, { log: silent });
});
beforeEach(async () => {
  receiver = await Receiver.open();
  tenant = await Tenant.create(db);
  await eventually(() => expect(shards.connected).toBe(true));
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
  for (const close of resources.splice(0).reverse()) await close();
  await receiver.close();
});
afterAll(async () => {
  await handover?.close();
  await shards?.close();
  await db?.close();
  await Promise.all([redis?.close(), store?.drop()]);
});

describe('deliveries through BullMQ', () => {
  it('SP-53 are retried after their delay until the receiver accepts', async () => {
    await start();
    receiver.respond = (_call, response) => response.writeHead(receiver.calls.length < 4 ? 500 : 200).end();
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    handover.dispatch([delivery]);
    await succeeded(delivery.id);
    expect(await tenant.row(delivery.id)).toMatchObject({ attempts: 4, status_code: 200 });
    expect(receiver.calls).toHaveLength(4);
  });

  it('KF-13 do not block other organizations on the same Redis, with several shards', async () => {
    const second = await startRedis();
    resources.push(() => second.close());
    const list = `one=${redis.url},two=${second.url}`;
    const both = new RedisShards({ shards: parseShards(list), connectionName: 'spec', log: silent });
    const queue = new DeliveryQueue(both, { log: silent });
    resources.push(
      () => both.close(),
      () => queue.close(),
    );
    await eventually(() => expect(both.connected).toBe(true));
    // Two concurrent attempts, of which one organization gets one.
    await start({ REDIS_SHARDS: list, OUTGOING_WEBHOOK_MAX_CONCURRENT_DELIVERIES: '2' });
    const open: (() => void)[] = [];
    receiver.respond = ({ path }, response) => (path === '/slow' ? open.push(() => response.end()) : response.end());
    const isNeighbour = (other: Tenant) => both.shardOf(other.organizationId) === both.shardOf(tenant.organizationId);
    let other = await Tenant.create(db);
    while (!isNeighbour(other)) other = await Tenant.create(db);

    const slow = await tenant.webhook(receiver.url('/slow'));
    queue.dispatch(await Promise.all([1, 2, 3].map(() => tenant.delivery({ webhookId: slow }))));
    await receiver.received(1);
    const delivery = await other.delivery({ webhookId: await other.webhook(receiver.url('/other')) });
    queue.dispatch([delivery]);
    await eventually(async () => expect((await other.row(delivery.id)).status).toBe('success'));
    expect(receiver.calls.filter(({ path }) => path === '/slow')).toHaveLength(1);
    for (const end of open) end();
  });

  it('SP-53 reach the completion webhook of a completed and of a dead-lettered job, deleted or not', async () => {
    const engine = new JobEngine(db, { onEffects: ({ deliveries }) => handover.dispatch(deliveries) });
    const path = new CommandPath({ mode: 'direct', transport: null, local: new GroupCommit(engine) });
    const run = <K extends CommandKind>(kind: K, body: CommandBody<K>) => {
      const { organizationId } = tenant;
      const command = { id: randomUUID(), kind, organizationId, ttlMs: 5000, traceparent: null, actor: null, body };
      return path.run(command as unknown as CommandOf<K>);
    };
    const jobs = [newJob(receiver.url('/good')), newJob(receiver.url('/bad'))];
    await run('job.enqueue', { jobs, quota: unlimited, defaults: { maxRetries: 0, timeoutSeconds: 60 } });
    await run('job.claim', { queueName: 'mail', workerId: 'w1', limit: 2, leaseSeconds: 30 });
    const proof = { workerId: 'w1', leaseId: null, queues: null };
    await run('job.complete', { ...proof, jobId: jobs[0]!.id, result: '{"sent": 1}' });
    await run('job.fail', { ...proof, jobId: jobs[1]!.id, error: 'no such address', retry: true });

    await tenant.query('DELETE FROM jobs WHERE id = $1', [jobs[1]!.id]);
    await start();

    await receiver.received(2);
    const [good, bad] = ['/good', '/bad'].map((at) => receiver.calls.find(({ path: called }) => called === at)!);
    expect(good!.headers['user-agent']).toBe('Spooled-CompletionWebhook/1.0');
    expect(JSON.parse(good!.body)).toEqual({
      id: expect.any(String),
      event: 'job.completed',
      created_at: expect.any(String),
      data: { job_id: jobs[0]!.id, queue_name: 'mail', status: 'completed', result: { sent: 1 } },
    });
    expect(JSON.parse(bad!.body)).toMatchObject({
      event: 'job.failed',
      data: { job_id: jobs[1]!.id, queue_name: 'mail', status: 'deadletter', error: 'no such address' },
    });
    expect(bad!.headers['x-spooled-signature']).toBe(
      signatureOf('shh', Number(bad!.headers['x-spooled-timestamp']), bad!.body),
    );
  });

  it('are shared by two services and sent once', async () => {
    await Promise.all([start(), start()]);
    const webhookId = await tenant.webhook(receiver.url());
    const deliveries = await Promise.all(Array.from({ length: 60 }, () => tenant.delivery({ webhookId })));
    handover.dispatch(deliveries);
    handover.dispatch(deliveries);
    await receiver.received(60);
    await Promise.all(deliveries.map(({ id }) => succeeded(id)));
    expect(new Set(receiver.calls.map(({ body }) => (JSON.parse(body) as { id: string }).id)).size).toBe(60);
    expect(receiver.calls).toHaveLength(60);
  });

  it('PB-24 are returned by a stopping service, and another one sends them', async () => {
    const stopping = await start({ SHUTDOWN_TIMEOUT_SECS: '1' });
    receiver.respond = () => undefined;
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    handover.dispatch([delivery]);
    await receiver.received(1);
    await stopping.stop();
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'pending', attempts: 0 });

    receiver.respond = (_call, response) => response.end();
    await start();
    await succeeded(delivery.id);
    expect(await tenant.row(delivery.id)).toMatchObject({ attempts: 1 });
  });
});

describe('the sweep', () => {
  it('SP-53 lets a webhook that was down for two hours catch up by itself', async () => {
    await start();
    const webhookId = await tenant.webhook(receiver.url());
    const deliveries = await Promise.all([1, 2, 3].map(() => tenant.delivery({ webhookId })));
    const rows = () => Promise.all(deliveries.map(({ id }) => tenant.row(id)));
    receiver.respond = (_call, response) => response.writeHead(503).end();
    handover.dispatch(deliveries);
    await eventually(async () => {
      for (const row of await rows())
        expect(row).toMatchObject({ status: 'failed', next_attempt_at: expect.any(String) });
    });
    // As after many more attempts: the next wait is long.
    await tenant.query('UPDATE webhook_deliveries SET attempts = 20 WHERE webhook_id = $1', [webhookId]);
    await eventually(async () => {
      // One that was in flight during the update has its short wait still.
      for (const row of await rows()) expect(row.attempts).toBeGreaterThanOrEqual(21);
    });
    await eventually(async () => expect(await waitingInRedis(tenant.organizationId)).toEqual([]));

    receiver.respond = (_call, response) => response.end();
    const before = receiver.calls.length;
    await moveClock(store, '5 hours');
    resources.push(() => moveClock(store, '-5 hours'));
    await Promise.all(deliveries.map(({ id }) => succeeded(id)));
    expect(receiver.calls).toHaveLength(before + 3);
    expect(
      await tenant.query('SELECT enabled, failing_since FROM outgoing_webhooks WHERE id = $1', [webhookId]),
    ).toEqual([{ enabled: true, failing_since: null }]);
  });

  it('BX-03 takes turns between organizations', async () => {
    const [busy, quiet] = [await Tenant.create(db), await Tenant.create(db)];
    const overdue = async (owner: Tenant, count: number) => {
      const webhookId = await owner.webhook(receiver.url());
      return Promise.all(Array.from({ length: count }, () => lostDelivery(webhookId, owner)));
    };
    await overdue(busy, 4);
    const [late] = await overdue(quiet, 1);
    const find = (page: { after: string; organizations: number; limit: number }) =>
      db.asSystem('spec', (tx) => findOverdueDeliveries(tx, { bySeconds: 15, ...page }));
    const both = await find({ after: firstOrganization, organizations: 100, limit: 4 });
    expect(both.deliveries.slice(0, 2).map(({ id }) => id)).toContain(late!.id);
    expect(both).toMatchObject({ deliveries: { length: 3 }, next: firstOrganization });
    const [one, two] = [busy, quiet].map(({ organizationId }) => organizationId).toSorted();
    const first = await find({ after: firstOrganization, organizations: 1, limit: 4 });
    expect([new Set(first.deliveries.map(({ organizationId }) => organizationId)), first.next]).toEqual([
      new Set([one]),
      one,
    ]);
    const second = await find({ after: first.next, organizations: 1, limit: 4 });
    expect(new Set(second.deliveries.map(({ organizationId }) => organizationId))).toEqual(new Set([two]));
    await db.asSystem('spec', (tx) => tx.query('UPDATE webhook_deliveries SET next_attempt_at = NULL'));
  });

  it('SP-53 finds deliveries that were never dispatched', async () => {
    const webhookId = await tenant.webhook(receiver.url());
    const lost = [await lostDelivery(webhookId), await lostDelivery(webhookId)];
    await Promise.all([start(), start()]);
    await Promise.all(lost.map(({ id }) => succeeded(id)));
    expect(receiver.calls).toHaveLength(2);
  });

  it('BX-03 leaves deliveries alone that wait for a place in this process', async () => {
    const webhookId = await tenant.webhook(receiver.url());
    const [waiting, lost] = [await lostDelivery(webhookId), await lostDelivery(webhookId)];
    const dispatched: string[] = [];
    const dispatcher = { dispatch: (found: { id: string }[]) => void dispatched.push(...found.map(({ id }) => id)) };
    const deliverer = {
      deliver: () => Promise.resolve(null),
      isWaiting: ({ id }: { id: string }) => id === waiting.id,
    };
    const held = { advance: () => Promise.resolve() };
    const logger = createLogger({ service: 'spec', level: 'silent' });
    const sweep = new DeliverySweep(db, dispatcher, deliverer, held, logger, {
      overdueSeconds: 15,
      intervalMs: 1,
      redisServes: () => true,
      redisServesAll: () => true,
    });
    await sweep.sweep();
    expect(dispatched).toContain(lost.id);
    expect(dispatched).not.toContain(waiting.id);
  });

  it('delivers without Redis', async () => {
    await start({ REDIS_URL: undefined });
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    await succeeded(delivery.id);
  });

  it('BX-03 delivers without Redis while the receiver of another organization does not answer', async () => {
    await start({ REDIS_URL: undefined, SHUTDOWN_TIMEOUT_SECS: '1' });
    receiver.respond = ({ path }, response) => void (path === '/other' && response.end());
    const slow = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    await receiver.received(1);
    const other = await Tenant.create(db);
    const delivery = await other.delivery({ webhookId: await other.webhook(receiver.url('/other')) });
    await eventually(async () => expect((await other.row(delivery.id)).status).toBe('success'));
    expect(await tenant.row(slow.id)).toMatchObject({ status: 'pending', attempts: 0 });
  });

  it('BX-08 delivers during a Redis outage, including retries, and hands over to BullMQ when it is back', async () => {
    const service = await start();
    receiver.respond = (_call, response) => response.writeHead(receiver.calls.length < 2 ? 500 : 200).end();
    await redis.kill();
    const webhookId = await tenant.webhook(receiver.url());
    const during = await tenant.delivery({ webhookId });
    handover.dispatch([during]);
    await succeeded(during.id);
    expect(await tenant.row(during.id)).toMatchObject({ attempts: 2 });

    await redis.start();
    await eventually(() => expect(shards.connected).toBe(true));
    await eventually(() => expect(service.lines.map(({ msg }) => msg)).toContain('Delivery worker recovered'));
    const after = await tenant.delivery({ webhookId });
    handover.dispatch([after]);
    await succeeded(after.id);
  });

  it('PB-24 stops in time during a Redis outage', async () => {
    const service = await start();
    await redis.kill();
    await service.stop();
    await redis.start();
  });
});
