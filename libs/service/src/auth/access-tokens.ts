import { createSecretKey, type KeyObject } from 'node:crypto';
import { authSchemas } from '@spooled/contracts';
import { unauthorized } from '@spooled/domain';
import { newId } from '@spooled/platform';
import { errors, jwtVerify, SignJWT } from 'jose';

export type TokenClaims = authSchemas.TokenClaims;
export type TokenType = TokenClaims['token_type'];

/** The subject of a token; all tokens of one login share `sessionId`. */
export interface TokenSubject {
  organizationId: string;
  apiKeyId: string;
  /** null = all. */
  queues: string[] | null;
  sessionId: string;
}

const algorithm = 'HS256';
/** Tolerance for clock skew: a token must not be "not yet valid" on another replica. */
const clockToleranceSeconds = 5;

/** Whether a credential is a token rather than an API key: every JWT begins with the Base64 of `{"`. */
export const isToken = (credential: string): boolean => credential.startsWith('eyJ');

/** Signs and verifies access tokens (SP-73). Keys and logouts are checked by `TokenAuthenticator`. */
export class AccessTokens {
  private readonly key: KeyObject;

  /** @param names issuer and audience; tokens with others are rejected */
  constructor(
    secret: string,
    private readonly names: { issuer: string; audience: string },
  ) {
    this.key = createSecretKey(secret, 'utf8');
  }

  /** A new token that expires in `seconds`. */
  async issue(type: TokenType, { organizationId, apiKeyId, queues, sessionId }: TokenSubject, seconds: number) {
    const now = Math.floor(Date.now() / 1000);
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
    };
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setIssuer(this.names.issuer)
      .setAudience(this.names.audience)
      .sign(this.key);
  }

  /** @throws SpooledError 401 unless the signature is valid and the token has not expired */
  async read(text: string): Promise<TokenClaims> {
    const { payload } = await jwtVerify(text, this.key, {
      algorithms: [algorithm],
      ...this.names,
      clockTolerance: clockToleranceSeconds,
    }).catch((error: unknown) => {
      throw unauthorized(error instanceof errors.JWTExpired ? 'The token has expired' : 'Invalid token');
    });
    const claims = authSchemas.tokenClaims.safeParse(payload);
    if (!claims.success) throw unauthorized('Invalid token');
    return claims.data;
  }
}
