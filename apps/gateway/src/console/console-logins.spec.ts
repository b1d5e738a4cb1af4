import { createTenant, msUntil, type TestTenant } from '@spooled/testing';
import pg from 'pg';
import type { TestGateway } from '../gateway.fixture.js';
import { adminKey, Browser, signedIn, TestConsole } from './console.fixture.js';

let testConsole: TestConsole;
let gateway: TestGateway;
let tenant: TestTenant;
let superuser: pg.Pool;

beforeAll(async () => {
  testConsole = await TestConsole.open();
  gateway = await testConsole.start();
  superuser = new pg.Pool({ connectionString: testConsole.database.superuserUrl, max: 1 });
});
beforeEach(async () => void (tenant = await createTenant(testConsole.database.superuserUrl)));
afterAll(async () => {
  await superuser?.end();
  await testConsole?.close();
});

describe('BX-24 a login link', () => {
  const newLink = async (key = tenant.key) => (await gateway.request('POST', '/console/login-links', key)).body;

  it('begins one session, with the key that asked for it', async () => {
    const key = await tenant.keyAs('viewer');
    const link = await newLink(key);
    expect(link.path).toBe(`/console/login#code=${link.code}`);
    const minutes = msUntil(link.expires_at) / 60_000;
    expect(minutes).toBeGreaterThan(9);
    expect(minutes).toBeLessThanOrEqual(10.1);
    const opened = await new Browser(gateway).useLink(link.code);
    expect(opened.body).toMatchObject({ organization: { id: tenant.organizationId }, role: 'viewer' });
    expect((await new Browser(gateway).useLink(link.code)).status).toBe(401);
  });

  it('begins one session when its browser uses it several times at once', async () => {
    const { code } = await newLink();
    const browser = new Browser(gateway);
    await browser.previewLink(code);
    const attempts = Array.from({ length: 10 }, () => browser.signIn({ code }));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 9 }, () => 401)]);
  });

  it('names its organization before it is used', async () => {
    const key = await tenant.keyAs('viewer');
    const { code, expires_at } = await newLink(key);
    const { status, headers, body } = await new Browser(gateway).request('POST', '/console/login-links/preview', {
      code,
    });
    const { body: organization } = await gateway.request('GET', `/organizations/${tenant.organizationId}`, tenant.key);
    expect(status).toBe(200);
    expect(body).toEqual({
      organization: { name: organization.name, slug: organization.slug },
      api_key: { name: expect.any(String) },
      role: 'viewer',
      expires_at,
    });
    expect(String(headers['set-cookie'])).toMatch(
      /^spooled_login=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it('signs in only the browser that has shown its organization last', async () => {
    const { code } = await newLink();
    const [first, second, third] = [new Browser(gateway), new Browser(gateway), new Browser(gateway)];
    expect((await first.signIn({ code })).status).toBe(401);
    await first.previewLink(code);
    await second.previewLink(code);
    expect((await first.signIn({ code })).status).toBe(401);
    await third.previewLink((await newLink()).code);
    expect((await third.signIn({ code })).status).toBe(401);
    expect((await second.signIn({ code })).status).toBe(200);
    expect(second.loginCookie).toBeUndefined();
  });

  it.each<Record<string, string>>([{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }])(
    'is not shown to another site (%j)',
    async (site) => {
      const { status, headers } = await new Browser(gateway).previewLink((await newLink()).code, site);
      expect(status).toBe(403);
      expect(headers['set-cookie']).toBeUndefined();
    },
  );

  it('does not count in a browser with two cookies of its kind, of which another site may have set one', async () => {
    const { code } = await newLink();
    const browser = new Browser(gateway);
    await browser.previewLink(code);
    const planted = { cookie: `spooled_login=planted; spooled_login=${browser.loginCookie}` };
    expect((await browser.signIn({ code }, planted)).status).toBe(401);
  });

  it('is not valid after its time, or once its key is revoked', async () => {
    const late = await newLink();
    await superuser.query(`UPDATE console_logins SET expires_at = now() WHERE organization_id = $1`, [
      tenant.organizationId,
    ]);
    expect((await new Browser(gateway).useLink(late.code)).status).toBe(401);

    const key = await tenant.keyFor();
    const { body } = await new Browser(gateway).signIn({ api_key: key });
    const { code } = await newLink(key);
    await gateway.request('DELETE', `/api-keys/${body.api_key.id}`, tenant.key);
    expect((await new Browser(gateway).useLink(code)).status).toBe(401);
  });

  it('is stored only as a hash', async () => {
    const { code } = await newLink();
    const { rows } = await superuser.query(`SELECT console_logins::text AS row FROM console_logins`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ row }) => row).join()).not.toContain(code);
  });

  it('cannot be made by a session, which would never end', async () => {
    const browser = await signedIn(gateway, { api_key: tenant.key });
    expect((await browser.request('POST', '/console/login-links')).status).toBe(403);
  });
});

describe('BX-24 a session of the administrator', () => {
  it('is the administrator on the routes of the administrator, and nobody elsewhere', async () => {
    const browser = new Browser(gateway);
    const opened = await browser.signIn({ admin_key: adminKey });
    expect(opened).toMatchObject({
      status: 200,
      body: { kind: 'administrator', organization: null, api_key: null, role: 'admin' },
    });
    expect(String(opened.headers['set-cookie'])).toContain('HttpOnly; SameSite=Strict');
    expect((await browser.request('GET', '/console/session')).body).toEqual(opened.body);
    expect(await browser.status('/admin/organizations')).toBe(200);
    expect(await browser.status('/queues')).toBe(401);
    expect(await browser.status('/auth/me')).toBe(401);
    const token = { authorization: `Bearer ${browser.cookie}` };
    expect(await new Browser(gateway).status('/queues', token)).toBe(401);
    const outside = new Browser(gateway, {});
    outside.cookie = browser.cookie;
    expect(await outside.status('/admin/organizations')).toBe(401);
  });

  it('has a rate of its own', async () => {
    const browser = await signedIn(gateway, { admin_key: adminKey });
    const statuses = await Promise.all(Array.from({ length: 80 }, () => browser.status('/admin/plans')));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const { headers } = await browser.request('GET', '/admin/plans');
    expect(headers['x-ratelimit-scope']).toBe('console');
  });

  it('is not an organization, and an organization is not the administrator', async () => {
    expect(await (await signedIn(gateway, { api_key: tenant.key })).status('/admin/organizations')).toBe(401);
  });

  it('ends with the logout', async () => {
    const browser = await signedIn(gateway, { admin_key: adminKey });
    const { cookie } = browser;
    expect((await browser.request('DELETE', '/console/session')).status).toBe(204);
    browser.cookie = cookie;
    expect(await browser.status('/admin/plans')).toBe(401);
    expect(await browser.status('/console/session')).toBe(401);
  });

  it('ends when the server has another administrator key, or none', async () => {
    const { cookie } = await signedIn(gateway, { admin_key: adminKey });
    for (const ADMIN_API_KEY of ['another administrator of these specs', '']) {
      const browser = new Browser(await testConsole.start({ ADMIN_API_KEY }));
      browser.cookie = cookie;
      expect(await browser.status('/admin/plans')).toBe(401);
      expect(await browser.status('/console/session')).toBe(401);
    }
  });
});
