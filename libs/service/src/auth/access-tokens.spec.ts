import { randomUUID } from 'node:crypto';
import { unixSeconds } from '@spooled/testing';
import { decodeJwt, SignJWT } from 'jose';
import { AccessTokens } from './access-tokens.js';
import { openTokens } from './open-tokens.js';

const secret = 'a secret with enough characters for this spec';
const expectedNames = { issuer: 'spooled', audience: 'spooled-api' };
const tokens = new AccessTokens({ current: secret }, expectedNames);
const subject = {
  organizationId: randomUUID() as string,
  apiKeyId: randomUUID() as string,
  queues: ['mail'],
  sessionId: randomUUID() as string,
};
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const refused = { status: 401, code: 'UNAUTHORIZED', message: 'Invalid token' };

/** A token in the product's format, signed with `key`; `change` overrides claims. */
async function forge(change: Record<string, unknown>, key = secret, alg = 'HS256'): Promise<string> {
  const claims = await tokens.read(await tokens.issue('access', subject, 60));
  return new SignJWT({ ...claims, iss: expectedNames.issuer, aud: expectedNames.audience, ...change })
    .setProtectedHeader({ alg })
    .sign(Buffer.from(key));
}

describe('access tokens', () => {
  it('SP-76 contain only the claims of their subject', async () => {
    const before = unixSeconds();
    const claims = await tokens.read(await tokens.issue('refresh', subject, 3600));
    expect(claims).toEqual({
      sub: subject.organizationId,
      org_id: subject.organizationId,
      api_key_id: subject.apiKeyId,
      queues: ['mail'],
      token_type: 'refresh',
      sid: subject.sessionId,
      jti: expect.any(String),
      iat: expect.any(Number),
      nbf: claims.iat,
      exp: claims.iat + 3600,
    });
    expect(claims.iat - before).toBeLessThan(5);
    expect((await tokens.read(await tokens.issue('access', subject, 60))).jti).not.toBe(claims.jti);
  });

  it('BX-24 say whether they are of the console, and of whom', async () => {
    const person = { subject: 'p-1', name: 'Ada' };
    const organizations = [randomUUID() as string];
    const session = { ...subject, queues: null, console: true, person, organizations };
    const claims = await tokens.read(await tokens.issue('access', session, 60));
    expect(claims).toMatchObject({ console: true, sid: subject.sessionId, queues: [], person, organizations });
  });

  it("BX-24 of the administrator are valid only for the same administrator's key, and are no access tokens", async () => {
    const { token, expiresAt } = await tokens.issueAdministrator(subject.sessionId, 'the administrator', 60);
    expect(await tokens.readAdministrator(token, 'the administrator')).toMatchObject({
      sid: subject.sessionId,
      exp: expiresAt,
    });
    await expect(tokens.readAdministrator(token, 'another one')).rejects.toMatchObject(refused);
    await expect(tokens.read(token)).rejects.toMatchObject(refused);
    const access = await tokens.issue('access', subject, 60);
    await expect(tokens.readAdministrator(access, 'the administrator')).rejects.toMatchObject(refused);
    expect(JSON.stringify(decodeJwt(token))).not.toContain('the administrator');
    const late = await tokens.issueAdministrator(subject.sessionId, 'the administrator', -10);
    await expect(tokens.readAdministrator(late.token, 'the administrator')).rejects.toMatchObject({ status: 401 });
  });

  it('SP-68 are rejected when they were modified or signed with another key', async () => {
    const good = await tokens.issue('access', subject, 60);
    const [header, payload, signature] = good.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const otherPayload = encode({ ...claims, org_id: randomUUID() });
    for (const bad of [
      `${header}.${otherPayload}.${signature}`,
      `${encode({ alg: 'none' })}.${payload}.`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${otherPayload}.${signature}`,
      `${header}.${payload}`,
      'eyJ',
      await forge({}, 'another secret that is also long enough'),
      await forge({}, `${secret}${secret}`, 'HS512'),
      await forge({ token_type: 'admin' }),
      await forge({ api_key_id: undefined }),
    ]) {
      await expect(tokens.read(bad)).rejects.toMatchObject(refused);
    }
  });

  it('SP-68 of a sign-in and of a signal URL are accepted as nothing else, and until their time', async () => {
    const signIn = { state: 'state', nonce: 'nonce', verifier: 'verifier' };
    const signal = {
      ...{ org_id: subject.organizationId, api_key_id: subject.apiKeyId },
      ...{ job_id: randomUUID(), step: 'approval', made_at: '2026-01-01T00:00:00.000Z' },
    };
    const issued = {
      access: await tokens.issue('access', subject, 60),
      administrator: (await tokens.issueAdministrator(subject.sessionId, 'the administrator', 60)).token,
      signIn: await tokens.issueSignIn(signIn, 60),
      signal: (await tokens.issueSignal(signal, 60)).token,
    };
    const readers = {
      access: (text: string) => tokens.read(text),
      administrator: (text: string) => tokens.readAdministrator(text, 'the administrator'),
      signIn: (text: string) => tokens.readSignIn(text),
      signal: (text: string) => tokens.readSignal(text),
    };
    for (const [of, read] of Object.entries(readers))
      for (const [kind, token] of Object.entries(issued))
        if (kind !== of) await expect(read(token)).rejects.toMatchObject(refused);
    expect(await tokens.readSignIn(issued.signIn)).toMatchObject(signIn);
    expect(await tokens.readSignal(issued.signal)).toMatchObject(signal);
    for (const expired of [
      tokens.readSignIn(await tokens.issueSignIn(signIn, -10)),
      tokens.readSignal((await tokens.issueSignal(signal, -10)).token),
    ])
      await expect(expired).rejects.toMatchObject({ status: 401, message: 'The token has expired' });
    const { token, expiresAt } = await tokens.issueSignal(signal, 60);
    expect((await tokens.readSignal(token)).exp).toBe(expiresAt);
  });

  it('SP-68 are rejected with another issuer or audience', async () => {
    await expect(tokens.read(await forge({}))).resolves.toMatchObject({ token_type: 'access' });
    for (const change of [{ iss: undefined }, { aud: undefined }, { iss: 'other' }, { aud: 'other' }]) {
      await expect(tokens.read(await forge(change))).rejects.toMatchObject(refused);
    }
    const staging = new AccessTokens({ current: secret }, { ...expectedNames, audience: 'staging' });
    await expect(staging.read(await tokens.issue('access', subject, 60))).rejects.toMatchObject(refused);
    const issued = decodeJwt(await tokens.issue('refresh', subject, 60));
    expect(issued).toMatchObject({ iss: expectedNames.issuer, aud: expectedNames.audience });
  });

  it('SP-73 expire, with a tolerance for clock skew between replicas', async () => {
    const now = unixSeconds();
    await expect(tokens.read(await forge({ exp: now - 10 }))).rejects.toMatchObject({
      message: 'The token has expired',
    });
    await expect(tokens.read(await forge({ nbf: now + 60 }))).rejects.toMatchObject(refused);
    await expect(tokens.read(await forge({ nbf: now + 2 }))).resolves.toMatchObject({ token_type: 'access' });
  });
});

describe('a rotation of the secret', () => {
  const next = 'the next secret, with enough characters as well';
  const during = () => new AccessTokens({ current: next, previous: secret }, expectedNames);
  const after = () => new AccessTokens({ current: next }, expectedNames);

  it('SP-73 keeps tokens valid that the previous secret signed, and signs none with it', async () => {
    const old = await tokens.issue('access', subject, 60);
    await expect(during().read(old)).resolves.toMatchObject({ sid: subject.sessionId });
    await expect(after().read(old)).rejects.toMatchObject(refused);
    const fresh = await during().issue('access', subject, 60);
    await expect(after().read(fresh)).resolves.toMatchObject({ sid: subject.sessionId });
    await expect(tokens.read(fresh)).rejects.toMatchObject(refused);
  });

  it('SP-73 keeps sessions of the administrator, for the same key only', async () => {
    const { token } = await tokens.issueAdministrator(subject.sessionId, 'the administrator', 60);
    await expect(during().readAdministrator(token, 'the administrator')).resolves.toMatchObject({
      sid: subject.sessionId,
    });
    await expect(during().readAdministrator(token, 'another one')).rejects.toMatchObject(refused);
    await expect(after().readAdministrator(token, 'the administrator')).rejects.toMatchObject(refused);
  });

  it('SP-68 accepts neither a third secret nor what has expired', async () => {
    await expect(during().read(await forge({}, 'a third secret that is also long enough'))).rejects.toMatchObject(
      refused,
    );
    for (const signer of [tokens, during()])
      await expect(during().read(await signer.issue('access', subject, -60))).rejects.toMatchObject({
        message: 'The token has expired',
      });
  });
});

describe('JWT_SECRET', () => {
  const warnings: string[] = [];
  const names = { JWT_ISSUER: expectedNames.issuer, JWT_AUDIENCE: expectedNames.audience };
  const open = (SPOOLED_ENV: 'production' | 'development', JWT_SECRET?: string, JWT_SECRET_PREVIOUS?: string) =>
    openTokens({
      settings: { SPOOLED_ENV, JWT_SECRET, JWT_SECRET_PREVIOUS, ...names },
      logger: { warn: (text: string) => warnings.push(text) } as never,
    });

  it('is required with a minimum length in production; otherwise one is generated with a warning', () => {
    expect(() => open('production')).toThrow('JWT_SECRET: is required in production');
    expect(() => open('production', 'short')).toThrow('JWT_SECRET: must have at least 32 characters');
    expect(() => open('production', 'x'.repeat(31))).toThrow('JWT_SECRET: must have at least 32 characters');
    expect(() => open('production', 'x'.repeat(32))).not.toThrow();
    expect(() => open('production', secret, 'x'.repeat(32))).not.toThrow();
    expect(() => open('development', secret, 'short')).not.toThrow();
    expect(() => open('production', secret, 'short')).toThrow('JWT_SECRET_PREVIOUS: must have at least 32 characters');
    expect(() => open('development', undefined, secret)).toThrow('JWT_SECRET: is required with JWT_SECRET_PREVIOUS');
    expect(() => open('development', 'short')).not.toThrow();
    expect(warnings).toEqual([]);
    open('development');
    expect(warnings).toEqual([expect.stringContaining('JWT_SECRET')]);
  });

  it('SP-73 and the names of the settings sign tokens that others with the same accept', async () => {
    const token = await open('production', secret).issue('access', subject, 60);
    await expect(tokens.read(token)).resolves.toMatchObject({ sid: subject.sessionId });
  });
});
