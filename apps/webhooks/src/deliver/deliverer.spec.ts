import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { currentTraceparent, startTelemetry, withSpan } from '@spooled/platform';
import { type Receiver, unixSeconds } from '@spooled/testing';
import { signatureOf } from '../callback/signature.js';
import { useDeliverer } from './deliverer.fixture.js';
import type { Tenant } from './tenant.fixture.js';

const fixture = useDeliverer();
const { deliverer } = fixture;
let receiver: Receiver;
let tenant: Tenant;
beforeEach(() => {
  ({ receiver, tenant } = fixture);
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
    // It is 64 s, of which some seconds may be over.
    await tenant.query(
      `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at + interval '1 hour' WHERE id = $1`,
      [delivery.id],
    );
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

  it('stores a response with characters that PostgreSQL cannot store', async () => {
    const delivery = await tenant.delivery({ webhookId: await tenant.webhook(receiver.url()) });
    receiver.respond = (_call, response) => response.end(Buffer.from([0x61, 0x00, 0xff]));
    await deliverer().deliver(delivery);
    expect(await tenant.row(delivery.id)).toMatchObject({ status: 'success', response_body: 'a\u{fffd}\u{fffd}' });
  });
});

describe('completion webhooks', () => {
  it('SP-53 are signed with the secret of the job', async () => {
    await deliverer().deliver(await tenant.delivery({ url: receiver.url(), secret: 'job secret' }));
    const { headers, body } = receiver.calls[0]!;
    expect(headers['user-agent']).toBe('Spooled-CompletionWebhook/1.0');
    expect(headers['x-spooled-signature']).toBe(
      signatureOf('job secret', Number(headers['x-spooled-timestamp']), body),
    );
  });

  it('carry neither signature nor timestamp without a secret', async () => {
    await deliverer().deliver(await tenant.delivery({ url: receiver.url() }));
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
    const jobId = await tenant.finishedJob(traceparent!);
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
