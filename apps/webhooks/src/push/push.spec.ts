import { productMetrics } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { createLogger, createMetrics, newId } from '@spooled/platform';
import { SpooledError, type ErrorShape } from '@spooled/domain';
import { GroupCommit, JobEngine } from '@spooled/queue';
import { Commands } from '@spooled/service';
import {
  createTestDatabase,
  enqueue,
  eventually,
  newJob,
  Receiver,
  startRedis,
  type TestDatabase,
  type TestRedis,
} from '@spooled/testing';
import { parseShards, QueueSignals, RedisCredentialCache, RedisShards } from '@spooled/transport';
import { CallbackClient } from '../callback/callback-client.js';
import { signatureOf } from '../callback/signature.js';
import { Tenant } from '../deliver/tenant.fixture.js';
import { startService, type RunningService } from '../service.fixture.js';
import { PushCalls } from './push-calls.js';
import { PushWork } from './push-work.js';

const logger = createLogger({ service: 'spec', level: 'silent' });
let store: TestDatabase;
let redis: TestRedis;
let db: Database;
let shards: RedisShards;
let changes: RedisCredentialCache;
let engine: GroupCommit;
let receiver: Receiver;
let tenant: Tenant;
const services: RunningService[] = [];

const start = async (env: Record<string, string | undefined> = {}): Promise<RunningService> => {
  const urls = { DATABASE_URL: store.appUrl, DATABASE_SYSTEM_URL: store.systemUrl, REDIS_URL: redis.url };
  const service = await startService({ ...urls, PUSH_POLL_INTERVAL_MS: '50', ...env });
  services.push(service);
  return service;
};

/** Saves the settings of queue `emails` as the gateway does, and publishes the change. */
async function configure(settings: object, { rate = null as number | null, enabled = true } = {}): Promise<void> {
  await tenant.query(
    `INSERT INTO queue_config (organization_id, queue_name, settings, rate_limit, enabled) VALUES ($1, 'emails', $2, $3, $4)
     ON CONFLICT (organization_id, queue_name) DO UPDATE SET settings = $2, rate_limit = $3, enabled = $4`,
    [tenant.organizationId, JSON.stringify(settings), rate, enabled],
  );
  await changes.invalidate({ kind: 'queue', organizationId: tenant.organizationId, queueName: 'emails' });
}

/** Enqueues jobs directly, without wake-ups. Returns their ids. */
async function jobs(count: number, more: Partial<ReturnType<typeof newJob>> = {}): Promise<string[]> {
  const all = Array.from({ length: count }, () => newJob(more));
  await engine.submit(enqueue(tenant.organizationId, all));
  return all.map(({ id }) => id);
}

const job = async (id: string) =>
  (await tenant.query<Record<string, unknown>>('SELECT * FROM job_records WHERE id = $1', [id]))[0]!;
const reached = (id: string, status: string) =>
  eventually(async () => expect(await job(id)).toMatchObject({ status }), { timeoutMs: 15_000 });

beforeAll(async () => {
  [store, redis] = await Promise.all([createTestDatabase(), startRedis()]);
  const size = { maxConnections: 4, minConnections: 0, acquireTimeoutMs: 5000 };
  const onError = () => undefined;
  db = new Database({ appUrl: store.appUrl, systemUrl: store.systemUrl, applicationName: 'spec', ...size, onError });
  shards = new RedisShards({ shards: parseShards(redis.url), connectionName: 'spec', log: logger });
  changes = new RedisCredentialCache(shards, logger);
  engine = new GroupCommit(new JobEngine(db, { onEffects: () => undefined }));
  await eventually(() => expect(shards.connected).toBe(true));
});
beforeEach(async () => {
  receiver = await Receiver.open();
  tenant = await Tenant.create(db);
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
  await tenant.query('DELETE FROM queue_config');
  await receiver.close();
});
afterAll(async () => {
  await engine?.drain();
  await shards?.close();
  await db?.close();
  await Promise.all([redis?.close(), store?.drop()]);
});

describe('the jobs of a push queue', () => {
  it('MQ-10 are posted with their payload as the body, signed, and completed with the response', async () => {
    await start();
    receiver.respond = (_call, response) =>
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"n":1}');
    await configure({ callback_url: receiver.url('/work'), callback_secret: 'shh' });
    const [id] = await jobs(1, { payload: '{"to":"ada","n":12345678901234567890}', maxRetries: 2 });
    await reached(id!, 'completed');

    const { path, method, headers, body } = receiver.calls[0]!;
    expect([method, path, body]).toEqual(['POST', '/work', '{"to":"ada","n":12345678901234567890}']);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Spooled-Push/1.0',
      'x-spooled-job-id': id,
      'x-spooled-queue': 'emails',
      'x-spooled-attempt': '1',
      'x-spooled-max-attempts': '3',
      'x-spooled-signature': signatureOf('shh', Number(headers['x-spooled-timestamp']), body),
    });
    expect(await job(id!)).toMatchObject({ result: '{"n":1}', assigned_worker_id: expect.stringMatching(/^push:/) });
    expect(receiver.calls).toHaveLength(1);
  });

  it('MQ-27 become dead letters at once with a 4xx', async () => {
    await start();
    receiver.respond = (_call, response) => response.writeHead(422).end('no such customer');
    await configure({ callback_url: receiver.url() });
    const [id] = await jobs(1, { maxRetries: 5 });
    await reached(id!, 'deadletter');
    expect(await job(id!)).toMatchObject({ last_error: 'HTTP 422: no such customer', retry_count: 0 });
    expect(receiver.calls).toHaveLength(1);
  });

  it('MQ-17, MQ-20 are retried after 5xx, a lost connection and a timeout, as the queue configures', async () => {
    await start();
    receiver.respond = (_call, response) => {
      const attempt = receiver.calls.length;
      if (attempt === 1) response.writeHead(503).end();
      else if (attempt === 2) response.destroy();
      else if (attempt > 3) response.end('at last');
    };
    const backoff = { retry_strategy: 'fixed', retry_delay_ms: 10, retry_jitter_ms: 0 };
    await configure({ callback_url: receiver.url(), callback_timeout_seconds: 1, ...backoff });
    const [id] = await jobs(1, { maxRetries: 3 });
    await reached(id!, 'completed');
    expect(receiver.calls.map(({ headers }) => headers['x-spooled-attempt'])).toEqual(['1', '2', '3', '4']);
    expect(await job(id!)).toMatchObject({
      result: '{"body":"at last"}',
      last_error: expect.stringContaining('in time'),
    });
  });

  it('MQ-03 never exceed the concurrency of their queue, with two services', async () => {
    await Promise.all([start(), start()]);
    const open: (() => void)[] = [];
    let most = 0;
    receiver.respond = (_call, response) => {
      open.push(() => response.end());
      most = Math.max(most, open.length);
    };
    await configure({ callback_url: receiver.url(), concurrency: 3 });
    const ids = await jobs(9);
    for (let done = 0; done < 9; done++) {
      await receiver.received(Math.min(9, done + 3));
      open.shift()!();
    }
    await Promise.all(ids.map((id) => reached(id, 'completed')));
    expect(most).toBe(3);
    expect(receiver.calls).toHaveLength(9);
  });

  it('MQ-15, MQ-16 follow the rate of their queue and its changes, with two services', async () => {
    await Promise.all([start(), start()]);
    await configure({ callback_url: receiver.url(), concurrency: 100 }, { rate: 2 });
    const ids = await jobs(30);
    await receiver.received(1);
    const startedAt = Date.now();
    await receiver.received(5);
    // Two at once, then one every 0.5 s: five take at least 1.5 s. A lower bound also holds on a slow machine.
    expect(Date.now() - startedAt).toBeGreaterThan(1_200);
    expect(receiver.calls.length).toBeLessThan(30);
    await configure({ callback_url: receiver.url(), concurrency: 100 });
    await Promise.all(ids.map((id) => reached(id, 'completed')));
    expect(receiver.calls).toHaveLength(30);
  });

  it('wait while the queue is paused or no longer a push queue', async () => {
    await start();
    await configure({ callback_url: receiver.url() }, { enabled: false });
    const [id] = await jobs(1);
    const other = await Tenant.create(db);
    const proof = await Receiver.open();
    await other.query(`INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'emails', $2)`, [
      other.organizationId,
      JSON.stringify({ callback_url: proof.url() }),
    ]);
    await engine.submit(enqueue(other.organizationId, [newJob()]));
    // Another tenant's queue was served meanwhile.
    await proof.received(1);
    await other.query('DELETE FROM queue_config');
    await proof.close();
    expect([receiver.calls, await job(id!)]).toMatchObject([[], { status: 'pending', retry_count: 0 }]);
    await configure({ callback_url: receiver.url() });
    await reached(id!, 'completed');
  });

  it('start at the wake-up of an enqueue, without waiting for the next poll', async () => {
    await start({ PUSH_POLL_INTERVAL_MS: '60000' });
    receiver.respond = (_call, response) => response.end('ok');
    const signals = new QueueSignals(shards);
    const [id] = await jobs(1);
    // Repeated until the service has subscribed to the queue; the first poll may come before or after the job.
    await eventually(async () => {
      await configure({ callback_url: receiver.url() });
      await reached(id!, 'completed');
    });
    const [next] = await jobs(1);
    signals.wake(tenant.organizationId, 'emails', 'bulk_enqueue');
    await reached(next!, 'completed');
  });

  it('MQ-11 start at once while the receiver of another organization hangs', async () => {
    await start({ PUSH_MAX_CONCURRENT_CALLS: '8' });
    const slow = await Receiver.open();
    slow.respond = () => undefined;
    const other = await Tenant.create(db);
    await other.query(`INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, 'emails', $2)`, [
      other.organizationId,
      JSON.stringify({ callback_url: slow.url(), concurrency: 100 }),
    ]);
    await engine.submit(
      enqueue(
        other.organizationId,
        Array.from({ length: 30 }, () => newJob()),
      ),
    );
    await slow.received(4);
    await configure({ callback_url: receiver.url(), concurrency: 100 });
    const ids = await jobs(20);
    await Promise.all(ids.map((id) => reached(id, 'completed')));
    expect(slow.calls).toHaveLength(4);
    await other.query('DELETE FROM queue_config');
    await slow.close();
  });

  it('keep their attempts while the receiver does not respond: a pause, then one call at a time', async () => {
    const service = await start();
    const times: number[] = [];
    receiver.respond = (_call, response) => {
      times.push(Date.now());
      if (times.length <= 5) response.destroy();
      else response.end('back');
    };
    const backoff = { retry_strategy: 'fixed', retry_delay_ms: 10, retry_jitter_ms: 0 };
    await configure({ callback_url: receiver.url(), concurrency: 1, ...backoff });
    const ids = await jobs(6, { maxRetries: 10 });
    await Promise.all(ids.map((id) => reached(id, 'completed')));
    const all = await Promise.all(ids.map((id) => job(id)));
    expect(all.reduce((sum, { retry_count }) => sum + Number(retry_count), 0)).toBe(5);
    expect(times[5]! - times[4]!).toBeGreaterThan(950);
    const warnings = service.lines.filter(({ queue, level }) => queue === 'emails' && level === 'warn');
    expect(warnings).toMatchObject([{ msg: expect.stringContaining('not responding'), pauseMs: 1_000 }]);
  });

  it('BX-08 are processed without Redis', async () => {
    await start({ REDIS_URL: undefined });
    await configure({ callback_url: receiver.url() });
    const [id] = await jobs(1);
    await reached(id!, 'completed');
  });

  it('PB-19 are leased for the time that the service is set to', async () => {
    await start({ PUSH_LEASE_SECS: '120' });
    receiver.respond = () => undefined;
    await configure({ callback_url: receiver.url() });
    const [id] = await jobs(1);
    await receiver.received(1);
    const leaseMs = Date.parse(String((await job(id!)).lease_expires_at)) - Date.now();
    expect(leaseMs).toBeGreaterThan(60_000);
    expect(leaseMs).toBeLessThan(121_000);
  });

  it('PB-24 are released without costing an attempt when their service stops', async () => {
    const service = await start({ SHUTDOWN_TIMEOUT_SECS: '1' });
    receiver.respond = () => undefined;
    await configure({ callback_url: receiver.url() });
    const [id] = await jobs(1);
    await receiver.received(1);
    await service.stop();
    expect(await job(id!)).toMatchObject({ status: 'pending', retry_count: 0, assigned_worker_id: null });
  });
});

describe('a job with its own callback', () => {
  it('MQ-10 is posted to it with its headers and secret, and not with those of its queue', async () => {
    await start();
    const queue = { callback_url: receiver.url('/queue'), callback_headers: { 'X-Queue': 'q' }, callback_secret: 'q' };
    await configure(queue);
    const settings = { callback_url: receiver.url('/own'), callback_headers: { 'X-Own': 'o' }, callback_secret: 'o' };
    const [own] = await jobs(1, { settings: JSON.stringify(settings) });
    const [plain] = await jobs(1);
    await Promise.all([reached(own!, 'completed'), reached(plain!, 'completed')]);
    const callOf = (id: string) => receiver.calls.find(({ headers }) => headers['x-spooled-job-id'] === id)!;
    const { path, headers, body } = callOf(own!);
    expect([path, headers['x-own'], headers['x-queue']]).toEqual(['/own', 'o', undefined]);
    expect(headers['x-spooled-signature']).toBe(signatureOf('o', Number(headers['x-spooled-timestamp']), body));
    expect([callOf(plain!).path, callOf(plain!).headers['x-queue']]).toEqual(['/queue', 'q']);
  });

  it('MQ-10 needs no receiver of its queue; a job without any becomes a dead letter', async () => {
    await start();
    await configure({ push: true });
    const [own] = await jobs(1, { settings: JSON.stringify({ callback_url: receiver.url() }) });
    const [none] = await jobs(1);
    await Promise.all([reached(own!, 'completed'), reached(none!, 'deadletter')]);
    expect((await job(none!)).last_error).toContain('No callback URL');
  });

  it('MQ-20 is retried by its own backoff, and its receiver that is down does not stop its queue', async () => {
    await start();
    await configure({ callback_url: receiver.url('/queue'), retry_delay_ms: 3_600_000, retry_jitter_ms: 0 });
    const own = { callback_url: 'http://localhost:9/', retry_strategy: 'fixed', retry_delay_ms: 1 };
    const settings = JSON.stringify(own);
    // Fewer calls than open a circuit.
    const failing = await jobs(2, { settings, maxRetries: 1 });
    await Promise.all(failing.map((id) => reached(id, 'deadletter')));
    expect(await job(failing[0]!)).toMatchObject({
      retry_count: 1,
      last_error: expect.stringContaining('ECONNREFUSED'),
    });
    const [plain] = await jobs(1);
    await reached(plain!, 'completed');
  });

  it('MQ-10 keeps its attempts while its own receiver does not respond, and is called when it does', async () => {
    const service = await start();
    await configure({ callback_url: receiver.url('/queue'), retry_strategy: 'fixed', retry_delay_ms: 1 });
    const own = await Receiver.open();
    let refusals = 0;
    own.respond = (_call, response) => void (refusals++ < 5 ? response.destroy() : response.end('back'));
    const settings = (path: string) => JSON.stringify({ callback_url: own.url(path) });
    const first = await jobs(5, { settings: settings('/first'), maxRetries: 10 });
    const later: string[] = [];
    await eventually(() => expect(refusals).toBeGreaterThanOrEqual(5), { timeoutMs: 15_000 });
    await eventually(() =>
      expect(service.lines).toContainEqual(
        expect.objectContaining({ level: 'warn', origin: new URL(own.url()).origin, pauseMs: 1_000 }),
      ),
    );
    // Another path of the same receiver.
    later.push(...(await jobs(3, { settings: settings('/later'), maxRetries: 0 })));
    const [plain] = await jobs(1);
    await reached(plain!, 'completed');
    await Promise.all([...first, ...later].map((id) => reached(id, 'completed')));
    const all = await Promise.all(first.map((id) => job(id)));
    expect(all.reduce((sum, { retry_count }) => sum + Number(retry_count), 0)).toBe(5);
    await own.close();
  });
});

describe('a long call', () => {
  const held = async (leaseSeconds: number, timeoutSeconds = 20) => {
    const commands = new Commands({ run: async (command) => valueOf(await engine.submit(command)) }, 10_000);
    const work = new PushWork(commands, db, leaseSeconds);
    const client = new CallbackClient({ production: false });
    const calls = new PushCalls(work, client, createMetrics(productMetrics), logger);
    const [id] = await jobs(1);
    const [claimed] = await work.claim(tenant.organizationId, 'emails', 1);
    const target = { url: receiver.url(), secret: null, headers: {}, timeoutSeconds, concurrency: 1 };
    const running = calls.run({ organizationId: tenant.organizationId, job: claimed! }, target);
    await receiver.received(1);
    return { id: id!, lease: claimed!.leaseExpiresAt, running, client };
  };
  const valueOf = <T>(outcome: { ok: true; value: T } | { ok: false; error: ErrorShape }): T => {
    if (outcome.ok) return outcome.value;
    throw SpooledError.fromShape(outcome.error);
  };

  it('renews its lease while it runs', async () => {
    let answer: () => void = () => undefined;
    receiver.respond = (_call, response) => void (answer = () => response.end());
    const { id, lease, running, client } = await held(1);
    await eventually(async () =>
      expect(Date.parse(String((await job(id)).lease_expires_at))).toBeGreaterThan(Date.parse(lease) + 1_000),
    );
    answer();
    expect(await running).toBe('answered');
    expect(await job(id)).toMatchObject({ status: 'completed' });
    await client.close();
  });

  it('reports the receiver as unreachable after its timeout', async () => {
    receiver.respond = () => undefined;
    const { id, running, client } = await held(30, 1);
    expect(await running).toBe('unreachable');
    expect(await job(id)).toMatchObject({ retry_count: 1, last_error: expect.stringContaining('in time') });
    await client.close();
  });

  it('ends silently when its job has been claimed by another worker', async () => {
    receiver.respond = () => undefined;
    const { id, running, client } = await held(1);
    await tenant.query(`UPDATE job_queue SET worker_id = 'another', lease_id = $2 WHERE job_id = $1`, [id, newId()]);
    expect(await running).toBe('unknown');
    expect(await job(id)).toMatchObject({ status: 'processing', assigned_worker_id: 'another' });
    await client.close();
  });
});
