import { createTenant, useSuperuser, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway({ TRUSTED_PROXY_HOPS: '1', RATE_LIMIT_ENABLED: 'false' });
const superuser = useSuperuser(database);
const tenant = useTenantForEach(database);

async function login(key: string, address: string): Promise<number> {
  const { statusCode } = await gateway.app.inject({
    method: 'POST',
    url: '/api/v1/auth/login',
    headers: { 'content-type': 'application/json', 'user-agent': 'curl/8', 'x-forwarded-for': address },
    payload: JSON.stringify({ api_key: key }),
  });
  return statusCode;
}

interface Key {
  id: string;
  key: string;
}

const newKey = async (): Promise<Key> =>
  (await gateway.request('POST', '/api-keys', tenant.key, { name: 'spare' })).body as Key;

async function refusals(key = tenant.key): Promise<unknown[]> {
  const { body } = await gateway.request('GET', '/audit?action=api_key.login_refused', key, undefined);
  return body as unknown[];
}

describe('BX-21 the audit log shows a refused login', () => {
  it('with a revoked key, once in an hour however often it is tried', async () => {
    const { id, key } = await newKey();
    await gateway.request('DELETE', `/api-keys/${id}`, tenant.key);
    const answers = await Promise.all(['10.1.1.1', '10.1.1.2', '10.1.1.3'].map((address) => login(key, address)));
    answers.push(await login(key, '10.1.1.4'));
    expect(answers).toEqual([401, 401, 401, 401]);
    expect(await refusals()).toEqual([
      expect.objectContaining({
        target_id: id,
        address: expect.stringMatching(/^10\.1\.1\.[123]$/) as string,
        user_agent: 'curl/8',
        after: { reason: 'revoked' },
      }),
    ]);
    await superuser.query(`UPDATE audit_log SET at = at - interval '1 hour'`);
    await login(key, '10.1.1.5');
    expect(await refusals()).toHaveLength(2);
  });

  it('with an expired key', async () => {
    const { id, key } = await newKey();
    await superuser.query(`UPDATE api_keys SET expires_at = now() - interval '1 day' WHERE id = $1`, [id]);
    expect(await login(key, '10.1.2.1')).toBe(401);
    expect(await refusals()).toMatchObject([{ target_id: id, after: { reason: 'expired' } }]);
  });

  it('only in the log of its organization, and nowhere if it has none', async () => {
    const other = await createTenant(database.superuserUrl);
    const { id, key } = await newKey();
    await gateway.request('DELETE', `/api-keys/${id}`, tenant.key);
    await login(key, '10.1.3.1');
    await login(`sk_live_${'x'.repeat(43)}`, '10.1.3.2');
    await login('no key at all', '10.1.3.3');
    expect(await refusals(other.key)).toEqual([]);
    const { rows } = await superuser.query(`SELECT target_id FROM audit_log WHERE address LIKE '10.1.3.%'`);
    expect(rows).toEqual([{ target_id: id }]);
  });
});
