import { createTenant } from '@spooled/testing';
import { startGateway, useGateway } from '../gateway.fixture.js';

describe('billing and e-mail routes', () => {
  const { database, gateway } = useGateway({ ADMIN_API_KEY: 'the key of these specs' });

  it('show plan and subscription, not to scoped keys; the portal is 501 without a log line of an error', async () => {
    const tenant = await createTenant(database.superuserUrl, { plan: 'pro' });
    const scoped = await tenant.keyFor('mail');
    const none = {
      plan_tier: 'pro',
      has_stripe_customer: false,
      stripe_subscription_id: null,
      stripe_subscription_status: null,
      stripe_current_period_end: null,
      stripe_cancel_at_period_end: null,
    };
    expect(await gateway.request('GET', '/billing/status', tenant.key)).toMatchObject({ status: 200, body: none });
    expect((await gateway.request('GET', '/billing/status', scoped)).status).toBe(403);
    const end = '2026-12-01T00:00:00.000Z';
    const changed = await gateway.app.inject({
      method: 'PATCH',
      url: `/api/v1/admin/organizations/${tenant.organizationId}`,
      headers: { 'x-admin-key': 'the key of these specs' },
      payload: { stripe_customer_id: 'cus_1', stripe_subscription_id: 'sub_1', stripe_current_period_end: end },
    });
    expect(changed.statusCode).toBe(200);
    expect((await gateway.request('GET', '/billing/status', tenant.key)).body).toEqual({
      ...none,
      has_stripe_customer: true,
      stripe_subscription_id: 'sub_1',
      stripe_current_period_end: end,
    });

    const portal = await gateway.request('POST', '/billing/portal', tenant.key, { return_url: 'https://a.example' });
    expect(portal).toMatchObject({ status: 501, body: { code: 'NOT_IMPLEMENTED', message: expect.any(String) } });
    expect((await gateway.request('POST', '/billing/portal', scoped, {})).status).toBe(403);
    expect(gateway.logs.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('SP-01 tell whether a billing address is in use, at every path that SDKs call', async () => {
    const email = 'ada+spooled@example.com';
    const ask = (path: string) => gateway.request('GET', `/auth/${path}?email=${encodeURIComponent(email)}`, null);
    const free = { exists: false, available: true, signup_enabled: true };
    expect(await ask('check-email')).toMatchObject({ status: 200, body: free });
    const organization = { name: 'Ada', slug: 'ada-of-this-spec', billing_email: email.toUpperCase() };
    expect((await gateway.request('POST', '/organizations', null, organization)).status).toBe(201);
    const used = { exists: true, available: false, signup_enabled: true };
    expect((await ask('check-email')).body).toEqual(used);
    const older = await gateway.request('GET', `/auth/email/check?email=${encodeURIComponent(email)}`, null);
    expect(older.body).toEqual(used);
    expect((await gateway.request('POST', '/auth/email/check', null, { email })).body).toEqual(used);
    expect(await gateway.request('GET', '/auth/check-email?email=nonsense', null)).toMatchObject({
      status: 400,
      body: { details: { email: expect.any(String) } },
    });
    const started = await gateway.request('POST', '/auth/email/start', null, { email });
    expect(started).toMatchObject({ status: 501, body: { code: 'NOT_IMPLEMENTED' } });
  });

  it('SP-67 refuse an address that checks many', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.77' };
    const own = await startGateway(database, { env: { TRUSTED_PROXY_HOPS: '1' } });
    try {
      const url = '/api/v1/auth/check-email?email=a@example.com';
      const responses = [];
      for (let i = 0; i < 11; i++) responses.push((await own.app.inject({ url, headers })).statusCode);
      expect(responses).toEqual([...Array<number>(10).fill(200), 429]);
    } finally {
      await own.stop();
    }
  });

  it('reveal no address while registration is closed', async () => {
    const closed = await startGateway(database, { env: { REGISTRATION_MODE: 'closed' } });
    try {
      const { body } = await closed.request('GET', '/auth/check-email?email=ada%2Bspooled@example.com', null);
      expect(body).toEqual({ exists: false, available: false, signup_enabled: false });
    } finally {
      await closed.stop();
    }
  });
});
