import { Inject, Injectable } from '@nestjs/common';
import { formatActor } from '@spooled/contracts';
import { ApiKeyAuthenticator, type ApiKeyIdentity, LastUseWriter } from '@spooled/data-access';
import { planLimits, type PlanOverrides } from '@spooled/domain';
import { PLAN_OVERRIDES } from '../tokens.js';
import { isToken } from './access-tokens.js';
import type { Principal } from './principal.js';
import { TokenAuthenticator } from './token-authenticator.js';

/** Resolves a credential to a principal. */
@Injectable()
export class Authenticator {
  /** A cached identity is the same object until it changes, so its limits are computed once. */
  private readonly principals = new WeakMap<ApiKeyIdentity, Principal>();

  constructor(
    private readonly apiKeys: ApiKeyAuthenticator,
    private readonly tokens: TokenAuthenticator,
    private readonly lastUse: LastUseWriter,
    @Inject(PLAN_OVERRIDES) private readonly overrides: PlanOverrides,
  ) {}

  /** Cached, so cheap to call repeatedly. @throws SpooledError 401 unless this is a valid key or access token, 503 */
  ofCredential(credential: string): Promise<Principal> {
    return isToken(credential) ? this.ofToken(credential) : this.ofApiKey(credential);
  }

  /** @throws SpooledError 401 unless this is a valid API key, 503 when it cannot be checked */
  async ofApiKey(key: string): Promise<Principal> {
    const identity = await this.apiKeys.authenticate(key);
    this.lastUse.record(identity.apiKeyId);
    return this.principalOf(identity);
  }

  /** @throws SpooledError 401 unless this is the token of a signal URL whose key is valid, 503 */
  async ofSignal(token: string): Promise<Principal> {
    const { identity, claims } = await this.tokens.authenticateSignal(token);
    return { ...this.principalOf(identity), signal: claims };
  }

  private async ofToken(text: string): Promise<Principal> {
    const { identity, claims } = await this.tokens.authenticate(text);
    this.lastUse.record(identity.apiKeyId);
    const { person, sid } = claims;
    const actor = person
      ? formatActor('person', person.subject, person.name)
      : formatActor('session', sid, claims.email ?? identity.name);
    return { ...this.principalOf(identity), actor, session: claims };
  }

  private principalOf(identity: ApiKeyIdentity): Principal {
    const known = this.principals.get(identity);
    if (known) return known;
    const { organizationId, apiKeyId, name, hash, queues, rateLimit, role, planTier, customLimits } = identity;
    const limits = planLimits(planTier, this.overrides, customLimits);
    const actor = formatActor('key', apiKeyId, name);
    const principal = { organizationId, apiKeyId, actor, keyHash: hash, queues, rateLimit, role, limits };
    this.principals.set(identity, principal);
    return principal;
  }
}
