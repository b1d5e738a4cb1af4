import { createTenant, useSuperuser } from '@spooled/testing';
import pg from 'pg';
import { useAuditedGateway } from './audit.fixture.js';

const { database, gateway, tenant, send, create, newKey, newWebhook, newest } = useAuditedGateway();
const superuser = useSuperuser(database);

describe('the audit log', () => {
  it('BX-21 shows what was changed before and after, without secrets', async () => {
    await newWebhook();
    await send('PUT', '/queues/mail/config', {
      max_retries: 3,
      settings: { a: { deep: { api_token: 'hidden words' } } },
    });
    await send('PUT', '/queues/mail/config', { max_retries: 5, settings: { b: 2 } });
    await send('PUT', '/queues/mail/config', { max_retries: 5 });
    await send('POST', '/organizations/webhook-token/regenerate', {});
    const { body } = await send('GET', '/audit');
    expect(JSON.stringify(body)).not.toContain('hidden words');
    expect(body.map(({ action, before, after }: Record<string, unknown>) => ({ action, before, after }))).toEqual([
      { action: 'organization.updated', before: { settings: {} }, after: { settings: { webhook_token: '[secret]' } } },
      {
        action: 'queue.updated',
        before: { max_retries: 3, settings: {} },
        after: { max_retries: 5, settings: { b: 2 } },
      },
      {
        action: 'queue.created',
        before: null,
        after: expect.objectContaining({ max_retries: 3, settings: { a: { deep: { api_token: '[secret]' } } } }),
      },
      { action: 'webhook.created', before: null, after: expect.objectContaining({ secret: '[secret]', name: 'w' }) },
      expect.objectContaining({ action: 'api_key.created' }),
      expect.objectContaining({ action: 'organization.created' }),
    ]);
  });

  it('BX-21 shows of a URL only its host, and whether the rest changed', async () => {
    const webhook = { name: 'w', url: 'https://user:words@hooks.example.com/T1/B2?x=hidden#a', events: ['job.failed'] };
    const id = await create('/outgoing-webhooks', { ...webhook, url: 'https://hooks.example.com/T1/hidden' });
    await send('PUT', `/outgoing-webhooks/${id}`, { url: 'https://hooks.example.com/T1/other' });
    const { body } = await send('GET', '/audit?target_kind=webhook');
    const urls = [body[1].after.url, body[0].before.url, body[0].after.url];
    for (const url of urls) expect(url).toMatch(/^https:\/\/hooks\.example\.com\/\[[0-9a-f]{8}\]$/);
    expect([urls[0] === urls[1], urls[1] === urls[2]]).toEqual([true, false]);
    const { rows } = await superuser.query<{ url: string }>('SELECT without_secrets_v1(to_jsonb($1::text)) AS url', [
      webhook.url,
    ]);
    expect(rows[0]!.url).toMatch(/^https:\/\/hooks\.example\.com\/\[/);
  });

  it('BX-21 leaves out what has more than 16 KB as text', async () => {
    const shown = async (numbers: number) => {
      await send('PUT', '/queues/mail/config', { settings: { numbers: Array<number>(numbers).fill(1e308) } });
      return (await send('GET', '/audit?limit=1')).body[0].after;
    };
    expect((await shown(50)).settings.numbers).toHaveLength(50);
    // 60 KB as text, 2 KB as jsonb.
    expect(await shown(190)).toEqual({ omitted: 'larger than 16 KB' });
  });

  it('BX-21 is filtered by action, actor, target and time, and shows an organization its own entries only', async () => {
    await newKey();
    const queue = await send('PUT', '/queues/mail/config', {});
    expect(queue.status).toBe(200);
    const list = async (query: string) =>
      (await send('GET', `/audit?${query}`)).body as { target_id: string; actor: { id: string } }[];
    const [mail] = await list('target_kind=queue&target_id=mail');
    expect(mail).toMatchObject({ action: 'queue.created', actor: { kind: 'key', name: 'spec' } });
    expect(await list(`actor_kind=key&actor_id=${mail!.actor.id}`)).toHaveLength(2);
    expect(await list('action=queue.created')).toEqual([mail]);
    expect(await list('until=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await list('since=2020-01-01T00:00:00Z')).toHaveLength(4);
    const other = await createTenant(database.superuserUrl);
    const own = await gateway.request('GET', '/audit', other.key);
    expect(own.body.map((entry: { organization_id: string }) => entry.organization_id)).toEqual([
      other.organizationId,
      other.organizationId,
    ]);
    const scoped = await tenant.keyFor('mail');
    expect((await gateway.request('GET', '/audit', scoped)).status).toBe(403);
    const all = (await send('GET', `/admin/audit?organization_id=${tenant.organizationId}&action=queue.created`)).body;
    expect(all).toEqual([mail]);
  });

  it('BX-21 can be written and read by requests, but neither changed nor deleted', async () => {
    await newKey();
    const client = new pg.Client({ connectionString: database.appUrl });
    await client.connect();
    await client.query(`SET ROLE spooled_app`);
    await client.query(`SELECT set_config('app.current_org_id', $1, false)`, [tenant.organizationId]);
    for (const statement of ['UPDATE audit_log SET action = NULL', 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
      await expect(client.query(statement)).rejects.toThrow('permission denied');
    const { rows } = await client.query<{ rows: string }>('SELECT count(*) AS rows FROM audit_log');
    expect(Number(rows[0]!.rows)).toBe(3);
    await client.end();
  });

  it('BX-21 does not record what was rolled back', async () => {
    const before = (await newest())[0]?.id;
    expect((await send('PUT', '/queues/mail/config', { settings: { text: 'x'.repeat(70_000) } })).status).toBe(400);
    expect((await newest())[0]?.id).toBe(before);
  });
});
