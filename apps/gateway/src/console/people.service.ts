import { Inject, Injectable } from '@nestjs/common';
import { formatActor } from '@spooled/contracts';
import {
  ApiKeyAuthenticator,
  type ApiKeyIdentity,
  callerContext,
  Database,
  ensureSignInIdentity,
  findOrganization,
} from '@spooled/data-access';
import { accessDenied, authenticationFailed, notFound, type Role, roles } from '@spooled/domain';
import { AppLogger } from '@spooled/platform';
import { AccessTokens } from '@spooled/service';
import type { GroupRole } from './open-id.config.js';
import { OpenIdProvider, type Person } from './open-id-provider.js';

/** Lifetime of a sign-in that has begun. */
export const signInSeconds = 600;

/** Who signed in, and the identity that authenticates people with the same role. */
export interface SignedInPerson {
  identity: ApiKeyIdentity;
  person: Pick<Person, 'subject' | 'name'>;
  /** Ids of others that the person may sign in to. */
  organizations: string[];
}

/** Browsers keep cookies up to 4 KB. */
const maxOrganizations = 20;

/** People who sign in to the console at a provider of OpenID Connect; their groups decide organization and role. */
@Injectable()
export class PeopleService {
  constructor(
    @Inject(OpenIdProvider) private readonly provider: OpenIdProvider | null,
    private readonly tokens: AccessTokens,
    private readonly keys: ApiKeyAuthenticator,
    private readonly database: Database,
    private readonly logger: AppLogger,
  ) {}

  /** Name of the provider; null without one. */
  get providerName(): string | null {
    return this.provider?.options.name ?? null;
  }

  /** @returns the page of the provider, and the token for the browser's cookie. @throws SpooledError 404 without a provider, 503 */
  async begin(organization: string | undefined): Promise<{ url: string; token: string }> {
    const { url, attempt } = await this.requireProvider().begin();
    return { url, token: await this.tokens.issueSignIn({ ...attempt, organization }, signInSeconds) };
  }

  /**
   * @param callback query with which the provider sent the browser back
   * @param token from the browser's cookie
   * @throws SpooledError 401 AUTHENTICATION_FAILED, 403 without a group that may sign in, 404 without a provider, 503
   */
  async finish(callback: string, token: string | undefined): Promise<SignedInPerson> {
    const provider = this.requireProvider();
    const refused = () => authenticationFailed('This browser has not begun this sign-in, or too long ago');
    if (token === undefined) throw refused();
    const attempt = await this.tokens.readSignIn(token).catch(() => {
      throw refused();
    });
    const { groups, ...person } = await provider.finish(callback, attempt);
    const own = provider.options.groups.filter(({ group }) => groups.includes(group));
    const granted = grantOf(own, attempt.organization);
    if (!granted) {
      this.logger.warn({ subject: person.subject }, 'sign-in refused: no group of OIDC_GROUPS');
      throw accessDenied('None of your groups may sign in here');
    }
    const others = new Set(own.map(({ organizationId }) => organizationId));
    others.delete(granted.organizationId);
    const organizations = [...others].slice(0, maxOrganizations);
    return { identity: await this.identify(person, granted), person, organizations };
  }

  private requireProvider(): OpenIdProvider {
    if (!this.provider) throw notFound('OpenID Connect provider');
    return this.provider;
  }

  private async identify(
    { subject, name }: SignedInPerson['person'],
    { organizationId, role }: Omit<GroupRole, 'group'>,
  ): Promise<ApiKeyIdentity> {
    const actor = formatActor('person', subject, name);
    const id = await callerContext.run({ address: null, userAgent: null, ...callerContext.getStore(), actor }, () =>
      this.database.withTenant(organizationId, async (tx) =>
        (await findOrganization(tx)) ? ensureSignInIdentity(tx, role) : undefined,
      ),
    );
    if (id === undefined) this.logger.warn({ organizationId }, 'OIDC_GROUPS names an organization that does not exist');
    if (!id) throw accessDenied(`People may not sign in as ${role} in this organization`);
    return this.keys.authenticateById(id);
  }
}

/** The organization and role of a person: the first organization in the order of the setting, and the highest role there. */
function grantOf(own: readonly GroupRole[], wanted: string | undefined) {
  const organizationId = wanted ?? own[0]?.organizationId;
  const role = roles.find((one: Role) =>
    own.some((entry) => entry.organizationId === organizationId && entry.role === one),
  );
  return organizationId !== undefined && role !== undefined ? { organizationId, role } : null;
}
