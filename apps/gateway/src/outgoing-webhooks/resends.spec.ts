import { randomUUID } from 'node:crypto';
import { createTenant, useTenantForEach } from '@spooled/testing';
import pg from 'pg';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);

const since = '2026-01-01T00:00:00Z';
let webhook: string;
beforeEach(async () => {
  const body = { name: 'w', url: 'https://example.com/', events: ['job.failed'] };
  webhook = (await gateway.request('POST', '/outgoing-webhooks', tenant.key, body)).body.id as string;
});

const resend = (body: object, key = tenant.key, id = webhook) =>
  gateway.request('POST', `/outgoing-webhooks/${id}/resends`, key, body);
async function failed(): Promise<string> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO webhook_deliveries (organization_id, webhook_id, event, payload, status, attempts, status_code, error, next_attempt_at)
     VALUES ($1, $2, 'job.failed', '{}', 'failed', 5, 500, 'HTTP 500', NULL) RETURNING id`,
    [tenant.organizationId, webhook],
  );
  await client.end();
  return rows[0]!.id;
}

describe('BX-37 the resend of failed deliveries', () => {
  it('is counted and shown first, held and undone', async () => {
    const delivery_id = await failed();
    const sample = [
      {
        delivery_id,
        event: 'job.failed',
        status_code: 500,
        error: 'HTTP 500',
        attempts: 5,
        created_at: expect.any(String),
      },
    ];
    const dry = await resend({ since, dry_run: true });
    expect([dry.status, dry.body]).toEqual([200, { dry_run: true, count: 1, has_more: false, sample }]);
    expect((await resend({ since, dry_run: true, event: 'job.completed' })).body.count).toBe(0);
    expect((await resend({ since: '2999-01-01T00:00:00Z', dry_run: true })).body.count).toBe(0);
    expect((await resend({ since, until: since, dry_run: true })).body.count).toBe(0);

    const { status, body } = await resend({ since, event: 'job.failed', hold_seconds: 60, per_second: 5 });
    const filter = { webhook_id: webhook, created_after: since, event: 'job.failed' };
    expect([status, body]).toMatchObject([
      202,
      { kind: 'delivery.resend', state: 'held', total: 1, filter, options: { per_second: 5 }, queues: [] },
    ]);
    const undone = await gateway.request('POST', `/operations/${body.id}/cancel`, tenant.key, {});
    expect(undone.body).toMatchObject({ state: 'cancelled', started_at: null, processed: 0 });
  });

  it('is refused without a time, for an unknown event, a disabled webhook, and one of others', async () => {
    expect((await resend({})).status).toBe(422);
    expect((await resend({ since: 'yesterday' })).status).toBe(400);
    expect((await resend({ since, event: 'job.exploded' })).status).toBe(400);
    expect((await resend({ since, events: ['job.failed'] })).status).toBe(400);
    expect((await resend({ since }, tenant.key, randomUUID())).status).toBe(404);
    expect((await resend({ since }, await tenant.keyFor('mail'))).status).toBe(403);
    const other = await createTenant(database.superuserUrl);
    expect((await resend({ since, dry_run: true }, other.key)).status).toBe(404);
    await gateway.request('PUT', `/outgoing-webhooks/${webhook}`, tenant.key, { enabled: false });
    expect((await resend({ since, dry_run: true })).status).toBe(400);
  });
});
