import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { outgoingWebhookSchemas } from '@spooled/contracts';
import type { Database } from '@spooled/data-access';
import { createTestDatabase, openConnections, Receiver, type TestDatabase } from '@spooled/testing';
import { signatureOf } from '../callback/signature.js';
import { startService, type RunningService } from '../service.fixture.js';
import { Tenant } from './tenant.fixture.js';

let store: TestDatabase;
let db: Database;
let service: RunningService;
let receiver: Receiver;
let tenant: Tenant;

beforeAll(async () => {
  store = await createTestDatabase();
  db = openConnections(store, { maxConnections: 2 });
  service = await startService({ DATABASE_URL: store.appUrl, DATABASE_SYSTEM_URL: store.systemUrl });
  tenant = await Tenant.create(db);
});
beforeEach(async () => {
  receiver = await Receiver.open();
});
afterEach(() => receiver.close());
afterAll(async () => {
  await service?.stop();
  await db?.close();
  await store?.drop();
});

async function test(webhookId: string, organizationId = tenant.organizationId, query = '') {
  const path = `/internal/outgoing-webhooks/${organizationId}/${webhookId}/test${query}`;
  const answer = await fetch(`${service.url}${path}`, { method: 'POST' });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** The members of an event's `data` that docs/behaviour.md lists, without those that not every delivery of it has. */
function documentedMembers(event: string): string[] {
  const text = readFileSync(new URL('../../../../docs/behaviour.md', import.meta.url), 'utf8');
  const row = text.split('\n').find((line) => line.startsWith('| ') && line.split('|')[1]!.includes(`\`${event}\``));
  const [, names, data] = row!.split('|') as [string, string, string];
  const parts = data.split(' / ');
  const position = names.split(',').findIndex((name) => name.includes(`\`${event}\``));
  const members = (parts[position] ?? parts[0]!).split(/;/)[0]!;
  return [...members.matchAll(/`([^`]+)`/g)]
    .flatMap(([, list]) => list!.split(', '))
    .filter((name) => /^[a-z_]+$/.test(name) && !['parent_failed', 'dependency_failed', 'enabled'].includes(name));
}

describe('a test call', () => {
  it('SP-53 is signed like a delivery, marked as a test, and reports the response', async () => {
    const webhookId = await tenant.webhook(receiver.url(), { secret: 'shh', enabled: false });
    const millis = expect.any(Number) as unknown as number;
    const success = { success: true, status_code: 200, response_time_ms: millis, error: null };
    expect(await test(webhookId)).toEqual({ status: 200, body: success });

    const { headers, body } = receiver.calls[0]!;
    expect(JSON.parse(body)).toEqual({
      event: 'webhook.test',
      webhook_id: webhookId,
      organization_id: tenant.organizationId,
      timestamp: expect.any(String),
      test: true,
      message: expect.any(String),
    });
    expect(headers).toMatchObject({ 'x-spooled-event': 'webhook.test', 'user-agent': 'Spooled-OutgoingWebhook/1.0' });
    expect(headers['x-spooled-signature']).toBe(signatureOf('shh', Number(headers['x-spooled-timestamp']), body));

    receiver.respond = (_call, response) => response.writeHead(500).end();
    const failure = { success: false, status_code: 500, response_time_ms: millis, error: 'HTTP 500' };
    expect((await test(webhookId)).body).toEqual(failure);
    const [webhook] = await tenant.query('SELECT failure_count, last_status FROM outgoing_webhooks');
    expect(webhook).toEqual({ failure_count: 0, last_status: null });
  });

  it.each(outgoingWebhookSchemas.webhookEvents)('SP-53 sends an example of %s as a delivery has it', async (event) => {
    const webhookId = await tenant.webhook(receiver.url(), { secret: 'shh' });
    expect((await test(webhookId, undefined, `?event=${event}`)).body).toMatchObject({ success: true });
    const { headers, body } = receiver.calls[0]!;
    const envelope = JSON.parse(body) as { data: object };
    expect(envelope).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event,
      created_at: expect.any(String),
      data: expect.any(Object),
    });
    expect(Object.keys(envelope.data).sort()).toEqual(documentedMembers(event).sort());
    expect(Object.values(envelope.data)).not.toContain('');
    expect(headers).toMatchObject({ 'x-spooled-event': event, 'x-spooled-test': 'true' });
    expect(headers['x-spooled-signature']).toBe(signatureOf('shh', Number(headers['x-spooled-timestamp']), body));
  });

  it('refuses events that no webhook can listen to', async () => {
    const webhookId = await tenant.webhook(receiver.url());
    for (const event of ['webhook.test', 'nonsense', '']) {
      expect((await test(webhookId, undefined, `?event=${event}`)).status).toBe(400);
    }
    expect(receiver.calls).toEqual([]);
  });

  it('reports why a receiver was not reached', async () => {
    const webhookId = await tenant.webhook('http://localhost:9/unreachable');
    expect((await test(webhookId)).body).toMatchObject({
      success: false,
      status_code: null,
      error: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('SP-61 cannot call a webhook of another organization', async () => {
    const webhookId = await tenant.webhook(receiver.url());
    expect((await test(webhookId, randomUUID())).status).toBe(404);
    expect((await test('no-uuid')).status).toBe(404);
    expect(receiver.calls).toEqual([]);
  });
});
