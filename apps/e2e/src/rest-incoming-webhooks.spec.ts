import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createTenant, eventually, unixSeconds, sharedSecrets } from '@spooled/testing';
import { Webhook } from 'standardwebhooks';
import { expectDescribedResponse } from './described-responses.js';
import { newQueue } from './job-steps.js';
import { anId, problem, RestCaller } from './rest-caller.js';
import { useRest } from './use-rest.js';

const { github: githubSecret, stripe: stripeSecret } = sharedSecrets;

const anyText = expect.any(String) as unknown as string;

const { stack, tenant, rest } = useRest();

describe('incoming webhooks through the gateway', () => {
  const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

  async function resultOf(response: Response): Promise<{ status: number; body: unknown }> {
    const text = await response.text();
    const body: unknown = text === '' ? null : JSON.parse(text);
    expectDescribedResponse('POST', new URL(response.url).pathname, response.status, body);
    return { status: response.status, body };
  }

  async function tokenHeaders(): Promise<Record<string, string>> {
    const { body } = await rest.get('/organizations/webhook-token');
    return { 'content-type': 'application/json', 'x-webhook-token': body.webhook_token };
  }

  const payloadsIn = async (queue: string) => {
    const { body } = await rest.get(`/jobs?queue_name=${queue}`);
    return Promise.all((body as { id: string }[]).map(async ({ id }) => (await rest.get(`/jobs/${id}`)).body.payload));
  };

  it('SP-08 SP-52 SP-56 a custom webhook creates one job per idempotency key', async () => {
    const queue_name = newQueue();
    const body = JSON.stringify({ queue_name, payload: { n: 1 }, idempotency_key: 'one' });
    const send = async (headers: Record<string, string>) =>
      resultOf(
        await fetch(`${stack.baseUrl}/api/v1/webhooks/${tenant.organizationId}/custom`, {
          method: 'POST',
          headers,
          body,
        }),
      );
    const headers = await tokenHeaders();
    const first = await send(headers);
    expect(first).toEqual({ status: 200, body: { job_id: anId, queue_name, status: 'pending', created: true } });
    expect(await send(headers)).toMatchObject({ status: 200, body: { created: false } });
    expect(await send({ ...headers, 'x-webhook-token': 'guessed' })).toMatchObject({
      status: 401,
      body: { code: 'AUTHENTICATION_FAILED' },
    });
    expect(await payloadsIn(queue_name)).toHaveLength(1);
  });

  it('SP-52 SP-54 a GitHub webhook is verified by the signature of its exact body', async () => {
    const send = async (body: string, signed = body) => {
      const headers = {
        ...(await tokenHeaders()),
        'x-github-event': 'push',
        'x-hub-signature-256': `sha256=${hmac(githubSecret, signed)}`,
      };
      return resultOf(
        await fetch(`${stack.baseUrl}/api/v1/webhooks/${tenant.organizationId}/github`, {
          method: 'POST',
          headers,
          body,
        }),
      );
    };
    const body = `{ "spaced":  "${randomUUID()}" }`;
    expect(await send(body)).toEqual({ status: 200, body: null });
    expect(await send(body, `${body} `)).toMatchObject({ status: 401, body: { code: 'AUTHENTICATION_FAILED' } });
  });

  it('SP-52 SP-55 a Stripe webhook is verified by the signature of its time and body', async () => {
    const body = JSON.stringify({ id: `evt_${randomUUID()}`, type: 'invoice.paid', data: { object: { total: 7 } } });
    const send = async (at: number) => {
      const signature = `t=${at},v1=${hmac(stripeSecret, `${at}.${body}`)}`;
      const headers = { ...(await tokenHeaders()), 'stripe-signature': signature };
      return resultOf(
        await fetch(`${stack.baseUrl}/api/v1/webhooks/${tenant.organizationId}/stripe`, {
          method: 'POST',
          headers,
          body,
        }),
      );
    };
    const now = unixSeconds();
    expect(await send(now)).toEqual({ status: 200, body: null });
    expect(await send(now - 3_600)).toMatchObject({ status: 401, body: { code: 'AUTHENTICATION_FAILED' } });
  });
});

describe('incoming webhooks of Standard Webhooks', () => {
  it('BX-37 are verified as the official library signs them, through the gateway', async () => {
    const receiver = await createTenant(stack.databaseUrls.superuserUrl);
    const caller = new RestCaller(stack.baseUrl, receiver.key);
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const settings = { standard_webhook_secret: secret };
    expect((await caller.put(`/organizations/${receiver.organizationId}`, { settings })).status).toBe(200);
    const body = JSON.stringify({ type: 'invoice.paid', timestamp: '2026-11-26T00:00:00Z', data: { total: 7 } });
    const id = `msg_${randomUUID()}`;
    const send = async (signed: string) => {
      const at = new Date(unixSeconds() * 1_000);
      const response = await fetch(`${stack.baseUrl}/api/v1/webhooks/${receiver.organizationId}/standard`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(at.getTime() / 1_000),
          'webhook-signature': new Webhook(secret).sign(id, at, signed),
        },
        body,
      });
      return response.status;
    };
    expect([await send(body), await send(body), await send(`${body} `)]).toEqual([200, 200, 401]);
    const { body: jobs } = await caller.get('/jobs?queue_name=standard-invoice-paid');
    expect(jobs).toHaveLength(1);
  });
});

describe('the log of incoming webhooks', () => {
  const path = '/webhooks/deliveries';

  it('SP-52 BX-12 lists what was accepted from each sender, newest first, and whether it was a duplicate', async () => {
    const sender = await createTenant(stack.databaseUrls.superuserUrl);
    const caller = new RestCaller(stack.baseUrl, sender.key);
    const { body: token } = await caller.get('/organizations/webhook-token');
    const post = async (source: string, body: string, headers: Record<string, string>) => {
      const response = await fetch(`${stack.baseUrl}/api/v1/webhooks/${sender.organizationId}/${source}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      return response.status;
    };
    const custom = (body: object) => post('custom', JSON.stringify(body), { 'x-webhook-token': token.webhook_token });
    const sign = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('hex');
    const paid = { queue_name: 'orders', payload: [1], idempotency_key: 'o-1', event_type: 'order.paid' };
    const event = JSON.stringify({ id: 'evt_1', type: 'charge.ok', data: { object: { a: 1 } } });
    const now = unixSeconds();
    const statuses = [
      await custom(paid),
      await custom(paid),
      await custom({ queue_name: 'plain', payload: 'text' }),
      await custom({ queue_name: 'not / valid', payload: {} }),
      await post('github', '{}', {
        'x-github-event': 'push',
        'x-hub-signature-256': `sha256=${sign('{}', githubSecret)}`,
      }),
      await post('github', '{}', {
        'x-github-event': 'push',
        'x-hub-signature-256': `sha256=${sign('{ }', githubSecret)}`,
      }),
      await post('stripe', event, { 'stripe-signature': `t=${now},v1=${sign(`${now}.${event}`, stripeSecret)}` }),
    ];
    expect(statuses).toEqual([200, 200, 200, 400, 200, 401, 200]);

    const row = (provider: string, event_type: string, matched_queue: string, status = 'created') => ({
      ...{ id: anId, provider, event_type, matched_queue, job_id: anId, status },
      ...{ code: null, reason: null, address: null, calls: 1 },
      created_at: expect.any(String),
    });
    const listed = await caller.get(path);
    expect(listed.body).toEqual([
      row('stripe', 'charge.ok', 'stripe-charge-ok'),
      row('github', 'push', 'github-push'),
      row('custom', 'custom', 'plain'),
      row('custom', 'order.paid', 'orders', 'duplicate'),
      row('custom', 'order.paid', 'orders'),
    ]);
    const [stripe, , , duplicate, created] = listed.body;
    expect(duplicate.job_id).toBe(created.job_id);
    const ids = async (query: string) =>
      (await caller.get(`${path}?${query}`)).body.map(({ id }: { id: string }) => id);
    expect(await ids('status=duplicate')).toEqual([duplicate.id]);
    expect(await ids('status=created&queue_name=orders')).toEqual([created.id]);
    expect(await ids(`since=${encodeURIComponent(stripe.created_at)}`)).toEqual([stripe.id]);
    expect(await ids('limit=1&offset=3')).toEqual([duplicate.id]);
    const refused = await eventually(
      async () => {
        const { body: rows } = await caller.get(`${path}?status=refused`);
        expect(rows).toHaveLength(2);
        return rows;
        // Those that come later than a moment after the first one are recorded after 10 s.
      },
      { timeoutMs: 30_000 },
    );
    expect(refused).toEqual(
      expect.arrayContaining(
        [
          ['github', 'push', 'AUTHENTICATION_FAILED', 'Invalid webhook signature'],
          ['custom', 'custom', 'VALIDATION_ERROR', expect.stringContaining('queue_name')],
        ].map(([provider, event_type, code, reason]) => ({
          ...{ id: anId, provider, event_type, matched_queue: null, job_id: null, status: 'refused', code, reason },
          ...{ address: expect.any(String), calls: 1, created_at: expect.any(String) },
        })),
      ),
    );
    expect(await ids('status=refused&queue_name=orders')).toEqual([]);
    expect((await rest.get(`${path}?status=refused`)).body).not.toContainEqual(
      expect.objectContaining({ id: refused[0].id }),
    );
    // Another organization sees none of it.
    expect((await rest.get(`${path}?queue_name=stripe-charge-ok`)).body).not.toContainEqual(
      expect.objectContaining({ id: stripe.id }),
    );
  });

  it('refuses filters that do not fit, scoped keys and callers without a key', async () => {
    expect(problem(await rest.get(`${path}?status=lost`))).toMatchObject({ status: 400, details: { status: anyText } });
    expect(problem(await rest.get(`${path}?since=yesterday`))).toMatchObject({
      status: 400,
      details: { since: anyText },
    });
    const scoped = new RestCaller(stack.baseUrl, await tenant.keyFor('orders'));
    expect(problem(await scoped.get(path))).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
    expect(problem(await new RestCaller(stack.baseUrl, null).get(path))).toMatchObject({ status: 401 });
  });
});

describe('the webhook token', () => {
  it('SP-01 accepts the organization id in the webhook token paths, as older SDKs send it', async () => {
    const own = tenant.organizationId;
    const created = await rest.post(`/organizations/${own}/webhook-token/regenerate`);
    expect(created).toMatchObject({ status: 200, body: { token: created.body.webhook_token } });
    expect((await rest.get('/organizations/webhook-token')).body).toEqual(created.body);
    const cleared = await rest.post(`/organizations/${own}/webhook-token/clear`, { confirm: true });
    expect(cleared).toMatchObject({ status: 204, body: null });
    const send = await fetch(`${stack.baseUrl}/api/v1/webhooks/${own}/custom`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-token': created.body.token },
      body: JSON.stringify({ queue_name: 'orders', payload: {} }),
    });
    expect(send.status).toBe(401);
  });
});
