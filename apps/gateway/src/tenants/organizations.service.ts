import { Inject, Injectable } from '@nestjs/common';
import type { organizationSchemas } from '@spooled/contracts';
import {
  ApiKeyDigests,
  changeOrganization,
  countUsage,
  createOrganization,
  Database,
  deleteOrganization,
  longRunning,
  findOrganization,
  listApiKeys,
  listKeyLookups,
  lockResource,
  type Organization,
  type TenantModels,
} from '@spooled/data-access';
import { invalidField, notFound, slugProblem, type PlanTier } from '@spooled/domain';
import { isProduction, SETTINGS } from '@spooled/platform';
import { CredentialChanges } from '../auth/credential-changes.js';
import type { Principal } from '@spooled/service';
import type { GatewaySettings } from '../gateway.config.js';
import { usageInfo } from './usage-info.js';
import { toOrganizationSummary, toOrganizationResponse } from './tenant-responses.js';

/** @throws SpooledError 404 when the organization has just been deleted */
export async function requireOrganization(models: TenantModels): Promise<Organization> {
  const organization = await findOrganization(models);
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
    planTier: PlanTier = 'free',
  ): Promise<organizationSchemas.CreatedOrganization> {
    const problem = slugProblem(body.slug);
    if (problem) throw invalidField('slug', problem);
    const { organization, apiKey, key } = await createOrganization(this.database, {
      name: body.name,
      slug: body.slug,
      billingEmail: body.billing_email,
      planTier,
      live: isProduction(this.settings),
      digests: this.digests,
    });
    return {
      organization: toOrganizationResponse(organization, { withSecrets: true }),
      api_key: { id: apiKey.id, key, name: apiKey.name, created_at: apiKey.created_at.toISOString() },
    };
  }

  async list({ organizationId }: Principal): Promise<organizationSchemas.OrganizationSummary[]> {
    const organization = await this.database.withTenantModels(organizationId, findOrganization);
    return organization ? [toOrganizationSummary(organization)] : [];
  }

  async get({ organizationId, queues }: Principal): Promise<organizationSchemas.Organization> {
    const organization = await this.database.withTenantModels(organizationId, requireOrganization);
    return toOrganizationResponse(organization, { withSecrets: queues === null });
  }

  async update(
    { organizationId }: Principal,
    { name, billing_email, settings }: organizationSchemas.UpdateOrganizationBody,
  ): Promise<organizationSchemas.Organization> {
    const organization = await this.database.withTenantModels(organizationId, async (models) => {
      await lockResource(models, 'settings');
      const { webhook_token } = (await requireOrganization(models)).settings as Record<string, unknown>;
      return changeOrganization(models, {
        ...(name != null && { name }),
        ...(billing_email != null && { billing_email }),
        // The token has its own routes; replacing the settings must not remove it.
        ...(settings != null && { settings: { ...settings, webhook_token } }),
      });
    });
    await this.changes.organization(organizationId);
    return toOrganizationResponse(organization, { withSecrets: true });
  }

  /** @throws SpooledError 409 while jobs, workers or schedules are active */
  async remove({ organizationId }: Principal): Promise<void> {
    const hashes = await this.database.withTenantModels(organizationId, listKeyLookups);
    await this.database.withTenant(organizationId, deleteOrganization, longRunning);
    await this.changes.organization(organizationId, hashes);
  }

  async usage({ organizationId, limits }: Principal): Promise<organizationSchemas.UsageInfo> {
    return usageInfo(limits, await this.database.withTenant(organizationId, countUsage));
  }

  /** There are no users: each key is listed as a member, the oldest one as owner. */
  async members({ organizationId }: Principal): Promise<organizationSchemas.MemberList> {
    const [organization, keys] = await this.database.withTenantModels(
      organizationId,
      async (models) => [await requireOrganization(models), await listApiKeys(models)] as const,
    );
    return keys.map(({ id, name, created_at }, i) => ({
      id,
      user_id: id,
      email: organization.billing_email ?? '',
      name,
      role: i === keys.length - 1 ? 'owner' : 'member',
      joined_at: created_at.toISOString(),
    }));
  }
}
