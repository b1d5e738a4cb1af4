import { createHmac, randomUUID } from 'node:crypto';
import { createTenant, Receiver } from '@spooled/testing';
import { aTime, anId, problem, RestCaller } from './rest-caller.js';
import { registerWebhook } from './webhook-steps.js';
import { useRestForEach } from './use-rest.js';

const path = '/outgoing-webhooks';
const reason = expect.any(String) as unknown as string;
const millis = expect.any(Number) as unknown as number;

const { stack, tenant, rest } = useRestForEach();
let receiver: Receiver;

beforeEach(async () => void (receiver = await Receiver.open()));
afterEach(() => receiver.close());

const register = (events: string[], more: object = {}) => registerWebhook(rest, receiver, events, more);

describe('an outgoing webhook', () => {
  it('SP-53 is created, listed, read, changed and removed; its secret is never shown', async () => {
    const fields = { name: 'CRM', url: 'https://hooks.example.com/spooled', events: ['job.completed', 'job.failed'] };
    const created = await rest.post(path, { ...fields, secret: 'shh' });
    const webhook = {
      id: anId,
      organization_id: tenant.organizationId,
      ...fields,
      format: 'json',
      enabled: true,
      failure_count: 0,
      last_triggered_at: null,
      last_status: null,
      retry_seconds: null,
      failing_since: null,
      disables_at: null,
      rotation_ends_at: null,
      held_since: null,
      next_probe_at: null,
      dropped_count: 0,
      dropped_at: null,
      created_at: aTime,
      updated_at: aTime,
    };
    expect([created.status, created.body]).toEqual([201, webhook]);
    const own = `${path}/${created.body.id}`;
    expect(await rest.get(own)).toMatchObject({ status: 200, body: created.body });

    const changed = await rest.put(own, { name: 'CRM 2', events: ['queue.paused', 'queue.paused'], enabled: false });
    const expected = { ...created.body, name: 'CRM 2', events: ['queue.paused'], enabled: false, updated_at: aTime };
    expect([changed.status, changed.body]).toEqual([200, expected]);
    expect((await rest.put(own, { format: 'teams' })).body).toMatchObject({ format: 'teams', name: 'CRM 2' });
    for (const retry_seconds of [-1, 604_801])
      expect(problem(await rest.put(own, { retry_seconds }))).toMatchObject({ status: 400 });
    expect((await rest.put(own, { retry_seconds: 0 })).body).toMatchObject({ retry_seconds: 0 });
    expect((await rest.put(own, { name: 'CRM' })).body).toMatchObject({ retry_seconds: 0 });
    expect((await rest.put(own, { retry_seconds: null })).body).toMatchObject({ retry_seconds: null });
    expect((await rest.put(own, { name: 'CRM 3' })).body).toMatchObject({ format: 'teams', name: 'CRM 3' });
    const second = await register(['job.created']);
    const listed = await rest.get(path);
    expect([listed.status, listed.body.map(({ id }: { id: string }) => id)]).toEqual([200, [second, created.body.id]]);

    expect(await rest.delete(own)).toMatchObject({ status: 204, body: null });
    expect(problem(await rest.get(own))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(problem(await rest.delete(own))).toMatchObject({ status: 404 });
  });

  it('SP-57 rejects URLs that callbacks may not be sent to, with the error texts that SDKs expect', async () => {
    const refused = async (url: string) => {
      const { status, body } = await rest.post(path, { name: 'x', url, events: ['job.created'] });
      return [status, body.code, body.message];
    };
    const invalid = [400, 'VALIDATION_ERROR', expect.stringContaining('Invalid webhook URL')];
    expect(await refused('not a url')).toEqual(invalid);
    expect(await refused('https://169.254.169.254/latest')).toEqual(invalid);
    expect(await refused(`https://a.example/${'x'.repeat(2048)}`)).toEqual(invalid);
    const plain = [400, 'VALIDATION_ERROR', expect.stringContaining('HTTP not allowed')];
    expect(await refused('http://example.com/hook')).toEqual(plain);
    const id = await register(['job.created']);
    expect(problem(await rest.put(`${path}/${id}`, { url: 'ftp://a.example' }))).toMatchObject({
      status: 400,
      details: { url: expect.stringContaining('Invalid webhook URL') },
    });
  });

  it('names the invalid field', async () => {
    const fields = { name: 'x', url: receiver.url(), events: ['job.created'] };
    const post = async (more: object) => problem(await rest.post(path, { ...fields, ...more }));
    expect(await post({ name: undefined })).toMatchObject({ status: 422, details: { name: reason } });
    expect(await post({ name: '' })).toMatchObject({ status: 400, details: { name: reason } });
    expect(await post({ events: [] })).toMatchObject({ status: 400, details: { events: reason } });
    expect(await post({ events: ['job.exploded'] })).toMatchObject({ status: 400, details: { 'events[0]': reason } });
    expect(await post({ events: ['webhook.test'] })).toMatchObject({ status: 400 });
    expect(await post({ events: 'job.created' })).toMatchObject({ status: 422, details: { events: reason } });
    expect(await post({ secret: 'x'.repeat(256) })).toMatchObject({ status: 400, details: { secret: reason } });
    expect(await post({ format: 'xml' })).toMatchObject({ status: 400, details: { format: reason } });
    expect(await post({ enabled: 'yes' })).toMatchObject({ status: 422, details: { enabled: reason } });
  });

  it('counts against the plan while it is enabled, also with concurrent requests', async () => {
    const { superuserUrl } = stack.databaseUrls;
    const capped = await createTenant(superuserUrl, { plan: 'free', customLimits: { max_webhooks: 2 } });
    const caller = new RestCaller(stack.baseUrl, capped.key);
    const fields = { name: 'x', url: receiver.url(), events: ['job.created'] };
    const responses = await Promise.all(Array.from({ length: 6 }, () => caller.post(path, fields)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
    const full = { code: 'QUOTA_EXCEEDED', resource: 'webhooks', current: 2, limit: 2, upgrade_to: 'starter' };
    expect(responses.find(({ status }) => status === 429)?.body).toMatchObject(full);
    const off = await caller.post(path, { ...fields, enabled: false });
    expect(off).toMatchObject({ status: 201, body: { enabled: false } });
    expect(await caller.put(`${path}/${off.body.id}`, { enabled: true })).toMatchObject({ status: 429, body: full });
    const on = responses.find(({ status }) => status === 201)!.body.id;
    expect(await caller.put(`${path}/${on}`, { enabled: true })).toMatchObject({ status: 200 });
    expect(await caller.delete(`${path}/${on}`)).toMatchObject({ status: 204 });
    expect(await caller.put(`${path}/${off.body.id}`, { enabled: true })).toMatchObject({ status: 200 });
  });

  it('SP-61 is not accessible to scoped keys and other organizations', async () => {
    const id = await register(['job.created']);
    const scoped = new RestCaller(stack.baseUrl, await tenant.keyFor('mail'));
    expect(problem(await scoped.get(path))).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
    const otherTenant = new RestCaller(stack.baseUrl, (await createTenant(stack.databaseUrls.superuserUrl)).key);
    const requests = [
      otherTenant.get(`${path}/${id}`),
      otherTenant.put(`${path}/${id}`, { name: 'mine' }),
      otherTenant.delete(`${path}/${id}`),
      otherTenant.post(`${path}/${id}/test`),
      otherTenant.post(`${path}/${id}/rotate-secret`),
      otherTenant.get(`${path}/${id}/deliveries`),
      otherTenant.post(`${path}/${id}/retry/${randomUUID()}`),
      rest.get(`${path}/no-uuid`),
    ];
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array(8).fill(404));
  });

  it('is called for a test, and the response has the outcome', async () => {
    const id = await register(['job.created'], { secret: 'shh' });
    const well = await rest.post(`${path}/${id}/test`);
    const success = { success: true, status_code: 200, response_time_ms: millis, error: null };
    expect([well.status, well.body]).toEqual([200, success]);
    const { headers, body } = receiver.calls[0]!;
    expect(JSON.parse(body)).toMatchObject({ event: 'webhook.test', webhook_id: id, test: true });
    const signed = createHmac('sha256', 'shh').update(`${String(headers['x-spooled-timestamp'])}.${body}`);
    expect(headers['x-spooled-signature']).toBe(`sha256=${signed.digest('hex')}`);

    await rest.put(`${path}/${id}`, { secret: null });
    receiver.respond = (_call, response) => response.writeHead(500).end();
    const badly = await rest.post(`${path}/${id}/test`, {});
    const failure = { success: false, status_code: 500, response_time_ms: millis, error: 'HTTP 500' };
    expect([badly.status, badly.body]).toEqual([200, failure]);
    expect(receiver.calls[1]!.headers).not.toHaveProperty('x-spooled-signature');
    await rest.post(`${path}/${id}/test`, { event: 'workflow.failed' });
    expect(JSON.parse(receiver.calls[2]!.body)).toMatchObject({
      event: 'workflow.failed',
      data: { status: 'failed', workflow_id: anId },
    });
    expect(problem(await rest.post(`${path}/${id}/test`, { event: 'job.lost' }))).toMatchObject({ status: 400 });
    expect((await rest.get(`${path}/${id}/deliveries`)).body).toEqual([]);
  });
});
