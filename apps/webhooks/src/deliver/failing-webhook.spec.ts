import type { Receiver } from '@spooled/testing';
import { useDeliverer } from './deliverer.fixture.js';
import type { Tenant } from './tenant.fixture.js';

const fixture = useDeliverer();
const { deliverer } = fixture;
let receiver: Receiver;
let tenant: Tenant;
beforeEach(() => {
  ({ receiver, tenant } = fixture);
});

const failuresOf = async () =>
  (
    await tenant.query(
      'SELECT failure_count, last_status, enabled, failing_since FROM outgoing_webhooks WHERE organization_id = $1',
      [tenant.organizationId],
    )
  )[0];

describe('a webhook whose deliveries fail', () => {
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

  it('SP-53 disables a webhook by time and drops the rest', async () => {
    receiver.respond = (_call, response) => response.writeHead(500).end();
    const webhookId = await tenant.webhook(receiver.url());
    await tenant.query(
      `UPDATE outgoing_webhooks SET failure_count = 1, failing_since = current_ts() - interval '59 minutes' WHERE id = $1`,
      [webhookId],
    );
    const sender = deliverer({ maxAttempts: 1, disableAfterSeconds: 3_600 });
    await sender.deliver(await tenant.delivery({ webhookId }));
    expect(await failuresOf()).toMatchObject({ failure_count: 2, last_status: 'failed', enabled: true });

    await tenant.query(`UPDATE outgoing_webhooks SET failing_since = current_ts() - interval '1 hour'`);
    // The first of several attempts says nothing: there may have been no delivery for days.
    await deliverer({ disableAfterSeconds: 3_600 }).deliver(await tenant.delivery({ webhookId }));
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
});
