import {
  createTenant,
  freePort,
  openIdEnv,
  startSilentServer,
  TestOpenIdProvider,
  type TestTenant,
} from '@spooled/testing';
import type { JWTPayload } from 'jose';
import type { TestGateway } from '../gateway.fixture.js';
import { Browser, TestConsole } from './console.fixture.js';

let testConsole: TestConsole;
let provider: TestOpenIdProvider;
let gateway: TestGateway;
let tenant: TestTenant;
let other: TestTenant;

const alice = { sub: 'alice-1', name: 'Alice Example', groups: ['sre'] };

beforeAll(async () => {
  [testConsole, provider] = await Promise.all([TestConsole.open(), TestOpenIdProvider.start()]);
  const { superuserUrl } = testConsole.database;
  tenant = await createTenant(superuserUrl, { customLimits: { max_api_keys: 2 } });
  other = await createTenant(superuserUrl);
  const groups = [
    `sre=${tenant.organizationId}:operator`,
    `CN=readers, OU=all=${tenant.organizationId}:viewer`,
    `others=${other.organizationId}:admin`,
    `leavers=${tenant.organizationId}:admin`,
    'nowhere=01900000-0000-7000-8000-000000000000:admin',
  ];
  gateway = await testConsole.start({ ...openIdEnv(provider.issuer, groups.join('; ')), OIDC_TIMEOUT_SECS: '30' });
});
afterEach(() => provider.reset());
afterAll(async () => {
  await testConsole?.close();
  await provider?.close();
});

/** Goes to the provider and comes back. */
async function visit(browser: Browser, person: JWTPayload, body?: object): Promise<string> {
  const begun = await browser.request('POST', '/console/sign-in', body);
  expect(begun.status).toBe(200);
  return provider.visit(begun.body.url, person);
}

async function signIn(person: JWTPayload, body?: object) {
  const browser = new Browser(gateway);
  const callback = await visit(browser, person, body);
  return { browser, callback, ...(await browser.signIn({ callback })) };
}

const send = (key: string, method: 'GET' | 'PUT' | 'DELETE' | 'POST', path: string, body?: object) =>
  gateway.request(method, path, key, body);

describe('BX-24 a person who signs in at a provider of OpenID Connect', () => {
  it('has the organization and the role of the group', async () => {
    const { browser, status, body } = await signIn(alice);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      kind: 'organization',
      organization: { id: tenant.organizationId },
      person: { subject: 'alice-1', name: 'Alice Example' },
      role: 'operator',
    });
    expect((await browser.request('GET', '/console/session')).body).toEqual(body);
    expect(browser.signInCookie).toBeUndefined();
    expect([await browser.status('/jobs'), await browser.status('/api-keys')]).toEqual([200, 403]);
  });

  it('is named in the audit log and in the history of jobs', async () => {
    const { browser } = await signIn(alice);
    const actor = { kind: 'person', id: 'alice-1', name: 'Alice Example' };
    await browser.request('PUT', '/queues/signed/config', { max_retries: 7 });
    const { body: job } = await browser.request('POST', '/jobs', { queue_name: 'signed', payload: {} });
    const audit = await send(tenant.key, 'GET', '/audit?actor_kind=person&actor_id=alice-1');
    expect(audit.body).toContainEqual(expect.objectContaining({ action: 'queue.created', actor }));
    const history = await browser.request('GET', `/jobs/${job.id}/history`);
    expect(history.body[0].details.actor).toEqual(actor);
  });

  it('has the highest role of several groups, and the first organization unless another is asked for', async () => {
    const person = { ...alice, groups: ['others', 'CN=readers, OU=all', 'sre'] };
    const reader = { ...alice, groups: ['CN=readers, OU=all'] };
    const asked = { organization: other.organizationId };
    const of = async (...args: Parameters<typeof signIn>) => {
      const { body } = await signIn(...args);
      return [body.organization.id, body.role];
    };
    expect(await of(person)).toEqual([tenant.organizationId, 'operator']);
    expect(await of(reader)).toEqual([tenant.organizationId, 'viewer']);
    expect(await of(person, asked)).toEqual([other.organizationId, 'admin']);
  });

  it('reads the names of the other organizations of the groups, also later', async () => {
    const { browser, body } = await signIn({ ...alice, groups: ['others', 'CN=readers, OU=all', 'sre', 'nowhere'] });
    const { name, slug } = (await send(other.key, 'GET', `/organizations/${other.organizationId}`)).body;
    expect(body.organizations).toEqual([{ id: other.organizationId, name, slug }]);
    expect((await browser.request('GET', '/console/session')).body).toEqual(body);
    expect((await signIn(alice)).body.organizations).toEqual([]);
  });

  it.each<[string, JWTPayload]>([
    ['without groups', { sub: 'bob' }],
    ['with groups that may not sign in', { sub: 'bob', groups: ['sre2', 'SRE', ''] }],
    ['with groups of another type', { sub: 'bob', groups: { sre: true } }],
    ['with a group of an organization that does not exist', { sub: 'bob', groups: ['nowhere'] }],
  ])('is refused %s', async (_, person) => {
    const { status, browser } = await signIn(person);
    expect([status, browser.cookie]).toEqual([403, undefined]);
  });

  it('is refused in an organization of other groups', async () => {
    expect((await signIn(alice, { organization: other.organizationId })).status).toBe(403);
  });

  it('is one of the identities that the organization sees, keeps out of its limits and may deactivate', async () => {
    const leaver = { sub: 'leaver', groups: ['leavers'] };
    const { browser, body } = await signIn(leaver);
    const path = `/api-keys/${body.api_key.id}`;
    const { body: identity } = await send(tenant.key, 'GET', path);
    expect(identity).toMatchObject({ key_prefix: 'sign-in', name: 'People signed in as admin', role: 'admin' });
    expect((await signIn(leaver)).body.api_key.id).toBe(body.api_key.id);
    expect((await send(tenant.key, 'PUT', path, { role: 'viewer' })).status).toBe(400);
    expect((await send(tenant.key, 'POST', '/api-keys', { name: 'second' })).status).toBe(201);
    expect((await send(tenant.key, 'GET', '/organizations/usage')).body.usage.api_keys.current).toBe(2);
    expect((await send(tenant.key, 'DELETE', path)).status).toBe(204);
    expect([await browser.status(), (await signIn(leaver)).status]).toEqual([401, 403]);
    expect((await send(tenant.key, 'PUT', path, { is_active: true })).status).toBe(200);
    expect((await signIn(leaver)).status).toBe(200);
  });
});

describe('BX-24 a sign-in at a provider', () => {
  it('sends the browser only back to the address of the settings, with PKCE', async () => {
    const { body, headers } = await new Browser(gateway).request('POST', '/console/sign-in', {});
    const url = new URL(body.url);
    expect(url.origin).toBe(provider.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      redirect_uri: provider.redirectUrl,
      code_challenge_method: 'S256',
      response_type: 'code',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(String(headers['set-cookie'])).toMatch(
      /^spooled_sign_in=eyJ[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it('ends in no browser but the one that began it, and once', async () => {
    const browser = new Browser(gateway);
    const callback = await visit(browser, alice);
    const victim = new Browser(gateway);
    expect((await victim.signIn({ callback })).status).toBe(401);
    await victim.request('POST', '/console/sign-in');
    expect((await victim.signIn({ callback })).status).toBe(401);
    const { signInCookie } = browser;
    expect((await browser.signIn({ callback })).status).toBe(200);
    browser.signInCookie = signInCookie;
    expect((await browser.signIn({ callback })).status).toBe(401);
  });

  it.each<[string, (callback: URLSearchParams) => void]>([
    ['another state', (callback) => callback.set('state', 'forged')],
    ['no state', (callback) => callback.delete('state')],
    ['another code', (callback) => callback.set('code', 'forged')],
    ['no code', (callback) => callback.delete('code')],
    ['another issuer', (callback) => callback.set('iss', 'https://evil.test')],
    ['a refusal of the provider', (callback) => (callback.delete('code'), callback.set('error', 'access_denied'))],
  ])('is refused with %s', async (_, change) => {
    const browser = new Browser(gateway);
    const callback = new URLSearchParams(await visit(browser, alice));
    change(callback);
    const { status, body } = await browser.signIn({ callback: callback.toString() });
    expect([status, body.code, browser.cookie]).toEqual([401, 'AUTHENTICATION_FAILED', undefined]);
  });

  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['another nonce', (claims) => ({ ...claims, nonce: 'forged' })],
    ['no nonce', ({ nonce: _, ...claims }) => claims],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.test' })],
    ['another audience', (claims) => ({ ...claims, aud: 'another client' })],
    ['an end in the past', (claims) => ({ ...claims, exp: claims.iat! - 60 })],
  ])('is refused with an ID token that has %s', async (_, forge) => {
    provider.forge = forge;
    const { status, browser } = await signIn(alice);
    expect([status, browser.cookie]).toEqual([401, undefined]);
  });

  it('is refused with an ID token of another key', async () => {
    await provider.useForgersKey();
    expect((await signIn(alice)).status).toBe(401);
  });

  it.each<Record<string, string>>([{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }])(
    'is not begun for another site (%j)',
    async (site) => {
      const { status, headers } = await new Browser(gateway).request('POST', '/console/sign-in', {}, site);
      expect([status, headers['set-cookie']]).toEqual([403, undefined]);
    },
  );

  it('has a token that is no session, and identities that are no keys', async () => {
    const browser = new Browser(gateway);
    await browser.request('POST', '/console/sign-in');
    browser.cookie = browser.signInCookie;
    expect(await browser.status()).toBe(401);
    await signIn(alice);
    const { status } = await send(`sign-in ${tenant.organizationId} operator`, 'GET', '/queues');
    expect(status).toBe(401);
  });
});

describe('BX-24 a provider that does not answer', () => {
  const begin = async (env: Record<string, string>) => {
    const browser = new Browser(await testConsole.start(env));
    return { browser, begin: () => browser.request('POST', '/console/sign-in') };
  };

  it('is named with 503 while it is down, and used as soon as it is there', async () => {
    const port = await freePort();
    const env = openIdEnv(`http://127.0.0.1:${port}`, `sre=${tenant.organizationId}:viewer`);
    const { begin: attempt } = await begin(env);
    const refused = await attempt();
    expect([refused.status, refused.body.message]).toEqual([
      503,
      `The OpenID Connect provider 127.0.0.1:${port} is unavailable`,
    ]);
    const late = await TestOpenIdProvider.start(port);
    expect((await attempt()).status).toBe(200);
    await late.close();
  });

  it('is named with 503 when it goes away before the code is exchanged, and in the log', async () => {
    const leaving = await TestOpenIdProvider.start();
    const started = await testConsole.start(openIdEnv(leaving.issuer, `sre=${tenant.organizationId}:viewer`));
    const browser = new Browser(started);
    const { body } = await browser.request('POST', '/console/sign-in');
    const callback = await leaving.visit(body.url, alice);
    await leaving.close();
    expect((await browser.signIn({ callback })).status).toBe(503);
    expect(started.logs.filter((line) => line.includes('OpenID Connect provider failed'))).toHaveLength(1);
  });

  it('is given up after the time of the settings', async () => {
    const silent = await startSilentServer();
    const env = { ...openIdEnv(silent.url, `sre=${tenant.organizationId}:viewer`), OIDC_TIMEOUT_SECS: '1' };
    const { begin: attempt } = await begin(env);
    expect((await attempt()).status).toBe(503);
    silent.close();
  });
});

describe('the settings of a provider', () => {
  const complete = openIdEnv('https://id.test', 'sre=01900000-0000-7000-8000-000000000000:viewer');

  it('are optional', async () => {
    const browser = new Browser(await testConsole.start());
    expect((await browser.request('GET', '/console/sign-in')).body).toEqual({ provider: null });
    expect((await browser.request('POST', '/console/sign-in')).status).toBe(404);
    expect((await new Browser(gateway).request('GET', '/console/sign-in')).body).toEqual({
      provider: 'single sign-on',
    });
  });

  it.each<[string, Record<string, string>]>([
    ['OIDC_CLIENT_SECRET', { OIDC_CLIENT_SECRET: '' }],
    ['OIDC_GROUPS', { OIDC_GROUPS: '' }],
    ['OIDC_GROUPS', { OIDC_GROUPS: 'sre=acme:viewer' }],
    ['OIDC_GROUPS', { OIDC_GROUPS: 'sre=01900000-0000-7000-8000-000000000000:worker' }],
    ['OIDC_SCOPES', { OIDC_SCOPES: 'profile' }],
    ['OIDC_REDIRECT_URL', { OIDC_REDIRECT_URL: 'https://console.test/elsewhere' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://id.test', SPOOLED_ENV: 'production' }],
  ])('are refused at the start with a wrong %s %j', async (name, wrong) => {
    await expect(testConsole.start({ ...complete, ...wrong })).rejects.toThrow(name);
  });
});
