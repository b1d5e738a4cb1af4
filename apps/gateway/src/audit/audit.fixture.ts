import { useTenantForEach } from '@spooled/testing';
import { randomAddress, type TestResponse, useGateway } from '../gateway.fixture.js';

const adminKey = 'an administrator key of these specs';

/** A gateway, and a tenant for each test that is administrator too. */
export function useAuditedGateway() {
  const { database, gateway } = useGateway({ ADMIN_API_KEY: adminKey, TRUSTED_PROXY_HOPS: '1' });
  const tenant = useTenantForEach(database);

  async function send(method: string, path: string, body?: unknown, more: object = {}): Promise<TestResponse> {
    const response = await gateway.app.inject({
      method: method as 'GET',
      url: `/api/v1${path}`,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${tenant.key}`,
        'x-admin-key': adminKey,
        'user-agent': 'curl/8',
        'x-forwarded-for': randomAddress(),
        ...more,
      },
      payload: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.statusCode, headers: response.headers, body: response.body && response.json() };
  }

  const create = async (path: string, body: object): Promise<string> =>
    (await send('POST', path, body)).body.id as string;
  const newKey = () => create('/api-keys', { name: 'k', queues: ['mail'] });
  const newWebhook = () =>
    create('/outgoing-webhooks', {
      name: 'w',
      url: 'https://example.com/',
      events: ['job.failed'],
      secret: 'hidden words',
    });

  /** The newest entries, of all organizations. */
  async function newest(): Promise<Record<string, unknown>[]> {
    return (await send('GET', '/admin/audit?limit=20')).body as Record<string, unknown>[];
  }

  return { database, gateway, tenant, send, create, newKey, newWebhook, newest };
}
