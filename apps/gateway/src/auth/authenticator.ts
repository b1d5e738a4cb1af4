import { Inject, Injectable } from '@nestjs/common';
import { ApiKeyAuthenticator, LastUseWriter, type ApiKeyIdentity } from '@spooled/data-access';
import { planLimits, unauthorized, type PlanOverrides } from '@spooled/domain';
import { isToken, TokenAuthenticator } from '@spooled/service';
import { PLAN_OVERRIDES } from '../gateway.config.js';
import type { Principal } from './principal.js';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Makes a principal of a request's credential. */
@Injectable()
export class Authenticator {
  /** A cached identity is one object until something about it changes, so its limits are worked out once. */
  private readonly principals = new WeakMap<ApiKeyIdentity, Principal>();

  constructor(
    private readonly apiKeys: ApiKeyAuthenticator,
    private readonly tokens: TokenAuthenticator,
    private readonly lastUse: LastUseWriter,
    @Inject(PLAN_OVERRIDES) private readonly overrides: PlanOverrides,
  ) {}

  /** @throws SpooledError 401 without a valid credential, 503 when it cannot be checked */
  async authenticate(headers: Headers): Promise<Principal> {
    const credential = credentialIn(headers);
    if (credential === undefined)
      throw unauthorized('A credential is required: Authorization: Bearer <API key or token>');
    return this.ofCredential(credential);
  }

  /** Cheap to ask again and again. @throws SpooledError 401 unless this is a valid key or access token, 503 */
  ofCredential(credential: string): Promise<Principal> {
    return isToken(credential) ? this.ofToken(credential) : this.ofApiKey(credential);
  }

  /** @throws SpooledError 401 unless this is a valid API key, 503 when it cannot be checked */
  async ofApiKey(key: string): Promise<Principal> {
    const identity = await this.apiKeys.authenticate(key);
    this.lastUse.note(identity.apiKeyId);
    return this.principalOf(identity);
  }

  /** @throws SpooledError 401 unless this is a valid access token of a valid key, 503 when it cannot be checked */
  async ofToken(text: string): Promise<Principal> {
    const { identity, claims } = await this.tokens.authenticate(text);
    this.lastUse.note(identity.apiKeyId);
    return { ...this.principalOf(identity), session: claims };
  }

  private principalOf(identity: ApiKeyIdentity): Principal {
    const known = this.principals.get(identity);
    if (known) return known;
    const { organizationId, apiKeyId, hash, queues, rateLimit, planTier, customLimits } = identity;
    const limits = planLimits(planTier, this.overrides, customLimits);
    const principal = { organizationId, apiKeyId, keyHash: hash, queues, rateLimit, limits };
    this.principals.set(identity, principal);
    return principal;
  }
}

/** The credential in `Authorization: Bearer` or, from older SDKs, in `X-API-Key`. Never the query: URLs end up in logs. */
export function credentialIn(headers: Headers): string | undefined {
  const { authorization, 'x-api-key': apiKey } = headers;
  if (typeof authorization === 'string') return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  return typeof apiKey === 'string' ? apiKey.trim() : undefined;
}
