import { randomBytes, randomUUID } from 'node:crypto';
import { fromNow } from '@spooled/testing';
import { Webhook } from 'standardwebhooks';
import { Tenant } from '../deliver/tenant.fixture.js';
import { IngestionFixture } from './ingestion.fixture.js';
import { isStandardSignature } from './signatures.js';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const body = '{"type":"invoice.paid","timestamp":"2026-11-26T00:00:00Z","data":{"id":12345678901234567890}}';

/** Headers as the official library makes them. */
function signed(secret: string, text = body, { id = `msg_${randomUUID()}`, at = fromNow(0) } = {}) {
  const signature = new Webhook(secret).sign(id, at, text);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

describe('BX-37 signatures of Standard Webhooks', () => {
  const secret = newSecret();
  const at = 1_700_000_000;
  const headers = signed(secret, body, { id: 'msg_1', at: new Date(at * 1000) });
  const given = { id: 'msg_1', timestamp: String(at), signature: headers['webhook-signature'] };
  const check = (change: Partial<typeof given> = {}, { now = at, key = secret, text = body } = {}) =>
    isStandardSignature({ ...given, ...change }, key, Buffer.from(text), now);

  it('are accepted as the official library makes them, also among others while a secret changes', () => {
    expect(check()).toBe(true);
    const other = new Webhook(newSecret()).sign('msg_1', new Date(at * 1000), body);
    expect(check({ signature: `${other} v1a,AAAA ${given.signature}` })).toBe(true);
    expect(check({ signature: other })).toBe(false);
  });

  it('are compared up to twenty of them, because a caller without the secret may send thousands', () => {
    const among = (others: number) => check({ signature: `${'v1,AAAA '.repeat(others)}${given.signature}` });
    expect([among(19), among(20)]).toEqual([true, false]);
  });

  it('are refused more than 5 minutes before or after now', () => {
    expect([at + 300, at + 301, at - 300, at - 301].map((now) => check({}, { now }))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('are refused for another id, time, body, secret or version', () => {
    expect([
      check({ id: 'msg_2' }),
      check({ id: '' }),
      check({ timestamp: String(at + 1) }),
      check({ timestamp: 'NaN' }),
      check({ signature: '' }),
      check({ signature: given.signature.replace('v1,', 'v2,') }),
      check({ signature: given.signature.replace('v1,', '') }),
      check({}, { text: `${body} ` }),
      check({}, { key: newSecret() }),
      check({}, { key: 'whsec_' }),
    ]).not.toContain(true);
  });
});

describe('BX-37 a call by Standard Webhooks', () => {
  let fixture: IngestionFixture;
  beforeAll(async () => (fixture = await IngestionFixture.open()));
  afterAll(() => fixture.close());

  const send = (org: string, headers: Record<string, string>, text: string = body) =>
    fixture.post(org, 'standard', { body: text, headers });
  const jobsOf = (tenant: Tenant) =>
    tenant.query<{ queue_name: string; payload: string; key: string | null }>(
      'SELECT queue_name, payload::text AS payload, idempotency_key AS key FROM jobs ORDER BY created_at',
    );

  it('becomes one job for its id, with the body as it was sent', async () => {
    const secret = newSecret();
    const tenant = await Tenant.create(fixture.db, { settings: { standard_webhook_secret: secret } });
    const headers = signed(secret);
    for (let sent = 0; sent < 2; sent += 1) expect((await send(tenant.organizationId, headers)).status).toBe(200);
    expect(await jobsOf(tenant)).toEqual([
      { queue_name: 'standard-invoice-paid', payload: body, key: headers['webhook-id'] },
    ]);
    const log = await tenant.query(
      'SELECT provider, event_type, status FROM inbound_deliveries ORDER BY created_at, id',
    );
    const entry = { provider: 'standard', event_type: 'invoice.paid' };
    expect(log).toEqual([
      { ...entry, status: 'created' },
      { ...entry, status: 'duplicate' },
    ]);
  });

  it('is verified with either of two secrets while they change', async () => {
    const [next, last] = [newSecret(), newSecret()];
    const { organizationId } = await Tenant.create(fixture.db, { settings: { standard_webhook_secret: [next, last] } });
    expect((await send(organizationId, signed(next))).status).toBe(200);
    expect((await send(organizationId, signed(last))).status).toBe(200);
    expect((await send(organizationId, signed(newSecret()))).status).toBe(401);
  });

  it('is refused unsigned, without a secret, replayed, of another organization, or without a type', async () => {
    const secret = newSecret();
    const tenant = await Tenant.create(fixture.db, { settings: { standard_webhook_secret: secret } });
    const bare = await Tenant.create(fixture.db);
    const headers = signed(secret);
    const { 'webhook-id': _, ...unnamed } = headers;
    const old = signed(secret, body, { at: new Date(Date.parse('2026-01-01T00:00:00Z')) });
    for (const [org, given, text] of [
      [tenant.organizationId, {}, body],
      [tenant.organizationId, unnamed, body],
      [tenant.organizationId, headers, '{"type":"invoice.void"}'],
      [tenant.organizationId, old, body],
      [bare.organizationId, headers, body],
    ] as const) {
      expect((await send(org, given, text)).json).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    }
    const untyped = '{"data":{}}';
    expect((await send(tenant.organizationId, signed(secret, untyped), untyped)).status).toBe(422);
    expect((await send(tenant.organizationId, signed(secret, '[1]'), '[1]')).status).toBe(422);
    expect(await jobsOf(tenant)).toEqual([]);
  });
});
