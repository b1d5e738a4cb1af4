import { randomUUID } from 'node:crypto';
import { createTenant, eventually, needsRedis, type TestTenant, unixSeconds, jwtSecret } from '@spooled/testing';
import { decodeJwt, SignJWT } from 'jose';
import { aTime, problem } from './rest-caller.js';
import { type Session, Sessions } from './sessions.js';
import { useStack } from './use-rest.js';

const day = 24 * 3600;

const stack = useStack();
let tenant: TestTenant;
let sessions: Sessions;

beforeEach(async () => {
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  sessions = new Sessions(stack, tenant);
});

const validate = async (token: string) => (await sessions.anonymous().post('/auth/validate', { token })).body;
const refused = expect.objectContaining({ status: 401, code: 'UNAUTHORIZED' }) as unknown;
const failed = expect.objectContaining({ status: 401, code: 'AUTHENTICATION_FAILED' }) as unknown;

describe('POST /auth/login', () => {
  it('SP-73 SP-74 returns an access token of 24 hours and a refresh token of 30 days', async () => {
    const { status, body } = await sessions.anonymous().post('/auth/login', { api_key: tenant.key });
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
    const attempt = async (body: object) => problem(await sessions.anonymous().post('/auth/login', body));
    expect(await attempt({ api_key: 'sk_test_0123456789012345678901234567890123456789abc' })).toEqual(failed);
    expect(await attempt({ api_key: (await sessions.login()).access_token })).toEqual(failed);
    expect(await attempt({ api_key: 'short' })).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(await attempt({})).toMatchObject({ status: 422, details: { api_key: 'is required' } });
    expect(await attempt({ api_key: 7 })).toMatchObject({ status: 422 });
  });

  needsRedis('counts for all gateways').it(
    'PB-01 allows five attempts per minute and key, over all gateways',
    async () => {
      const attempts = [0, 1, 0, 1, 0].map((gateway) =>
        sessions.anonymous(gateway).post('/auth/login', { api_key: tenant.key }),
      );
      expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      const sixth = await sessions.anonymous(1).post('/auth/login', { api_key: tenant.key });
      expect(sixth).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED', limit: 5, remaining: 0 } });
      expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0);
      await sessions.login(await tenant.keyFor());
    },
  );
});

describe('an access token', () => {
  it('SP-20 SP-68 is accepted wherever its key is, on every gateway, within the scope of the key', async () => {
    const whole = (await sessions.login()).access_token;
    expect((await sessions.as(whole).post('/jobs', { queue_name: 'mail', payload: {} })).status).toBe(201);
    expect((await sessions.as(whole, 1).get('/jobs')).body).toHaveLength(1);
    expect((await sessions.as(whole, 1).get('/api-keys')).status).toBe(200);
    const scoped = (await sessions.login(await tenant.keyFor('sms'))).access_token;
    expect((await sessions.as(scoped).get('/jobs')).body).toEqual([]);
    expect(problem(await sessions.as(scoped, 1).post('/jobs', { queue_name: 'mail', payload: {} }))).toMatchObject({
      status: 403,
    });
    expect(problem(await sessions.as(scoped).get('/api-keys'))).toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
  });

  it('SP-72 is invalid as soon as its key is revoked, on every gateway', async () => {
    const key = await tenant.keyFor();
    const { access_token, refresh_token } = await sessions.login(key);
    expect(await sessions.statusOf(access_token, 1)).toBe(200);
    expect((await sessions.as(tenant.key).delete(`/api-keys/${await sessions.idOfKey(key)}`)).status).toBe(204);
    expect(await sessions.statusOf(access_token, 0)).toBe(401);
    await eventually(async () => expect(await sessions.statusOf(access_token, 1)).toBe(401), { timeoutMs: 3_000 });
    expect(problem(await sessions.refresh(refresh_token, 1))).toEqual(failed);
    expect((await validate(access_token)).valid).toBe(false);
  });

  it('SP-68 has the current scope of its key, not that of the login', async () => {
    const key = await tenant.keyFor();
    const { access_token } = await sessions.login(key);
    expect((await sessions.as(access_token, 1).get('/queues/mail/stats')).status).not.toBe(403);
    await sessions.as(tenant.key).put(`/api-keys/${await sessions.idOfKey(key)}`, { queues: ['sms'] });
    const narrowed = async () =>
      expect((await sessions.as(access_token, 1).get('/queues/mail/stats')).status).toBe(403);
    await eventually(narrowed, { timeoutMs: 3_000 });
    expect((await sessions.as(access_token).get('/auth/me')).body.queues).toEqual(['sms']);
  });

  it('SP-68 is rejected if it has expired or has another signature', async () => {
    const { access_token } = await sessions.login();
    const claims = decodeJwt(access_token);
    const sign = (change: object, key = jwtSecret, alg = 'HS256') =>
      new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg }).sign(Buffer.from(key));
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [header, , signature] = access_token.split('.');
    const other = await createTenant(stack.databaseUrls.superuserUrl);
    const now = unixSeconds();
    expect(await sessions.statusOf(await sign({}))).toBe(200);
    for (const forged of [
      `${header}.${encode({ ...claims, org_id: other.organizationId })}.${signature}`,
      `${encode({ alg: 'none' })}.${encode(claims)}.`,
      await sign({}, 'what another deployment signs its tokens with'),
      await sign({}, jwtSecret.repeat(2), 'HS512'),
      await sign({ exp: now - 60 }),
      await sign({ nbf: now + 60 }),
      // Validly signed, for a key of another organization or an unknown key.
      await sign({ sub: other.organizationId, org_id: other.organizationId }),
      await sign({ api_key_id: randomUUID() }),
      'eyJ',
    ]) {
      expect(problem(await sessions.as(forged).get('/jobs'))).toEqual(refused);
      expect(problem(await sessions.as(forged).get('/auth/me'))).toEqual(refused);
      expect(problem(await sessions.refresh(forged.padEnd(10)))).toEqual(failed);
      expect(await validate(forged)).toEqual({ valid: false, error: expect.any(String), message: expect.any(String) });
    }
  });
});

describe('GET /auth/me', () => {
  it('returns the identity of the token', async () => {
    const { access_token } = await sessions.login(await tenant.keyFor('mail', 'sms'));
    const { api_key_id } = decodeJwt(access_token);
    const { status, body } = await sessions.as(access_token).get('/auth/me');
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
    const { refresh_token } = await sessions.login();
    for (const caller of [sessions.anonymous(), sessions.as(tenant.key), sessions.as(refresh_token)]) {
      expect(problem(await caller.get('/auth/me'))).toEqual(refused);
    }
  });
});

describe('POST /auth/refresh', () => {
  it('SP-74 returns a new access token of the same session; the refresh token stays the same', async () => {
    const { access_token, refresh_token } = await sessions.login();
    const [first, second] = [await sessions.refresh(refresh_token), await sessions.refresh(refresh_token, 1)];
    expect([first.status, first.body]).toEqual([
      200,
      { access_token: expect.any(String), token_type: 'Bearer', expires_in: day },
    ]);
    const tokens = [access_token, first.body.access_token, second.body.access_token] as string[];
    expect(new Set(tokens).size).toBe(3);
    expect(new Set(tokens.map((token) => decodeJwt(token).sid)).size).toBe(1);
    for (const token of tokens) expect(await sessions.statusOf(token)).toBe(200);
  });

  it('accepts only refresh tokens, which no other route accepts', async () => {
    const { access_token, refresh_token } = await sessions.login();
    expect(problem(await sessions.refresh(access_token))).toEqual(failed);
    expect(problem(await sessions.refresh(tenant.key))).toEqual(failed);
    expect(problem(await sessions.refresh('short'))).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(problem(await sessions.anonymous().post('/auth/refresh', {}))).toMatchObject({ status: 422 });
    for (const path of ['/jobs', '/organizations', '/dashboard', '/api-keys']) {
      expect(problem(await sessions.as(refresh_token).get(path))).toEqual(refused);
    }
    expect(problem(await sessions.as(refresh_token).post('/jobs', { queue_name: 'q', payload: {} }))).toEqual(refused);
  });
});

describe('POST /auth/logout', () => {
  it('SP-75 ends the session with all its tokens, on every gateway; other sessions continue', async () => {
    const [mine, other] = [await sessions.login(), await sessions.login()];
    const again = (await sessions.refresh(mine.refresh_token)).body.access_token as string;
    expect(await sessions.statusOf(mine.access_token, 1)).toBe(200);
    expect(await sessions.as(mine.access_token).post('/auth/logout')).toMatchObject({ status: 204, body: null });
    for (const token of [mine.access_token, again]) {
      expect(problem(await sessions.as(token).get('/jobs'))).toEqual(refused);
      await eventually(async () => expect(await sessions.statusOf(token, 1)).toBe(401), { timeoutMs: 3_000 });
    }
    for (const gateway of [0, 1]) expect(problem(await sessions.refresh(mine.refresh_token, gateway))).toEqual(failed);
    expect(problem(await sessions.as(mine.access_token).post('/auth/logout'))).toEqual(refused);
    expect(await validate(mine.access_token)).toMatchObject({ valid: false, error: 'The token was revoked' });
    expect(await sessions.statusOf(other.access_token, 1)).toBe(200);
    expect((await sessions.refresh(other.refresh_token, 1)).status).toBe(200);
  });

  it('accepts a refresh token in the body, also {} and null; ignores a token of another key', async () => {
    const [first, second, third] = [await sessions.login(), await sessions.login(), await sessions.login()];
    const otherSession = await sessions.login(await tenant.keyFor());
    const logout = async ({ access_token }: Session, body: object) =>
      (await sessions.as(access_token).post('/auth/logout', body)).status;
    expect(await logout(first, { refresh_token: second.refresh_token })).toBe(204);
    expect((await sessions.refresh(second.refresh_token)).status).toBe(401);
    expect(await logout(third, { refresh_token: otherSession.refresh_token })).toBe(204);
    expect((await sessions.refresh(otherSession.refresh_token)).status).toBe(200);
    expect(await logout(otherSession, { refresh_token: null })).toBe(204);
    expect(await logout(await sessions.login(await tenant.keyFor()), {})).toBe(204);
    expect(await logout(await sessions.login(await tenant.keyFor()), { refresh_token: 'nonsense' })).toBe(204);
  });

  it('rejects API keys', async () => {
    expect(problem(await sessions.as(tenant.key).post('/auth/logout'))).toEqual(refused);
    expect(problem(await sessions.anonymous().post('/auth/logout'))).toEqual(refused);
  });
});

describe('POST /auth/validate', () => {
  it('SP-01 returns the content of a valid token, with the field names of every SDK', async () => {
    const { access_token, refresh_token } = await sessions.login();
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
    for (const token of ['', 'x', tenant.key, `Bearer ${(await sessions.login()).access_token}`]) {
      expect(await validate(token)).toEqual({ valid: false, error: expect.any(String), message: expect.any(String) });
    }
    expect(problem(await sessions.anonymous().post('/auth/validate', {}))).toMatchObject({
      status: 422,
      details: { token: 'is required' },
    });
  });
});
