import { Inject, Injectable } from '@nestjs/common';
import type { authSchemas } from '@spooled/contracts';
import { Database, findOrganization, lookupOf, recordRefusedLogin } from '@spooled/data-access';
import { authenticationFailed, SpooledError } from '@spooled/domain';
import { AppLogger, newId, SETTINGS } from '@spooled/platform';
import {
  AccessTokens,
  Authenticator,
  type Principal,
  RevokedSessions,
  TokenAuthenticator,
  type TokenClaims,
  type TokenSubject,
} from '@spooled/service';
import type { FastifyReply } from 'fastify';
import type { GatewaySettings } from '../gateway.config.js';
import { RequestLimits } from './request-limits.js';

/** SP-74. */
const refreshSeconds = 30 * 24 * 3600;

const isRefusal = (error: unknown): error is SpooledError => error instanceof SpooledError && error.status === 401;

/** The credential in the body failed, not that of the request; callers distinguish the two by the error code. */
const failed = (error: unknown): never => {
  throw isRefusal(error) ? authenticationFailed(error.message) : error;
};

const iso = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString();

/** Sessions start with a login and end with a logout. Only ended sessions are stored. */
@Injectable()
export class SessionsService {
  private readonly accessSeconds: number;

  constructor(
    private readonly authenticator: Authenticator,
    private readonly tokens: AccessTokens,
    private readonly reader: TokenAuthenticator,
    private readonly revoked: RevokedSessions,
    private readonly limits: RequestLimits,
    private readonly database: Database,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) settings: GatewaySettings,
  ) {
    this.accessSeconds = settings.JWT_EXPIRATION_HOURS * 3600;
  }

  /**
   * A refusal of a revoked or expired key is in the audit log of its organization (BX-21).
   * @throws SpooledError 401 AUTHENTICATION_FAILED, 429 beyond five attempts a minute with one key
   */
  async login(apiKey: string, reply: FastifyReply): Promise<authSchemas.LoginGrant> {
    await this.limits.checkLogin(lookupOf(apiKey), reply);
    const { organizationId, apiKeyId, queues } = await this.authenticator
      .ofApiKey(apiKey)
      .catch((error: unknown) => this.refuse(apiKey, error));
    const subject = { organizationId, apiKeyId, queues, sessionId: newId() };
    return {
      ...(await this.grant(subject)),
      refresh_token: await this.tokens.issue('refresh', subject, refreshSeconds),
      refresh_expires_in: refreshSeconds,
    };
  }

  /** Issues another access token of the same session. @throws SpooledError 401 AUTHENTICATION_FAILED */
  async refresh(refreshToken: string): Promise<authSchemas.AccessGrant> {
    const { identity, claims } = await this.reader.authenticate(refreshToken, 'refresh').catch(failed);
    const { organizationId, apiKeyId, queues } = identity;
    return this.grant({ organizationId, apiKeyId, queues, sessionId: claims.sid });
  }

  /**
   * Revokes the session of `current`, and that of `refreshToken` if it has the same key.
   * @throws SpooledError 503 when the end of the session cannot be stored
   */
  async logout(current: TokenClaims, refreshToken: string | null): Promise<void> {
    const other = refreshToken === null ? null : await this.tokens.read(refreshToken).catch(() => null);
    await this.end(current);
    if (other?.api_key_id === current.api_key_id) await this.end(other);
  }

  async me({ iat, exp }: TokenClaims, { organizationId, apiKeyId, queues, role }: Principal): Promise<authSchemas.Me> {
    const found = await this.database.withTenant(organizationId, findOrganization);
    return {
      organization_id: organizationId,
      api_key_id: apiKeyId,
      queues: queues ?? [],
      role,
      issued_at: iso(iat),
      expires_at: iso(exp),
      organization: found && {
        id: found.id,
        name: found.name,
        slug: found.slug,
        plan_tier: found.plan_tier,
        billing_email: found.billing_email,
      },
    };
  }

  /** Whether any text is a currently valid token. @throws SpooledError 503 */
  async validate(token: string): Promise<authSchemas.TokenCheck> {
    try {
      const { claims } = await this.reader.inspect(token);
      return {
        valid: true,
        message: 'The token is valid',
        claims: { ...claims, organization_id: claims.org_id },
        organization_id: claims.org_id,
        api_key_id: claims.api_key_id,
        expires_at: iso(claims.exp),
      };
    } catch (error) {
      if (isRefusal(error)) return { valid: false, error: error.message, message: error.message };
      throw error;
    }
  }

  private async refuse(apiKey: string, error: unknown): Promise<never> {
    if (isRefusal(error)) {
      await recordRefusedLogin(this.database, apiKey).catch((err: unknown) =>
        this.logger.warn({ err }, 'a refused login could not be recorded in the audit log'),
      );
    }
    return failed(error);
  }

  private async grant(subject: TokenSubject): Promise<authSchemas.AccessGrant> {
    const access_token = await this.tokens.issue('access', subject, this.accessSeconds);
    return { access_token, token_type: 'Bearer', expires_in: this.accessSeconds };
  }

  private end({ org_id, sid, jti, exp }: TokenClaims): Promise<void> {
    return this.revoked.revoke({
      organizationId: org_id,
      sessionId: sid,
      // A refresh token can issue an access token in its last second.
      sessionSeconds: refreshSeconds + this.accessSeconds,
      tokens: [{ tokenId: jti, seconds: Math.ceil(exp - Date.now() / 1000) }],
    });
  }
}
