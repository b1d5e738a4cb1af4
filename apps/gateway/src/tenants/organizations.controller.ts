import { Body, Controller, Delete, Get, Put, Query } from '@nestjs/common';
import { organizationSchemas as schemas } from '@spooled/contracts';
import {
  changeOrganization,
  readUsage,
  Database,
  deleteOrganization,
  findFirstKey,
  findOrganization,
  listApiKeys,
  listKeyLookups,
  lockResource,
  readOrganizationDocuments,
} from '@spooled/data-access';
import { mayDo } from '@spooled/domain';
import { idOnly, type Page, pageOf, type Principal, rowsOf } from '@spooled/service';
import { CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import { CredentialChanges } from '../auth/credential-changes.js';
import { ApiTags, ListResponse, ResponseSchema, TextResponse, validated } from '../http/routes.js';
import { iso } from '../http/times.js';
import { requireOrganization } from './organizations.service.js';
import { OwnOrganization } from './own-organization.js';
import { toOrganizationResponse, toOrganizationSummary } from './tenant-responses.js';
import { usageInfo } from './usage-info.js';

/** Settings, usage and deletion of the caller's organization. Organizations other than the caller's are 404. */
@ApiTags('organizations')
@Controller('organizations')
export class OrganizationsController {
  constructor(
    private readonly database: Database,
    private readonly changes: CredentialChanges,
  ) {}

  /** The caller's organization. @throws SpooledError 400 for an invalid cursor */
  @Get()
  @Requires('read')
  @ListResponse(schemas.organizationSummary)
  async list(
    @CurrentPrincipal() { organizationId }: Principal,
    @Query(validated(schemas.listOwnOrganizationsQuery)) query: schemas.ListOwnOrganizationsQuery,
  ): Promise<Page<schemas.OrganizationSummary>> {
    const organization = await this.database.withTenant(organizationId, findOrganization);
    const { limit, offset } = rowsOf(query);
    const isLater = idOnly(query.cursor) !== null;
    const rows = organization && !isLater ? [toOrganizationSummary(organization)] : [];
    return pageOf(rows.slice(offset, offset + limit), query, ({ id }) => [id]);
  }

  @Get('usage')
  @Requires('read')
  @ResponseSchema(schemas.usageInfo)
  async usage(@CurrentPrincipal() { organizationId, limits }: Principal): Promise<schemas.UsageInfo> {
    return usageInfo(limits, await this.database.withTenant(organizationId, (tx) => tx.one(readUsage)));
  }

  @Get(':id/usage')
  @Requires('read')
  @ResponseSchema(schemas.usageInfo)
  usageOf(@OwnOrganization() principal: Principal): Promise<schemas.UsageInfo> {
    return this.usage(principal);
  }

  /** As JSON text; without the secret settings for a key that is limited to queues or is no administrator's. */
  @Get(':id')
  @Requires('read')
  @TextResponse(schemas.organization)
  get(@OwnOrganization() { organizationId, queues, role }: Principal): Promise<string> {
    return this.database.withTenant(organizationId, async (tx) => {
      const organization = await requireOrganization(tx);
      const withSecrets = queues === null && mayDo(role, 'administer');
      return toOrganizationResponse(organization, await readOrganizationDocuments(tx, { withSecrets }));
    });
  }

  /** @returns JSON text. @throws SpooledError 409 for an e-mail address in use */
  @Put(':id')
  @Requires('administer')
  @Unscoped()
  @TextResponse(schemas.organization)
  async update(
    @OwnOrganization() { organizationId }: Principal,
    @Body(validated(schemas.updateOrganizationBody)) { name, billing_email, settings }: schemas.UpdateOrganizationBody,
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
  @Delete(':id')
  @Requires('administer')
  @Unscoped()
  @ResponseSchema(null, 204)
  async remove(@OwnOrganization() { organizationId }: Principal): Promise<void> {
    const hashes = await this.database.withTenant(organizationId, listKeyLookups);
    await this.database.withTenant(organizationId, deleteOrganization, { timeoutMs: 60_000 });
    await this.changes.organization(organizationId, hashes);
  }

  /** There are no users: each key is listed as a member, the oldest one as owner. */
  @Get(':id/members')
  @Requires('administer')
  @Unscoped()
  @ListResponse(schemas.member)
  async members(
    @OwnOrganization() { organizationId }: Principal,
    @Query(validated(schemas.listMembersQuery)) query: schemas.ListMembersQuery,
  ): Promise<Page<schemas.Member>> {
    const page = { ...rowsOf(query), afterId: idOnly(query.cursor) };
    const [organization, keys, first] = await this.database.withTenant(
      organizationId,
      async (tx) =>
        [await requireOrganization(tx), await tx.run(listApiKeys, page), await tx.first(findFirstKey)] as const,
    );
    const members = keys.map(({ id, name, created_at }): schemas.Member => ({
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
