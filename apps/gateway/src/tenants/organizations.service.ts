import { Inject, Injectable } from '@nestjs/common';
import type { organizationSchemas } from '@spooled/contracts';
import {
  ApiKeyDigests,
  type CreatedOrganization,
  createOrganization,
  Database,
  findOrganization,
  type NewOrganization,
  type Organization,
  type TenantTransaction,
} from '@spooled/data-access';
import { invalidField, notFound, slugProblem } from '@spooled/domain';
import { isProduction, SETTINGS } from '@spooled/platform';
import type { GatewaySettings } from '../gateway.config.js';

/** @throws SpooledError 404 when the organization has just been deleted */
export async function requireOrganization(tx: TenantTransaction): Promise<Organization> {
  const organization = await findOrganization(tx);
  if (!organization) throw notFound('Organization');
  return organization;
}

/** Registers organizations, for themselves and for the administrator. */
@Injectable()
export class OrganizationsService {
  constructor(
    private readonly database: Database,
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
}
