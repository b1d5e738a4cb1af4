import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createTenant, eventually, needsRedis, type Stack, startStack, type TestTenant } from '@spooled/testing';
import { decodeJwt, SignJWT } from 'jose';
import { WebSocket } from 'ws';
import { aTime, problem, RestCaller } from './rest-caller.js';

const secret = 'signs the access tokens of this spec alone';
const day = 24 * 3600;

let stack: Stack;
let tenant: TestTenant;
const anonymous = (gateway = 0) => new RestCaller(stack.baseUrls[gateway]!, null);
const as = (credential: string, gateway = 0) => new RestCaller(stack.baseUrls[gateway]!, credential);

beforeAll(async () => {
  stack = await startStack({ gateways: 2, schedulers: 0, webhooks: 0, env: { JWT_SECRET: secret } });
}, 60_000);
beforeEach(async () => {
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
});
afterAll(() => stack?.stop());

interface Session {
  access_token: string;
  refresh_token: string;
}

async function login(key = tenant.key): Promise<Session> {
  const { status, body } = await anonymous().post('/auth/login', { api_key: key });
  expect(status).toBe(200);
  return body as Session;
}
const refresh = (refresh_token: string, gateway = 0) => anonymous(gateway).post('/auth/refresh', { refresh_token });
const validate = async (token: string) => (await anonymous().post('/auth/validate', { token })).body;
const statusOf = async (credential: string, gateway = 0) => (await as(credential, gateway).get('/jobs/stats')).status;
const refused = expect.objectContaining({ status: 401, code: 'UNAUTHORIZED' }) as unknown;
const failed = expect.objectContaining({ status: 401, code: 'AUTHENTICATION_FAILED' }) as unknown;

async function idOfKey(key: string): Promise<string> {
  const keys = (await as(tenant.key).get('/api-keys')).body as { id: string }[];
  const { access_token } = await login(key);
  const id = decodeJwt(access_token).api_key_id as string;
  expect(keys.map((one) => one.id)).toContain(id);
  return id;
}

describe('POST /auth/login', () => {
  it('SP-73 SP-74 returns an access token of 24 hours and a refresh token of 30 days', async () => {
    const { status, body } = await anonymous().post('/auth/login', { api_key: tenant.key });
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^eyJ/),
        refresh_token: expect.stringMatching(/^eyJ/),
        token_type: 'Bearer',
        expires_in: day,
        refresh_expires_in: 30 * day,
      },
    ]);
    const [access, kept] = [decodeJwt(body.access_token), decodeJwt(body.refresh_token)];
    expect(access).toEqual({
      iss: 'spooled',
      aud: 'spooled-api',
      sub: tenant.organizationId,
      org_id: tenant.organizationId,
      api_key_id: expect.any(String),
      queues: [],
      token_type: 'access',
      sid: kept.sid,
      jti: expect.any(String),
      iat: expect.any(Number),
      nbf: access.iat,
      exp: access.iat! + day,
    });
    expect(kept).toMatchObject({ token_type: 'refresh', exp: kept.iat! + 30 * day });
    expect(kept.jti).not.toBe(access.jti);
  });

  it('rejects invalid keys', async () => {
    const attempt = async (body: object) => problem(await anonymous().post('/auth/login', body));
    expect(await attempt({ api_key: 'sk_test_0123456789012345678901234567890123456789abc' })).toEqual(failed);
    expect(await attempt({ api_key: (await login()).access_token })).toEqual(failed);
    expect(await attempt({ api_key: 'short' })).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(await attempt({})).toMatchObject({ status: 422, details: { api_key: 'is required' } });
    expect(await attempt({ api_key: 7 })).toMatchObject({ status: 422 });
  });

  needsRedis('counts for all gateways').it(
    'PB-01 allows five attempts per minute and key, over all gateways',
    async () => {
      const attempts = [0, 1, 0, 1, 0].map((gateway) =>
        anonymous(gateway).post('/auth/login', { api_key: tenant.key }),
      );
      expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      const sixth = await anonymous(1).post('/auth/login', { api_key: tenant.key });
      expect(sixth).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED', limit: 5, remaining: 0 } });
      expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0);
      await login(await tenant.keyFor());
    },
  );
});

describe('an access token', () => {
  it('SP-20 SP-68 is accepted wherever its key is, on every gateway, within the scope of the key', async () => {
    const whole = (await login()).access_token;
    expect((await as(whole).post('/jobs', { queue_name: 'mail', payload: {} })).status).toBe(201);
    expect((await as(whole, 1).get('/jobs')).body).toHaveLength(1);
    expect((await as(whole, 1).get('/api-keys')).status).toBe(200);
    const scoped = (await login(await tenant.keyFor('sms'))).access_token;
    expect((await as(scoped).get('/jobs')).body).toEqual([]);
    expect(problem(await as(scoped, 1).post('/jobs', { queue_name: 'mail', payload: {} }))).toMatchObject({
      status: 403,
    });
    expect(problem(await as(scoped).get('/api-keys'))).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
  });

  it('SP-72 is invalid as soon as its key is revoked, on every gateway', async () => {
    const key = await tenant.keyFor();
    const { access_token, refresh_token } = await login(key);
    expect(await statusOf(access_token, 1)).toBe(200);
    expect((await as(tenant.key).delete(`/api-keys/${await idOfKey(key)}`)).status).toBe(204);
    expect(await statusOf(access_token, 0)).toBe(401);
    await eventually(async () => expect(await statusOf(access_token, 1)).toBe(401), { timeoutMs: 3_000 });
    expect(problem(await refresh(refresh_token, 1))).toEqual(failed);
    expect((await validate(access_token)).valid).toBe(false);
  });

  it('SP-68 has the current scope of its key, not that of the login', async () => {
    const key = await tenant.keyFor();
    const { access_token } = await login(key);
    expect((await as(access_token, 1).get('/queues/mail/stats')).status).not.toBe(403);
    await as(tenant.key).put(`/api-keys/${await idOfKey(key)}`, { queues: ['sms'] });
    const narrowed = async () => expect((await as(access_token, 1).get('/queues/mail/stats')).status).toBe(403);
    await eventually(narrowed, { timeoutMs: 3_000 });
    expect((await as(access_token).get('/auth/me')).body.queues).toEqual(['sms']);
  });

  it('SP-68 is rejected if it has expired or has another signature', async () => {
    const { access_token } = await login();
    const claims = decodeJwt(access_token);
    const sign = (change: object, key = secret, alg = 'HS256') =>
      new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg }).sign(Buffer.from(key));
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [header, , signature] = access_token.split('.');
    const other = await createTenant(stack.databaseUrls.superuserUrl);
    const now = Math.floor(Date.now() / 1000);
    expect(await statusOf(await sign({}))).toBe(200);
    for (const forged of [
      `${header}.${encode({ ...claims, org_id: other.organizationId })}.${signature}`,
      `${encode({ alg: 'none' })}.${encode(claims)}.`,
      await sign({}, 'what another deployment signs its tokens with'),
      await sign({}, secret.repeat(2), 'HS512'),
      await sign({ exp: now - 60 }),
      await sign({ nbf: now + 60 }),
      // Validly signed, for a key of another organization or an unknown key.
      await sign({ sub: other.organizationId, org_id: other.organizationId }),
      await sign({ api_key_id: randomUUID() }),
      'eyJ',
    ]) {
      expect(problem(await as(forged).get('/jobs'))).toEqual(refused);
      expect(problem(await as(forged).get('/auth/me'))).toEqual(refused);
      expect(problem(await refresh(forged.padEnd(10)))).toEqual(failed);
      expect(await validate(forged)).toEqual({ valid: false, error: expect.any(String), message: expect.any(String) });
    }
  });
});

describe('GET /auth/me', () => {
  it('returns the identity of the token', async () => {
    const { access_token } = await login(await tenant.keyFor('mail', 'sms'));
    const { api_key_id } = decodeJwt(access_token);
    const { status, body } = await as(access_token).get('/auth/me');
    expect([status, body]).toEqual([
      200,
      {
        organization_id: tenant.organizationId,
        api_key_id,
        queues: ['mail', 'sms'],
        role: 'admin',
        issued_at: aTime,
        expires_at: aTime,
        organization: {
          id: tenant.organizationId,
          name: 'Spec',
          slug: `spec-${tenant.organizationId}`,
          plan_tier: 'enterprise',
          billing_email: null,
        },
      },
    ]);
    expect(Date.parse(body.expires_at) - Date.parse(body.issued_at)).toBe(day * 1000);
  });

  it('requires an access token', async () => {
    const { refresh_token } = await login();
    for (const caller of [anonymous(), as(tenant.key), as(refresh_token)]) {
      expect(problem(await caller.get('/auth/me'))).toEqual(refused);
    }
  });
});

describe('POST /auth/refresh', () => {
  it('SP-74 returns a new access token of the same session; the refresh token stays the same', async () => {
    const { access_token, refresh_token } = await login();
    const [first, second] = [await refresh(refresh_token), await refresh(refresh_token, 1)];
    expect([first.status, first.body]).toEqual([
      200,
      { access_token: expect.any(String), token_type: 'Bearer', expires_in: day },
    ]);
    const tokens = [access_token, first.body.access_token, second.body.access_token] as string[];
    expect(new Set(tokens).size).toBe(3);
    expect(new Set(tokens.map((token) => decodeJwt(token).sid)).size).toBe(1);
    for (const token of tokens) expect(await statusOf(token)).toBe(200);
  });

  it('accepts only refresh tokens, which no other route accepts', async () => {
    const { access_token, refresh_token } = await login();
    expect(problem(await refresh(access_token))).toEqual(failed);
    expect(problem(await refresh(tenant.key))).toEqual(failed);
    expect(problem(await refresh('short'))).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(problem(await anonymous().post('/auth/refresh', {}))).toMatchObject({ status: 422 });
    for (const path of ['/jobs', '/organizations', '/dashboard', '/api-keys']) {
      expect(problem(await as(refresh_token).get(path))).toEqual(refused);
    }
    expect(problem(await as(refresh_token).post('/jobs', { queue_name: 'q', payload: {} }))).toEqual(refused);
  });
});

describe('POST /auth/logout', () => {
  it('SP-75 ends the session with all its tokens, on every gateway; other sessions continue', async () => {
    const [mine, other] = [await login(), await login()];
    const again = (await refresh(mine.refresh_token)).body.access_token as string;
    expect(await statusOf(mine.access_token, 1)).toBe(200);
    expect(await as(mine.access_token).post('/auth/logout')).toMatchObject({ status: 204, body: null });
    for (const token of [mine.access_token, again]) {
      expect(problem(await as(token).get('/jobs'))).toEqual(refused);
      await eventually(async () => expect(await statusOf(token, 1)).toBe(401), { timeoutMs: 3_000 });
    }
    for (const gateway of [0, 1]) expect(problem(await refresh(mine.refresh_token, gateway))).toEqual(failed);
    expect(problem(await as(mine.access_token).post('/auth/logout'))).toEqual(refused);
    expect(await validate(mine.access_token)).toMatchObject({ valid: false, error: 'The token was revoked' });
    expect(await statusOf(other.access_token, 1)).toBe(200);
    expect((await refresh(other.refresh_token, 1)).status).toBe(200);
  });

  it('accepts a refresh token in the body, also {} and null; ignores a token of another key', async () => {
    const [first, second, third] = [await login(), await login(), await login()];
    const otherSession = await login(await tenant.keyFor());
    const logout = async ({ access_token }: Session, body: object) =>
      (await as(access_token).post('/auth/logout', body)).status;
    expect(await logout(first, { refresh_token: second.refresh_token })).toBe(204);
    expect((await refresh(second.refresh_token)).status).toBe(401);
    expect(await logout(third, { refresh_token: otherSession.refresh_token })).toBe(204);
    expect((await refresh(otherSession.refresh_token)).status).toBe(200);
    expect(await logout(otherSession, { refresh_token: null })).toBe(204);
    expect(await logout(await login(await tenant.keyFor()), {})).toBe(204);
    expect(await logout(await login(await tenant.keyFor()), { refresh_token: 'nonsense' })).toBe(204);
  });

  it('rejects API keys', async () => {
    expect(problem(await as(tenant.key).post('/auth/logout'))).toEqual(refused);
    expect(problem(await anonymous().post('/auth/logout'))).toEqual(refused);
  });
});

describe('POST /auth/validate', () => {
  it('SP-01 returns the content of a valid token, with the field names of every SDK', async () => {
    const { access_token, refresh_token } = await login();
    const { iss: _issuer, aud: _audience, ...claims } = decodeJwt(access_token);
    expect(await validate(access_token)).toEqual({
      valid: true,
      message: expect.any(String),
      claims: { ...claims, organization_id: tenant.organizationId },
      organization_id: tenant.organizationId,
      api_key_id: claims.api_key_id,
      expires_at: aTime,
    });
    expect(await validate(refresh_token)).toMatchObject({ valid: true, claims: { token_type: 'refresh' } });
  });

  it('returns 200 for an invalid token, 422 if it is not a string', async () => {
    for (const token of ['', 'x', tenant.key, `Bearer ${(await login()).access_token}`]) {
      expect(await validate(token)).toEqual({ valid: false, error: expect.any(String), message: expect.any(String) });
    }
    expect(problem(await anonymous().post('/auth/validate', {}))).toMatchObject({
      status: 422,
      details: { token: 'is required' },
    });
  });
});

needsRedis('events reach streams through Redis').describe('streams', () => {
  /** Shorter than the interval of five seconds at which open streams are checked. */
  const byWordMs = 3_000;
  const url = () => `${stack.baseUrl.replace('http', 'ws')}/api/v1/ws`;

  /** Opens a WebSocket; rejects with the status of a failed upgrade. */
  async function open(query: string, headers: Record<string, string> = {}): Promise<WebSocket> {
    const socket = new WebSocket(`${url()}${query}`, { headers });
    socket.on('error', () => undefined);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('unexpected-response', (_request, { statusCode }) => reject(new Error(String(statusCode))));
    });
    return socket;
  }
  const endOf = async (socket: WebSocket) => {
    const before = performance.now();
    await once(socket, 'close');
    return performance.now() - before;
  };

  it('SP-12 accept an access token in the query or in a header, and no refresh token', async () => {
    const { access_token, refresh_token } = await login();
    const bearer = { authorization: `Bearer ${access_token}` };
    for (const socket of [await open(`?token=${access_token}`), await open('', bearer)]) socket.terminate();
    await expect(open(`?token=${refresh_token}`)).rejects.toThrow('401');
    await expect(open(`?token=${access_token}x`)).rejects.toThrow('401');
    const events = await fetch(`${stack.baseUrl}/api/v1/events`, { headers: bearer });
    expect([events.status, events.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await events.body!.cancel();
  });

  it('SP-75 end within a second after the logout of their session, not those of other sessions', async () => {
    const [mine, other] = [await login(), await login()];
    const [socket, kept] = [await open(`?token=${mine.access_token}`), await open(`?token=${other.access_token}`)];
    const events = await fetch(`${stack.baseUrl}/api/v1/events?token=${mine.access_token}`);
    const ends = [endOf(socket), events.text()] as const;
    await as(mine.access_token, 1).post('/auth/logout');
    expect(await ends[0]).toBeLessThan(byWordMs);
    await ends[1];
    expect(kept.readyState).toBe(WebSocket.OPEN);
    kept.terminate();
    await expect(open(`?token=${mine.access_token}`)).rejects.toThrow('401');
  });

  it('SP-72 end within a second after their key was revoked', async () => {
    const key = await tenant.keyFor();
    const id = await idOfKey(key);
    const socket = await open(`?token=${(await login(key)).access_token}`);
    const end = endOf(socket);
    await as(tenant.key, 1).delete(`/api-keys/${id}`);
    expect(await end).toBeLessThan(byWordMs);
  });
});

describe('unsupported routes', () => {
  it.each([
    ['POST', '/auth/email/verify'],
    ['POST', '/auth/signup/complete'],
    ['POST', '/billing/webhook'],
  ])('%s %s is 404 in JSON', async (method, path) => {
    const result = await as(tenant.key).send(method, path, method === 'POST' ? {} : undefined);
    expect(result).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', message: expect.any(String) } });
  });
});

needsRedis('is killed').describe('without Redis', () => {
  const cacheIs = (state: boolean) =>
    eventually(async () => {
      for (const base of stack.baseUrls) {
        expect(await (await fetch(`${base}/health`)).json()).toMatchObject({ cache: state });
      }
    });

  it('BX-08 logins and tokens work, and a logout takes effect on every gateway', async () => {
    const before = await login();
    await stack.redis!.kill();
    try {
      await cacheIs(false);
      expect(await statusOf(before.access_token)).toBe(200);
      const during = await login();
      expect((await refresh(during.refresh_token, 1)).status).toBe(200);
      expect(await statusOf(during.access_token, 1)).toBe(200);
      expect((await as(during.access_token).post('/auth/logout')).status).toBe(204);
      expect(await statusOf(during.access_token)).toBe(401);
      await eventually(async () => expect(await statusOf(during.access_token, 1)).toBe(401));
    } finally {
      await stack.redis!.start();
      await cacheIs(true);
    }
    expect((await as(before.access_token).post('/auth/logout')).status).toBe(204);
  });
});
