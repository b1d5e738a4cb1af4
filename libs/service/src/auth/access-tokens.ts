import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { systemClock } from '@spooled/clock';
import { authSchemas } from '@spooled/contracts';
import { type Clock, unauthorized } from '@spooled/domain';
import { newId } from '@spooled/platform';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { z } from 'zod';

export type TokenClaims = authSchemas.TokenClaims;
export type TokenType = TokenClaims['token_type'];
export type AdministratorClaims = authSchemas.AdministratorClaims;
export type SignInClaims = authSchemas.SignInClaims;
export type SignalClaims = authSchemas.SignalClaims;

/** The subject of a token; all tokens of one login share `sessionId`. */
export interface TokenSubject {
  organizationId: string;
  apiKeyId: string;
  /** null = all. */
  queues: string[] | null;
  sessionId: string;
  /** Who signed in at the provider of OpenID Connect. */
  person?: TokenClaims['person'];
  organizations?: TokenClaims['organizations'];
  /** Whether this is a session of the browser console. */
  console?: boolean;
}

/** Tokens are signed with the current secret and verified with either. */
export interface TokenSecrets {
  current: string;
  previous?: string;
}

const algorithm = 'HS256';
/** Tolerance for clock skew: a token must not be "not yet valid" on another replica. */
const clockToleranceSeconds = 5;

/** Whether a credential is a token rather than an API key: every JWT begins with the Base64 of `{"`. */
export const isToken = (credential: string): boolean => credential.startsWith('eyJ');

/** Signs and verifies access tokens (SP-73). Keys and logouts are checked by `TokenAuthenticator`. */
export class AccessTokens {
  private readonly key: KeyObject;
  /** The current one first. */
  private readonly keys: readonly KeyObject[];

  /** @param names issuer and audience; tokens with others are rejected */
  constructor(
    { current, previous }: TokenSecrets,
    private readonly names: { issuer: string; audience: string },
    private readonly clock: Clock = systemClock,
  ) {
    this.key = createSecretKey(current, 'utf8');
    this.keys = previous === undefined ? [this.key] : [this.key, createSecretKey(previous, 'utf8')];
  }

  /** A new token that expires in `seconds`. */
  async issue(
    type: TokenType,
    { organizationId, apiKeyId, queues, sessionId, person, organizations, console }: TokenSubject,
    seconds: number,
  ) {
    const now = Math.floor(this.clock.now() / 1000);
    const claims: TokenClaims = {
      sub: organizationId,
      org_id: organizationId,
      api_key_id: apiKeyId,
      queues: queues ?? [],
      token_type: type,
      sid: sessionId,
      jti: newId(),
      iat: now,
      nbf: now,
      exp: now + seconds,
      ...(person && { person }),
      ...(organizations && { organizations }),
      ...(console && { console }),
    };
    return this.sign(claims);
  }

  /** A new token of the administrator's session, and its expiry in Unix seconds. @param adminKey ADMIN_API_KEY; the token is valid as long as it is the same */
  async issueAdministrator(sessionId: string, adminKey: string, seconds: number) {
    const exp = Math.floor(this.clock.now() / 1000) + seconds;
    const admin_key = keyedHash(this.key, adminKey);
    const claims: AdministratorClaims = { token_type: 'administrator', sid: sessionId, admin_key, exp };
    return { token: await this.sign(claims), expiresAt: exp };
  }

  /** Signs what a browser keeps of a sign-in that it has begun. Only `readSignIn` accepts it. */
  issueSignIn(claims: Omit<SignInClaims, 'token_type'>, seconds: number): Promise<string> {
    const exp = Math.floor(this.clock.now() / 1000) + seconds;
    return this.sign({ ...claims, token_type: 'sign_in', exp });
  }

  /** @throws SpooledError 401 unless this is a current token of `issueSignIn` */
  readSignIn(text: string): Promise<SignInClaims> {
    return this.verify(text, authSchemas.signInClaims);
  }

  /** Signs the token of a URL that gives a job a signal, and its expiry in Unix seconds. Only `readSignal` accepts it. */
  async issueSignal(claims: Omit<SignalClaims, 'token_type' | 'exp'>, seconds: number) {
    const exp = Math.floor(this.clock.now() / 1000) + seconds;
    return { token: await this.sign({ ...claims, token_type: 'signal', exp }), expiresAt: exp };
  }

  /** @throws SpooledError 401 unless this is a current token of `issueSignal` */
  readSignal(text: string): Promise<SignalClaims> {
    return this.verify(text, authSchemas.signalClaims);
  }

  /** @throws SpooledError 401 unless the signature is valid and the token has not expired */
  async read(text: string): Promise<TokenClaims> {
    return this.verify(text, authSchemas.tokenClaims);
  }

  /** @throws SpooledError 401 unless this is a valid token of `issueAdministrator` for the same `adminKey` */
  async readAdministrator(text: string, adminKey: string): Promise<AdministratorClaims> {
    const claims = await this.verify(text, authSchemas.administratorClaims);
    if (!this.keys.some((key) => claims.admin_key === keyedHash(key, adminKey))) throw unauthorized('Invalid token');
    return claims;
  }

  private sign(claims: object): Promise<string> {
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setIssuer(this.names.issuer)
      .setAudience(this.names.audience)
      .sign(this.key);
  }

  private async verify<Claims>(text: string, schema: z.ZodType<Claims>): Promise<Claims> {
    const payload = await this.verifySignature(text, this.keys).catch((error: unknown) => {
      throw unauthorized(error instanceof errors.JWTExpired ? 'The token has expired' : 'Invalid token');
    });
    const claims = schema.safeParse(payload);
    if (!claims.success) throw unauthorized('Invalid token');
    return claims.data;
  }

  private async verifySignature(text: string, [key, ...others]: readonly KeyObject[]): Promise<JWTPayload> {
    const rules = { algorithms: [algorithm], ...this.names, clockTolerance: clockToleranceSeconds };
    try {
      return (await jwtVerify(text, key!, rules)).payload;
    } catch (error) {
      if (others.length === 0 || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      return this.verifySignature(text, others);
    }
  }
}

/** Not a plain hash: who has a token must not be able to try keys. */
const keyedHash = (key: KeyObject, text: string): string => createHmac('sha256', key).update(text).digest('base64url');
