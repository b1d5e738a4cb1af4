import { roles } from '@spooled/domain';
import { useAuditedGateway } from './audit.fixture.js';

const { tenant, send, create } = useAuditedGateway();

let marks = 0;
/** A text that nothing else contains. It is a valid value of a header, and of a path. */
const mark = () => `marked-${++marks}`;
const receiver = () => `https://hooks.example.com/services/${mark()}?key=${mark()}`;
const callback = () => ({ callback_url: receiver(), callback_headers: headers(), callback_secret: mark() });
const headers = () => ({ 'x-auth': mark(), 'x-sig': mark(), 'x-tenant': mark() });
/** Members that callers name themselves. */
const own = () => ({
  cookie: mark(),
  headers: [mark(), { name: 'accept', value: mark() }],
  smtp: { user: 'mail', pass: mark(), url: `smtp://mail:${mark()}@smtp.example.com` },
  chats: [{ url: `https://${mark()}@hooks.example.com` }, receiver(), [{ tokens: [mark()] }]],
});
const jobs = () => ({ ...callback(), completion_webhook: receiver(), completion_webhook_secret: mark() });

async function sendSecrets(): Promise<void> {
  const changes: [method: string, path: string, body: object][] = [];
  for (let i = 0; i < 2; i += 1) {
    changes.push(
      ['PUT', '/queues/mail/config', { settings: { ...callback(), own: own() } }],
      ['PUT', `/organizations/${tenant.organizationId}`, { settings: organization() }],
      ['PATCH', `/admin/organizations/${tenant.organizationId}`, { settings: organization() }],
    );
  }
  for (const [method, path, body] of changes) {
    const { status } = await send(method, path, body);
    expect([path, status]).toEqual([path, 200]);
  }
  const schedule = { name: 's', cron_expression: '0 0 1 1 *', queue_name: 'mail', payload_template: own() };
  const scheduleId = await create('/schedules', { ...schedule, ...callback(), tags: own(), metadata: own() });
  const webhook = { name: 'w', url: `https://hooks.example.com/${mark()}`, events: ['job.failed'], secret: mark() };
  const webhookId = await create('/outgoing-webhooks', webhook);
  const updates: [string, object][] = [
    [`/schedules/${scheduleId}`, { ...callback(), tags: own(), metadata: own(), payload_template: own() }],
    [`/outgoing-webhooks/${webhookId}`, { url: `https://hooks.example.com/${mark()}`, secret: mark() }],
  ];
  for (const [path, body] of updates) expect([path, (await send('PUT', path, body)).status]).toEqual([path, 200]);
  await create('/jobs', { queue_name: 'mail', payload: own(), tags: own(), ...jobs() });
  expect((await send('POST', '/organizations/webhook-token/regenerate', {})).status).toBe(200);
}

const organization = () => ({
  ...own(),
  ...callback(),
  github_webhook_secret: mark(),
  stripe_webhook_secret: mark(),
});

describe('secrets in the audit log', () => {
  it('BX-21 shows none to any role, neither of new settings nor of replaced ones', async () => {
    await sendSecrets();
    const { webhook_token: token } = (await send('GET', `/organizations/${tenant.organizationId}`)).body.settings;
    expect(token).toMatch(/^whk_/);
    const shown = [await send('GET', `/admin/audit?organization_id=${tenant.organizationId}&limit=100`)];
    for (const role of roles) {
      const authorization = `Bearer ${await tenant.keyAs(role)}`;
      shown.push(await send('GET', '/audit?limit=100', undefined, { authorization }));
    }
    expect(shown.map(({ status }) => status)).toEqual([200, 200, 200, 403, 200]);
    for (const { body } of shown) expect(JSON.stringify(body).match(/marked-\d+|whk_\w+/g) ?? []).toEqual([]);
    const [all] = shown;
    const actions = (all!.body as { action: string }[]).map(({ action }) => action);
    expect(new Set(actions)).toEqual(
      new Set([
        'organization.created',
        'organization.updated',
        'queue.created',
        'queue.updated',
        'schedule.created',
        'schedule.updated',
        'webhook.created',
        'webhook.updated',
        'api_key.created',
      ]),
    );
  });
});
