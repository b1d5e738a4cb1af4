import { Injectable } from '@nestjs/common';
import { ApiKeyAuthenticator, type ApiKeyIdentity } from '@spooled/data-access';
import { unauthorized } from '@spooled/domain';
import { AccessTokens, type SignalClaims, type TokenClaims, type TokenType } from './access-tokens.js';
import { RevokedSessions } from './revoked-sessions.js';

export interface AuthenticatedToken<Claims = TokenClaims> {
  /** The key that the token was issued for, in its current state. */
  identity: ApiKeyIdentity;
  claims: Claims;
}

/**
 * Authenticates access and refresh tokens. The key and its organization are looked up on every request, in caches that a change
 * invalidates immediately, so revoking a key also revokes its tokens.
 */
@Injectable()
export class TokenAuthenticator {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly keys: ApiKeyAuthenticator,
    private readonly revoked: RevokedSessions,
  ) {}

  /**
   * @throws SpooledError 401 when the token is invalid, expired, revoked or of another type, or when its key is no longer
   *   valid; 503 when the key cannot be looked up
   */
  async authenticate(text: string, type: TokenType = 'access'): Promise<AuthenticatedToken> {
    const token = await this.inspect(text);
    if (token.claims.token_type !== type)
      throw unauthorized(`This is not ${type === 'access' ? 'an' : 'a'} ${type} token`);
    return token;
  }

  /** As `authenticate`, for tokens of either type. */
  async inspect(text: string): Promise<AuthenticatedToken> {
    const claims = await this.tokens.read(text);
    const [identity, revoked] = await Promise.all([
      this.keys.authenticateById(claims.api_key_id),
      this.revoked.isRevoked(claims.org_id, { tokenId: claims.jti, sessionId: claims.sid }),
    ]);
    if (revoked) throw unauthorized('The token was revoked');
    return requireOwner(identity, claims);
  }

  /** The key that made a signal URL, and its claims. @throws SpooledError 401 unless both are valid, 503 */
  async authenticateSignal(text: string): Promise<AuthenticatedToken<SignalClaims>> {
    const claims = await this.tokens.readSignal(text);
    return requireOwner(await this.keys.authenticateById(claims.api_key_id), claims);
  }
}

function requireOwner<Claims extends { org_id: string }>(identity: ApiKeyIdentity, claims: Claims) {
  if (identity.organizationId !== claims.org_id) throw unauthorized('Invalid token');
  return { identity, claims };
}
