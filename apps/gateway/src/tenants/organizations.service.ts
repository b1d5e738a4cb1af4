import { Inject, Injectable } from '@nestjs/common';
import type { organizationSchemas } from '@spooled/contracts';
import {
  ApiKeyDigests,
  changeOrganization,
  readUsage,
  createOrganization,
  Database,
  deleteOrganization,
  findOrganization,
  findFirstKey,
  listApiKeys,
  listKeyLookups,
  lockResource,
  readOrganizationDocuments,
  type CreatedOrganization,
  type NewOrganization,
  type Organization,
  type TenantTransaction,
} from '@spooled/data-access';
import { invalidField, mayDo, notFound, slugProblem } from '@spooled/domain';
import { isProduction, SETTINGS } from '@spooled/platform';
import { CredentialChanges } from '../auth/credential-changes.js';
import { idOnly, type Page, pageOf, type Principal, rowsOf } from '@spooled/service';
import type { GatewaySettings } from '../gateway.config.js';
import { usageInfo } from './usage-info.js';
import { toOrganizationSummary, toOrganizationResponse } from './tenant-responses.js';
import { iso } from '../http/times.js';

/** @throws SpooledError 404 when the organization has just been deleted */
export async function requireOrganization(tx: TenantTransaction): Promise<Organization> {
  const organization = await findOrganization(tx);
  if (!organization) throw notFound('Organization');
  return organization;
}

/** Registration, settings, usage and deletion of organizations. */
@Injectable()
export class OrganizationsService {
  constructor(
    private readonly database: Database,
    private readonly changes: CredentialChanges,
    private readonly digests: ApiKeyDigests,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** @throws SpooledError 400 for an invalid slug, 409 for a slug or e-mail address in use */
  async register(
    body: organizationSchemas.CreateOrganizationBody,
    given: Pick<NewOrganization, 'planTier' | 'settings' | 'customLimits'> = {},
  ): Promise<CreatedOrganization> {
    const problem = slugProblem(body.slug);
    if (problem) throw invalidField('slug', problem);
    return createOrganization(this.database, {
      ...given,
      name: body.name,
      slug: body.slug,
      billingEmail: body.billing_email,
      live: isProduction(this.settings),
      digests: this.digests,
    });
  }

  /** The caller's organization. @throws SpooledError 400 for an invalid cursor */
  async list(
    { organizationId }: Principal,
    query: organizationSchemas.ListOwnOrganizationsQuery,
  ): Promise<Page<organizationSchemas.OrganizationSummary>> {
    const organization = await this.database.withTenant(organizationId, findOrganization);
    const { limit, offset } = rowsOf(query);
    const isLater = idOnly(query.cursor) !== null;
    const rows = organization && !isLater ? [toOrganizationSummary(organization)] : [];
    return pageOf(rows.slice(offset, offset + limit), query, ({ id }) => [id]);
  }

  /** As JSON text; without the secret settings for a key that is limited to queues or is no administrator's. */
  get({ organizationId, queues, role }: Principal): Promise<string> {
    return this.database.withTenant(organizationId, async (tx) => {
      const organization = await requireOrganization(tx);
      const withSecrets = queues === null && mayDo(role, 'administer');
      return toOrganizationResponse(organization, await readOrganizationDocuments(tx, { withSecrets }));
    });
  }

  /** @returns JSON text. @throws SpooledError 409 for an e-mail address in use */
  async update(
    { organizationId }: Principal,
    { name, billing_email, settings }: organizationSchemas.UpdateOrganizationBody,
  ): Promise<string> {
    const response = await this.database.withTenant(organizationId, async (tx) => {
      await lockResource(tx, 'settings');
      await requireOrganization(tx);
      const organization = await changeOrganization(tx, {
        ...(name != null && { name }),
        ...(billing_email != null && { billing_email }),
        ...(settings != null && { settings: settings.text }),
      });
      return toOrganizationResponse(organization, await readOrganizationDocuments(tx));
    });
    await this.changes.organization(organizationId);
    return response;
  }

  /** @throws SpooledError 409 while jobs, workers or schedules are active */
  async remove({ organizationId }: Principal): Promise<void> {
    const hashes = await this.database.withTenant(organizationId, listKeyLookups);
    await this.database.withTenant(organizationId, deleteOrganization, { timeoutMs: 60_000 });
    await this.changes.organization(organizationId, hashes);
  }

  async usage({ organizationId, limits }: Principal): Promise<organizationSchemas.UsageInfo> {
    return usageInfo(limits, await this.database.withTenant(organizationId, (tx) => tx.one(readUsage)));
  }

  /** There are no users: each key is listed as a member, the oldest one as owner. */
  async members(
    { organizationId }: Principal,
    query: organizationSchemas.ListMembersQuery,
  ): Promise<Page<organizationSchemas.Member>> {
    const page = { ...rowsOf(query), afterId: idOnly(query.cursor) };
    const [organization, keys, first] = await this.database.withTenant(
      organizationId,
      async (tx) =>
        [await requireOrganization(tx), await tx.run(listApiKeys, page), await tx.first(findFirstKey)] as const,
    );
    const members = keys.map(({ id, name, created_at }): organizationSchemas.Member => ({
      id,
      user_id: id,
      email: organization.billing_email ?? '',
      name,
      role: id === first?.id ? 'owner' : 'member',
      joined_at: iso(created_at),
    }));
    return pageOf(members, query, ({ id }) => [id]);
  }
}
