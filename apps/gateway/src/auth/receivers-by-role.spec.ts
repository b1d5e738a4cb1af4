import { type Role, roles } from '@spooled/domain';
import { useSuperuser, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);
const superuser = useSuperuser(database);

const receiver = 'https://hooks.example.com/services/T1/marked?key=marked';
const settings = {
  callback_url: receiver,
  own: { api_token: 'marked', chats: [{ url: receiver }, [{ 'x-auth': ['marked'] }]], kept: 'text' },
};

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const { status, body: created } = await gateway.request('POST', path, tenant.key, body);
  expect([path, Math.floor(status / 100)]).toEqual([path, 2]);
  return created;
}

/** A completed job with a delivery to its completion webhook. */
async function completedJob(): Promise<string> {
  const { id } = await post('/jobs', { queue_name: 'plain', payload: {}, completion_webhook: receiver });
  const { jobs } = await post('/jobs/claim', { queue_name: 'plain', worker_id: 'w' });
  expect(jobs).toHaveLength(1);
  await post(`/jobs/${id as string}/complete`, { worker_id: 'w' });
  return id as string;
}

/** Sets up one of everything that names a receiver, and returns the routes that show it with how often they do. */
async function setUp(): Promise<[path: string, shown: number][]> {
  const { organizationId, key } = tenant;
  for (const path of ['/queues/mail/config', `/organizations/${organizationId}`]) {
    expect((await gateway.request('PUT', path, key, { settings })).status).toBe(200);
  }
  const callback = { queue_name: 'mail', callback_url: receiver };
  const job = (await post('/jobs', { ...callback, payload: {}, completion_webhook: receiver })).id;
  const cron = { cron_expression: '0 0 1 1 *', payload_template: {} };
  const schedule = (await post('/schedules', { ...callback, ...cron, name: 's' })).id;
  const webhook = (await post('/outgoing-webhooks', { name: 'w', url: receiver, events: ['job.failed'] })).id;
  return [
    [`/jobs/${job as string}`, 2],
    [`/jobs/${await completedJob()}/timeline`, 1],
    ['/schedules', 1],
    [`/schedules/${schedule as string}`, 1],
    ['/outgoing-webhooks', 1],
    [`/outgoing-webhooks/${webhook as string}`, 1],
    ['/queues/mail', 2],
    [`/organizations/${organizationId}`, 2],
  ];
}

describe('receivers and secret settings', () => {
  const ask = async (path: string, key: string) => {
    const { status, body } = await gateway.request('GET', path, key);
    return { status, text: JSON.stringify(body) };
  };
  const count = (text: string, part: string) => text.split(part).length - 1;

  it('BX-23 are shown to the roles that may change them, others see the host of receivers', async () => {
    const routes = await setUp();
    const shownTo = (path: string): Role[] => (path.startsWith('/organizations') ? ['admin'] : ['admin', 'operator']);
    const { rows } = await superuser.query<{ hidden: string }>(
      `SELECT without_secrets_v1(to_jsonb($1::text)) #>> '{}' AS hidden`,
      [receiver],
    );
    const { hidden } = rows[0]!;
    expect(hidden).toMatch(/^https:\/\/hooks\.example\.com\/\[[0-9a-f]{8}\]$/);
    for (const role of roles) {
      const key = await tenant.keyAs(role);
      for (const [path, times] of routes) {
        const { status, text } = await ask(path, key);
        if (role === 'worker' && !path.startsWith('/jobs')) {
          expect([path, status]).toEqual([path, 403]);
          continue;
        }
        const isFull = shownTo(path).includes(role);
        const seen = { receivers: count(text, receiver), hosts: count(text, hidden), isFull: text.includes('marked') };
        const full = { receivers: times, hosts: 0, isFull: true };
        expect([role, path, seen]).toEqual([role, path, isFull ? full : { receivers: 0, hosts: times, isFull: false }]);
        expect(status).toBe(200);
      }
    }
  });

  it('BX-23 of queues and organizations keep what is no secret', async () => {
    await setUp();
    const key = await tenant.keyAs('viewer');
    const url = expect.stringMatching(/^https:\/\/hooks\.example\.com\/\[/) as unknown;
    const own = { api_token: '[secret]', chats: [{ url }, [{ 'x-auth': '[secret]' }]], kept: 'text' };
    for (const path of ['/queues/mail', `/organizations/${tenant.organizationId}`]) {
      const { body } = await gateway.request('GET', path, key);
      expect(body.settings).toEqual({ callback_url: url, own });
    }
  });

  it('BX-23 of an organization are hidden from an administrator that is limited to queues', async () => {
    await setUp();
    const { status, text } = await ask(`/organizations/${tenant.organizationId}`, await tenant.keyFor('mail'));
    expect([status, text.includes('marked')]).toEqual([200, false]);
  });
});
