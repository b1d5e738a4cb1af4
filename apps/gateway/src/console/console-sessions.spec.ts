import { AccessTokens } from '@spooled/service';
import { createTenant, eventually, msUntil, type TestTenant } from '@spooled/testing';
import { randomUUID } from 'node:crypto';
import { type TestGateway, untilBurstFitsMinute } from '../gateway.fixture.js';
import { adminKey, Browser, signedIn, TestConsole } from './console.fixture.js';

let testConsole: TestConsole;
let gateway: TestGateway;
let tenant: TestTenant;

beforeAll(async () => {
  testConsole = await TestConsole.open();
  gateway = await testConsole.start();
});
beforeEach(async () => void (tenant = await createTenant(testConsole.database.superuserUrl)));
afterAll(() => testConsole?.close());

describe('BX-24 a session of the console', () => {
  it('begins with an API key and authenticates the requests of its page', async () => {
    const browser = new Browser(gateway);
    const key = await tenant.keyFor('mail');
    const opened = await browser.request('POST', '/console/session', { api_key: key });
    expect(opened).toMatchObject({
      status: 200,
      body: {
        kind: 'organization',
        organization: { id: tenant.organizationId, name: 'Spec', plan_tier: 'enterprise' },
        api_key: { id: expect.any(String), name: 'spec', queues: ['mail'] },
        role: 'admin',
        version: 'spec',
        organizations: [],
        trace_url: null,
        refresh_ms: 300_000,
      },
    });
    const hours = msUntil(opened.body.expires_at) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThanOrEqual(12);
    expect((await browser.request('GET', '/console/session')).body).toEqual(opened.body);
    expect((await browser.request('GET', '/jobs')).status).toBe(200);
    expect((await browser.request('POST', '/jobs', { queue_name: 'mail', payload: {} })).status).toBe(201);
    expect((await browser.request('POST', '/jobs', { queue_name: 'other', payload: {} })).status).toBe(403);
  });

  it('is in a cookie that no script can read and no other site can send', async () => {
    const { headers } = await new Browser(gateway).signIn({ api_key: tenant.key });
    const cookie = String(headers['set-cookie']);
    expect(cookie).toMatch(/^spooled_console=eyJ[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  it.each([
    ['the proxy', { 'x-forwarded-proto': 'https' }],
    ['the browser', { origin: 'https://console.test' }],
  ])('has a Secure cookie when %s says that the request came by HTTPS', async (_, headers) => {
    const browser = new Browser(gateway);
    const opened = await browser.signIn({ api_key: tenant.key }, headers);
    expect(String(opened.headers['set-cookie'])).toMatch(/^__Host-spooled_console=eyJ.*; Path=\/; .*Secure/);
    expect(String(opened.headers['set-cookie'])).not.toContain('Domain');
    expect([await browser.status('/queues', headers), await browser.status()]).toEqual([200, 200]);
    const closed = await browser.request('DELETE', '/console/session', undefined, headers);
    expect(String(closed.headers['set-cookie'])).toMatch(/^__Host-spooled_console=; Max-Age=0; .*Secure/);
  });

  it('is none where cookies disagree, in any order', async () => {
    const own = (await signedIn(gateway, { api_key: tenant.key })).cookie!;
    const planted = (await signedIn(gateway, { api_key: (await createTenant(testConsole.database.superuserUrl)).key }))
      .cookie!;
    const status = (cookie: string, headers = {}) => new Browser(gateway).status('/queues', { cookie, ...headers });
    const [plain, host] = ['spooled_console', '__Host-spooled_console'];
    for (const name of [plain, host]) {
      expect(await status(`${name}=${own}; ${name}=${planted}`)).toBe(401);
      expect(await status(`${name}=${planted}; a=b; ${name}=${own}`)).toBe(401);
      expect(await status(`${name}=${own}; ${name}=${own}`)).toBe(200);
    }
    // Another subdomain cannot set the one with the prefix.
    for (const cookie of [`${plain}=${planted}; ${host}=${own}`, `${host}=${own}; ${plain}=x`]) {
      const { body } = await new Browser(gateway).request('GET', '/organizations', undefined, { cookie });
      expect(body).toMatchObject([{ id: tenant.organizationId }]);
    }
    expect(await status(`${host}=${own}; ${host}=${planted}; ${plain}=${planted}`)).toBe(401);
    expect(await status(`${plain}=${planted}`, { 'x-forwarded-proto': 'https' })).toBe(401);
  });

  it.each([
    ['none', {}],
    ['two', { api_key: 'sk_test_x', code: 'x' }],
    ['an empty one', { api_key: '' }],
  ])('needs exactly one credential, not %s', async (_, body) => {
    const { status, headers } = await new Browser(gateway).request('POST', '/console/session', body);
    expect(status).toBe(400);
    expect(headers['set-cookie']).toBeUndefined();
  });

  it.each([{ api_key: `sk_test_${'x'.repeat(43)}` }, { admin_key: 'not the administrator' }, { code: 'x'.repeat(43) }])(
    'does not begin with a wrong credential (%j)',
    async (credential) => {
      const { status, headers, body } = await new Browser(gateway).signIn(credential);
      expect([status, body.code]).toEqual([401, 'AUTHENTICATION_FAILED']);
      expect(headers['set-cookie']).toBeUndefined();
    },
  );

  it('limits failures by address', async () => {
    const strict = await testConsole.start({ RATE_LIMIT_FAILED_LOGINS_PER_MINUTE: '3' });
    const browser = new Browser(strict);
    const guess = async () => (await browser.signIn({ code: randomUUID() })).status;
    expect([await guess(), await guess(), await guess(), await guess()]).toEqual([401, 401, 401, 429]);
    await signedIn(strict, { api_key: tenant.key });
  });

  it('limits guesses at the administrator key also where failed logins are not limited', async () => {
    const browser = new Browser(await testConsole.start({ RATE_LIMIT_AUTH_PER_MINUTE: '0' }));
    const guess = () => browser.signIn({ admin_key: randomUUID() });
    await untilBurstFitsMinute();
    const guesses = await Promise.all(Array.from({ length: 70 }, guess));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(60);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it('does not count for requests that another site could cause', async () => {
    const { cookie } = await signedIn(gateway, { api_key: tenant.key });
    const from = (headers: Record<string, string>) => {
      const browser = new Browser(gateway, headers);
      browser.cookie = cookie;
      return browser.status();
    };
    const marked = { 'x-spooled-console': '1' };
    expect(await from(marked)).toBe(200);
    expect(await from({})).toBe(401);
    expect(await from({ origin: 'http://console.test' })).toBe(401);
    expect(await from({ 'x-spooled-console': '0' })).toBe(401);
    for (const origin of ['https://evil.test', 'null', 'http://console.test:81', 'http://console.test.evil.test']) {
      expect(await from({ ...marked, origin })).toBe(401);
    }
    expect(await from({ ...marked, 'sec-fetch-site': 'same-origin' })).toBe(200);
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect(await from({ ...marked, 'sec-fetch-site': site })).toBe(401);
    }
  });

  it('does not count for a page that shows another session, which a sign-in in another tab has replaced', async () => {
    const browser = await signedIn(gateway, { api_key: tenant.key });
    const { id: shown } = (await browser.request('GET', '/console/session')).body;
    const of = async (session: string) =>
      (
        await browser.request(
          'POST',
          '/jobs',
          { queue_name: 'mail', payload: {} },
          { 'x-spooled-console-session': session },
        )
      ).status;
    expect(await of(shown)).toBe(201);
    await browser.signIn({ admin_key: adminKey });
    const admin = (await browser.request('GET', '/console/session')).body;
    const { key } = await createTenant(testConsole.database.superuserUrl);
    await browser.signIn({ api_key: key });
    expect([await of(shown), await of(admin.id), await of('')]).toEqual([401, 401, 401]);
    expect(await of((await browser.request('GET', '/console/session')).body.id)).toBe(201);
    expect((await gateway.request('GET', '/jobs', key)).body).toHaveLength(1);
  });

  it('does not let scripts of other origins send its header', async () => {
    const { headers } = await gateway.app.inject({
      method: 'OPTIONS',
      url: '/api/v1/queues',
      headers: {
        origin: 'https://evil.test',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-spooled-console',
      },
    });
    expect(String(headers['access-control-allow-headers']).toLowerCase()).not.toContain('x-spooled-console');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  it.each<Record<string, string>>([{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }])(
    'is not begun for another site (%j)',
    async (site) => {
      const { status, headers } = await new Browser(gateway).signIn({ api_key: tenant.key }, site);
      expect(status).toBe(403);
      expect(headers['set-cookie']).toBeUndefined();
    },
  );

  it('is ignored when a header has a credential', async () => {
    const browser = await signedIn(gateway, { api_key: tenant.key });
    const other = await createTenant(testConsole.database.superuserUrl);
    const seen = await browser.request('GET', '/organizations', undefined, { authorization: `Bearer ${other.key}` });
    expect(seen.body).toMatchObject([{ id: other.organizationId }]);
    expect(await browser.status('/queues', { 'x-api-key': 'sk_test_wrong' })).toBe(401);
    expect(await browser.status('/queues', { 'x-admin-key': 'wrong' })).toBe(401);
  });

  it('ends with the logout, in every gateway and with a copy of its cookie', async () => {
    const browser = await signedIn(gateway, { api_key: tenant.key });
    const second = new Browser(await testConsole.start());
    second.cookie = browser.cookie;
    expect(await second.status()).toBe(200);
    expect((await browser.request('DELETE', '/console/session')).status).toBe(204);
    expect(browser.cookie).toBeUndefined();
    expect(await browser.status('/console/session')).toBe(401);
    await eventually(async () => expect(await second.status()).toBe(401));
    expect(await second.status('/console/session')).toBe(401);
  });

  it('ends with its time', async () => {
    const browser = await signedIn(gateway, { api_key: tenant.key });
    const session = await gateway.app.get(AccessTokens).read(browser.cookie!);
    const { org_id: organizationId, api_key_id: apiKeyId, queues, sid: sessionId } = session;
    const subject = { organizationId, apiKeyId, queues, sessionId, console: true };
    browser.cookie = await gateway.app.get(AccessTokens).issue('access', subject, -10);
    expect((await browser.request('GET', '/console/session')).body.message).toBe('The token has expired');
    expect(await browser.status()).toBe(401);
  });

  it('ends when its API key is revoked', async () => {
    const browser = await signedIn(gateway, { api_key: await tenant.keyFor() });
    const { body } = await browser.request('GET', '/console/session');
    expect((await gateway.request('DELETE', `/api-keys/${body.api_key.id}`, tenant.key)).status).toBe(204);
    expect(await browser.status()).toBe(401);
    expect(await browser.status('/console/session')).toBe(401);
  });

  it('has the role of its key as it is now', async () => {
    const browser = await signedIn(gateway, { api_key: await tenant.keyFor() });
    const { body } = await browser.request('GET', '/console/session');
    await gateway.request('PUT', `/api-keys/${body.api_key.id}`, tenant.key, { role: 'viewer' });
    expect((await browser.request('GET', '/console/session')).body.role).toBe('viewer');
  });

  it('takes nothing from the rates of its key and organization, which take nothing from it', async () => {
    const limits = { rate_limit_requests_per_second: 1, rate_limit_burst: 8 };
    tenant = await createTenant(testConsole.database.superuserUrl, { customLimits: limits });
    const browser = await signedIn(gateway, { api_key: tenant.key });
    const another = await signedIn(gateway, { api_key: tenant.key });
    const statuses = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? browser : another).status()));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const { headers } = await browser.request('GET', '/queues');
    expect(headers['x-ratelimit-scope']).toBe('console');
    // All sessions of the organization share the rate of its plan: alone, each would get eight at least.
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(16);
    expect((await gateway.request('GET', '/queues', tenant.key)).status).toBe(200);
  });

  it('has a rate of its own', async () => {
    const slow = await testConsole.start({ RATE_LIMIT_CONSOLE_PER_SECOND: '1' });
    const [busy, idle] = [await signedIn(slow, { api_key: tenant.key }), await signedIn(slow, { api_key: tenant.key })];
    const statuses = await Promise.all(Array.from({ length: 20 }, () => busy.status()));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(await idle.status()).toBe(200);
  });

  it('says where traces are seen, and the gateway does not start with an address without a place for the id', async () => {
    const traceUrl = 'https://traces.example.com/trace/{trace_id}?org=1';
    const browser = await signedIn(await testConsole.start({ CONSOLE_TRACE_URL: traceUrl }), { api_key: tenant.key });
    expect((await browser.request('GET', '/console/session')).body.trace_url).toBe(traceUrl);
    for (const wrong of ['https://traces.example.com', 'javascript:alert({trace_id})', '{trace_id}']) {
      await expect(testConsole.start({ CONSOLE_TRACE_URL: wrong })).rejects.toThrow('CONSOLE_TRACE_URL');
    }
  });

  it('says how often views are read, and the gateway does not start with a time that would flood it', async () => {
    const browser = await signedIn(await testConsole.start({ CONSOLE_REFRESH_MS: '300' }), { api_key: tenant.key });
    expect((await browser.request('GET', '/console/session')).body.refresh_ms).toBe(300);
    await expect(testConsole.start({ CONSOLE_REFRESH_MS: '299' })).rejects.toThrow('CONSOLE_REFRESH_MS');
  });

  it('and its routes and page do not exist with CONSOLE_ENABLED=false', async () => {
    const { cookie } = await signedIn(gateway, { api_key: tenant.key });
    const disabled = await testConsole.start({ CONSOLE_ENABLED: 'false' });
    expect((await disabled.app.inject({ url: '/console' })).statusCode).toBe(404);
    const browser = new Browser(disabled);
    expect((await browser.signIn({ api_key: tenant.key })).body).toMatchObject({ message: 'Route not found' });
    browser.cookie = cookie;
    expect(await browser.status()).toBe(401);
    expect(await browser.status('/console/session')).toBe(404);
    const link = await browser.request('POST', '/console/login-links', {}, { authorization: `Bearer ${tenant.key}` });
    expect(link.status).toBe(404);
  });
});
