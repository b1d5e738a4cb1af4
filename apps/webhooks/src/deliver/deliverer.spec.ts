import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { type DeliveryRef, productMetrics } from '@spooled/contracts';
import type { Database } from '@spooled/data-access';
import { createLogger, createMetrics, currentTraceparent, startTelemetry, withSpan } from '@spooled/platform';
import {
  createTestDatabase,
  eventually,
  ManualClock,
  openConnections,
  Receiver,
  type TestDatabase,
  unixSeconds,
} from '@spooled/testing';
import { CallbackClient, type CallbackClientOptions } from '../callback/callback-client.js';
import { signatureOf } from '../callback/signature.js';
import { Deliverer, type DelivererOptions } from './deliverer.service.js';
import { Tenant } from './tenant.fixture.js';

let store: TestDatabase;
let db: Database;
let receiver: Receiver;
let tenant: Tenant;
const clients: CallbackClient[] = [];
const metrics = createMetrics(productMetrics);
/** Handed over by deliverers, for attempts that are due later. */
const dispatched: string[] = [];
const dispatcher = { dispatch: (deliveries: DeliveryRef[]) => void dispatched.push(...deliveries.map(({ id }) => id)) };

function deliverer(options: Partial<DelivererOptions> = {}, client: Partial<CallbackClientOptions> = {}): Deliverer {
  clients.push(new CallbackClient({ production: false, ...client }));
  const rule = {
    maxAttempts: 50,
    firstWaitMs: 1,
    retrySeconds: 259_200,
    disableAfterSeconds: 432_000,
    random: () => 0,
  };
  const defaults = { ...rule, maxConcurrent: 64, maxBytes: Infinity };
  const logger = createLogger({ service: 'spec', level: 'silent' });
  return new Deliverer(db, clients.at(-1)!, dispatcher, metrics, logger, { ...defaults, ...options });
}

beforeAll(async () => {
  store = await createTestDatabase();
  const onError = () => undefined;
  db = openConnections(store, { onError });
});
beforeEach(async () => {
  receiver = await Receiver.open();
  tenant = await Tenant.create(db);
  dispatched.length = 0;
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await receiver.close();
});
afterAll(async () => {
  await db?.close();
  await store?.drop();
});

describe('outgoing webhooks', () => {
  it('SP-53 posts the signed envelope and records the response', async () => {
    const webhookId = await tenant.webhook(receiver.url(), { secret: 'shh' });
    const delivery = await tenant.delivery({ webhookId });
    expect(await deliverer().deliver(delivery)).toBeNull();

    const [call] = receiver.calls;
    const { headers, body } = call!;
    expect(call).toMatchObject({ path: '/hook', method: 'POST' });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Spooled-OutgoingWebhook/1.0',
      'x-spooled-event': 'job.completed',
      'x-spooled-delivery-attempt': '1',
    });
    const timestamp = Number(headers['x-spooled-timestamp']);
    expect(Math.abs(timestamp - unixSeconds())).toBeLessThan(60);
    expect(headers['x-spooled-signature']).toBe(signatureOf('shh', timestamp, body));
    expect(JSON.parse(body)).toMatchObject({ id: delivery.id, event: 'job.completed', data: { job_id: 'j1' } });
    expect(new Date(JSON.parse(body).created_at).getTime()).toBeGreaterThan(0);
    // A number that does not fit a double must be sent as stored.
    expect(body).toContain('"result":12345678901234567890');

    expect(await tenant.row(delivery.id)).toMatchObject({
      status: 'success',
      attempts: 1,
      status_code: 200,
      response_body: 'thanks',
      error: null,
      delivered_at: expect.any(String),
    });
  });

  it('SP-53 computes signatures as a receiver with OpenSSL would', () => {
    // printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac secret
    expect(signatureOf('secret', 1_700_000_000, '{"a":1}')).toBe(
      'sha256=49f24e537407743fa4a0242bb63b94b9a47ee99cbbe071ccd8a22550ae411686',
    );
  });

  it('SP-53 retries after a failure, sends the attempt number, and stops at the first success', async () => {
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    receiver.respond = (_call, response) => response.writeHead(receiver.calls.length < 3 ? 503 : 204).end();
    const sender = deliverer();
    for (let againInMs: number | null = 0; againInMs !== null;) againInMs = await sender.deliver(delivery);

    expect(receiver.calls.map(({ headers }) => headers['x-spooled-delivery-attempt'])).toEqual(['1', '2', '3']);
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'success', attempts: 3, status_code: 204 });
    expect(await sender.deliver(delivery)).toBeNull();
    expect(receiver.calls).toHaveLength(3);
  });

  it('SP-53 fails after the last attempt, keeping at most 4 KiB of the response', async () => {
    const webhookId = await tenant.webhook(receiver.url());
    const delivery = await tenant.delivery({ webhookId });
    receiver.respond = (_call, response) => response.writeHead(404).end('x'.repeat(100_000));
    const sender = deliverer({ maxAttempts: 2 });
    for (let againInMs: number | null = 0; againInMs !== null;) againInMs = await sender.deliver(delivery);

    expect(await tenant.row(delivery.id)).toMatchObject({
      status: 'failed',
      attempts: 2,
      status_code: 404,
      error: 'HTTP 404',
      response_body: 'x'.repeat(4096),
    });
    const [webhook] = await tenant.query(`SELECT failure_count, last_status, enabled FROM outgoing_webhooks`);
    expect(webhook).toEqual({ failure_count: 1, last_status: 'failed', enabled: true });
  });

  it('SP-53 is failed after five attempts and retried nevertheless, which counts once at its webhook', async () => {
    receiver.respond = (_call, response) => response.writeHead(500).end();
    const webhookId = await tenant.webhook(receiver.url());
    const delivery = await tenant.delivery({ webhookId });
    const sender = deliverer();
    const attempt = async () => {
      await tenant.isDue(delivery.id);
      await sender.deliver(delivery);
    };
    for (let made = 0; made < 4; made++) await attempt();
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'pending', attempts: 4 });
    await attempt();
    await attempt();
    expect(await tenant.row(delivery.id)).toMatchObject({
      status: 'failed',
      attempts: 6,
      next_attempt_at: expect.any(String),
    });
    expect(await failuresOf()).toMatchObject({
      failure_count: 1,
      last_status: 'failed',
      failing_since: expect.any(String),
    });

    receiver.respond = (_call, response) => response.end();
    await attempt();
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'success', attempts: 7, next_attempt_at: null });
    expect(await failuresOf()).toMatchObject({ failure_count: 0, last_status: 'success', failing_since: null });
  });

  it('SP-53 keeps a record of its newest 20 attempts', async () => {
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    receiver.respond = (_call, response) =>
      response.writeHead(503, { 'set-cookie': 'a=1', 'retry-after': '9' }).end('busy');
    const sender = deliverer();
    const attempt = async () => {
      await tenant.isDue(delivery.id);
      await sender.deliver(delivery);
    };
    for (let made = 0; made < 21; made++) await attempt();
    receiver.respond = (_call, response) => void response.destroy();
    await attempt();
    const { attempt_history: history } = await tenant.row(delivery.id);
    expect(history.map((entry) => entry['attempt'])).toEqual(Array.from({ length: 20 }, (_, i) => i + 3));
    expect(history[0]).toEqual({
      attempt: 3,
      ended_at: expect.any(String),
      latency_ms: expect.any(Number),
      status_code: 503,
      response_headers: expect.objectContaining({ 'set-cookie': '[redacted]', 'retry-after': '9' }),
      response_body: 'busy',
      error: 'HTTP 503',
      error_code: null,
      next_attempt_at: expect.any(String),
    });
    expect(history.at(-1)).toMatchObject({
      status_code: null,
      response_headers: {},
      response_body: null,
      error_code: expect.any(String),
    });
  });

  it('SP-53 leaves Redis when it waits for more than a minute', async () => {
    receiver.respond = (_call, response) => response.writeHead(500).end();
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    await tenant.query('UPDATE webhook_deliveries SET attempts = 5 WHERE id = $1', [delivery.id]);
    expect(await deliverer({ firstWaitMs: 1_000 }).deliver(delivery)).toBe(32_000);
    await tenant.isDue(delivery.id);
    expect(await deliverer({ firstWaitMs: 1_000 }).deliver(delivery)).toBeNull();
    expect(await deliverer().deliver(delivery)).toBeNull();
    expect(await tenant.row(delivery.id)).toMatchObject({ attempts: 7, next_attempt_at: expect.any(String) });
  });

  it('SP-53 is retried as long as its webhook says', async () => {
    receiver.respond = (_call, response) => response.writeHead(500).end();
    const webhookId = await tenant.webhook(receiver.url());
    await tenant.query('UPDATE outgoing_webhooks SET retry_seconds = 0 WHERE id = $1', [webhookId]);
    const delivery = await tenant.delivery({ webhookId });
    await tenant.query('UPDATE webhook_deliveries SET attempts = 4 WHERE id = $1', [delivery.id]);
    expect(await deliverer().deliver(delivery)).toBeNull();
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'failed', attempts: 5, next_attempt_at: null });
  });

  const failuresOf = async () =>
    (
      await tenant.query(
        'SELECT failure_count, last_status, enabled, failing_since FROM outgoing_webhooks WHERE organization_id = $1',
        [tenant.organizationId],
      )
    )[0];

  it('SP-53 disables a webhook by time and drops the rest, however many deliveries failed before', async () => {
    receiver.respond = (_call, response) => response.writeHead(500).end();
    const webhookId = await tenant.webhook(receiver.url());
    await tenant.query(
      `UPDATE outgoing_webhooks SET failure_count = 1000, failing_since = current_ts() - interval '59 s' WHERE id = $1`,
      [webhookId],
    );
    const sender = deliverer({ maxAttempts: 1, disableAfterSeconds: 60 });
    await sender.deliver(await tenant.delivery({ webhookId }));
    expect(await failuresOf()).toMatchObject({ failure_count: 1001, last_status: 'failed', enabled: true });

    await tenant.query(`UPDATE outgoing_webhooks SET failing_since = current_ts() - interval '60 s'`);
    // The first of several attempts says nothing: there may have been no delivery for days.
    await deliverer({ disableAfterSeconds: 60 }).deliver(await tenant.delivery({ webhookId }));
    expect(await failuresOf()).toMatchObject({ last_status: 'failed', enabled: true });
    await sender.deliver(await tenant.delivery({ webhookId }));
    expect(await failuresOf()).toMatchObject({ last_status: 'auto_disabled', enabled: false });

    const late = await tenant.delivery({ webhookId });
    await sender.deliver(late);
    expect(receiver.calls).toHaveLength(3);
    expect(await tenant.row(late.id)).toMatchObject({
      status: 'failed',
      attempts: 0,
      error: 'The webhook is disabled',
      next_attempt_at: null,
    });
  });

  it('BX-25 what a disabled webhook no longer sends keeps the response to its last attempt', async () => {
    receiver.respond = (_call, response) => response.writeHead(503).end('busy');
    const webhookId = await tenant.webhook(receiver.url());
    const delivery = await tenant.delivery({ webhookId });
    const sender = deliverer({ maxAttempts: 3 });
    await sender.deliver(delivery);
    await tenant.query('UPDATE outgoing_webhooks SET enabled = false WHERE id = $1', [webhookId]);
    await tenant.isDue(delivery.id);
    await sender.deliver(delivery);
    expect(await tenant.row(delivery.id)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: 'The webhook is disabled',
      status_code: 503,
      response_body: 'busy',
    });
  });

  it('stores a response with characters that PostgreSQL cannot store', async () => {
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    receiver.respond = (_call, response) => response.end(Buffer.from([0x61, 0x00, 0xff]));
    await deliverer().deliver(delivery);
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'success', response_body: 'a\u{fffd}\u{fffd}' });
  });
});

describe('completion webhooks', () => {
  it('SP-53 are signed with the secret of the job', async () => {
    const jobId = await tenant.finishedJob(receiver.url(), 'job secret');
    await deliverer().deliver(await tenant.delivery({ jobId, url: receiver.url() }));
    const { headers, body } = receiver.calls[0]!;
    expect(headers['user-agent']).toBe('Spooled-CompletionWebhook/1.0');
    expect(headers['x-spooled-signature']).toBe(
      signatureOf('job secret', Number(headers['x-spooled-timestamp']), body),
    );
  });

  it('carry neither signature nor timestamp without a secret', async () => {
    const jobId = await tenant.finishedJob(receiver.url(), null);
    await deliverer().deliver(await tenant.delivery({ jobId, url: receiver.url() }));
    expect(receiver.calls[0]!.headers).not.toHaveProperty('x-spooled-signature');
    expect(receiver.calls[0]!.headers).not.toHaveProperty('x-spooled-timestamp');
  });
});

describe('the trace of a job', () => {
  it('BX-07 shows the delivery below the request that created the job', async () => {
    const exporter = new InMemorySpanExporter();
    const spanProcessors = [new SimpleSpanProcessor({ exporter })];
    const telemetry = await startTelemetry({ serviceName: 'spec', spanProcessors });
    const traceparent = await withSpan('request', {}, () => Promise.resolve(currentTraceparent()));
    const jobId = await tenant.finishedJob(receiver.url(), null);
    await tenant.query('UPDATE jobs SET traceparent = $1 WHERE id = $2', [traceparent, jobId]);
    await deliverer().deliver(await tenant.delivery({ jobId, url: receiver.url() }));

    const [request, delivery] = ['request', 'webhook deliver'].map((name) =>
      exporter.getFinishedSpans().find((span) => span.name === name),
    );
    expect(delivery?.parentSpanContext?.spanId).toBe(request!.spanContext().spanId);
    expect(delivery?.attributes).toMatchObject({
      'spooled.delivery.outcome': 'success',
      'spooled.delivery.attempt': 1,
    });
    await telemetry.shutdown();
  });
});

describe('one delivery, several processes', () => {
  it('SP-53 is not sent by a second process while the first one holds its lease', async () => {
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    let answer: () => void = () => undefined;
    receiver.respond = (_call, response) => void (answer = () => response.end());
    const first = deliverer().deliver(delivery);
    await receiver.received(1);
    expect(await deliverer().deliver(delivery)).toBeGreaterThan(1000);
    answer();
    expect(await first).toBeNull();
    expect(receiver.calls).toHaveLength(1);
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'success', attempts: 1 });
  });

  it('SP-53 is sent again when its process was lost, whose late result is ignored', async () => {
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    let comeBack: () => void = () => undefined;
    receiver.respond = (_call, response) => void (comeBack = () => response.end());
    const lost = deliverer({ leaseSeconds: 0.2 }).deliver(delivery);
    await receiver.received(1);

    receiver.respond = (_call, response) => response.writeHead(500).end();
    const survivor = deliverer({ firstWaitMs: 30_000 });
    await eventually(async () => {
      await survivor.deliver(delivery);
      expect(await tenant.row(delivery.id)).toMatchObject({ status: 'pending', attempts: 1, status_code: 500 });
    });
    comeBack();
    await lost;
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'pending', attempts: 1, status_code: 500 });
  });

  it('PB-24 is returned, without counting as an attempt, when its process stops', async () => {
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    receiver.respond = () => undefined;
    const stopping = deliverer();
    const interrupted = stopping.deliver(delivery);
    await receiver.received(1);
    await stopping.finish(0);
    expect(await interrupted).toBe(0);
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'pending', attempts: 0 });

    receiver.respond = (_call, response) => response.end();
    expect(await deliverer().deliver(delivery)).toBeNull();
  });

  it('KF-13 one organization gets at most half of the concurrent attempts', async () => {
    const webhookId = await tenant.webhook(receiver.url());
    const deliveries = await Promise.all(Array.from({ length: 7 }, () => tenant.delivery({ webhookId })));
    const other = await Tenant.create(db);
    const ofOther = await other.delivery({ webhookId: await other.webhook(receiver.url('/other')) });
    const open: (() => void)[] = [];
    receiver.respond = (call, response) => (call.path === '/other' ? response.end() : open.push(() => response.end()));

    // Of 8 places; a share of 2 would not show what of its own use counts.
    const sender = deliverer({ maxConcurrent: 8 });
    const attempts = deliveries.map((delivery) => sender.deliver(delivery));
    await receiver.received(4);
    expect(await Promise.all(attempts.slice(4))).toEqual([null, null, null]);
    expect(await sender.deliver(ofOther)).toBeNull();
    expect(receiver.calls).toHaveLength(5);
    receiver.respond = (_call, response) => response.end();
    for (const end of open) end();
    expect(await Promise.all(attempts.slice(0, 4))).toEqual([null, null, null, null]);
    // The others have waited for a place.
    await eventually(async () => {
      for (const { id } of deliveries) expect(await tenant.row(id)).toMatchObject({ status: 'success', attempts: 1 });
    });
    expect(dispatched).toEqual([]);
  });

  it('KF-13 a delivery that has waited for a place is dispatched for its next attempt', async () => {
    const webhookId = await tenant.webhook(receiver.url());
    const [first, second] = [await tenant.delivery({ webhookId }), await tenant.delivery({ webhookId })];
    let answer: () => void = () => undefined;
    receiver.respond = (_call, response) => void (answer = () => response.writeHead(500).end());
    const sender = deliverer({ maxConcurrent: 1 });
    const slow = sender.deliver(first);
    await receiver.received(1);
    await sender.deliver(second);
    receiver.respond = (_call, response) => response.writeHead(500).end();
    answer();
    await slow;
    await eventually(() => expect(dispatched).toEqual([second.id]));
    expect(await tenant.row(second.id)).toMatchObject({ status: 'pending', attempts: 1 });
  });

  it('KF-13 deliveries that wait for a place are dispatched to others when their process stops', async () => {
    const webhookId = await tenant.webhook(receiver.url());
    const [first, second] = [await tenant.delivery({ webhookId }), await tenant.delivery({ webhookId })];
    receiver.respond = () => undefined;
    const sender = deliverer({ maxConcurrent: 1 });
    const slow = sender.deliver(first);
    await receiver.received(1);
    await sender.deliver(second);
    await sender.finish(0);
    expect([await slow, dispatched]).toEqual([0, [second.id]]);
    expect(await tenant.row(second.id)).toMatchObject({ status: 'pending', attempts: 0 });
  });
});

describe('BX-03 an organization without an attempt while all are in use', () => {
  const clock = new ManualClock();

  const ended = async (sender: Deliverer) => {
    const finished = sender.finish(0);
    await clock.advance(1);
    await finished;
  };

  /** An attempt of another organization that its receiver does not answer. */
  async function hanging(sender: Deliverer): Promise<void> {
    receiver.respond = ({ path }, response) => void (path === '/other' && response.end());
    const owner = await Tenant.create(db);
    void sender.deliver(await owner.delivery({ webhookId: await owner.webhook(receiver.url()) }));
    await receiver.received(1);
  }

  it('gets the place of the oldest attempt of the one with the most, half a second later, at no attempt', async () => {
    const sender = deliverer({ maxConcurrent: 4, clock });
    const webhookId = await tenant.webhook(receiver.url());
    const most = [await tenant.delivery({ webhookId }), await tenant.delivery({ webhookId })];
    receiver.respond = () => undefined;
    const displaced = sender.deliver(most[0]!);
    await receiver.received(1);
    void sender.deliver(most[1]!);
    await receiver.received(2);
    for (let others = 0; others < 2; others++) {
      const other = await Tenant.create(db);
      void sender.deliver(await other.delivery({ webhookId: await other.webhook(receiver.url()) }));
      await receiver.received(3 + others);
    }
    const waiting = await Tenant.create(db);
    const delivery = await waiting.delivery({ webhookId: await waiting.webhook(receiver.url('/other')) });
    receiver.respond = (_call, response) => response.end();
    expect(await sender.deliver(delivery)).toBeNull();
    await clock.advance(499);
    expect(sender.running).toBe(4);
    await clock.advance(1);
    expect(await displaced).toBe(1_000);
    expect(await tenant.row(most[0]!.id)).toMatchObject({ status: 'pending', attempts: 0 });
    await eventually(async () =>
      expect(await waiting.row(delivery.id)).toMatchObject({ status: 'success', attempts: 1 }),
    );
    await ended(sender);
  });

  it('waits for bytes as for places', async () => {
    const sender = deliverer({ maxConcurrent: 100, maxBytes: 1, clock });
    await hanging(sender);
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url('/other')) });
    expect(await sender.deliver(delivery)).toBeNull();
    await clock.advance(9_500);
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'pending' });
    // The only attempt of an organization is displaced after ten seconds.
    await clock.advance(500);
    await eventually(async () => expect(await tenant.row(delivery.id)).toMatchObject({ status: 'success' }));
    await ended(sender);
  });
});
