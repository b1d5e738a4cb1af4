import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { adminSchemas as schemas, type JsonText, organizationSchemas, type restFields } from '@spooled/contracts';
import {
  changeOrganization,
  countJobs,
  readUsage,
  Database,
  eraseOrganization,
  isSortedByTime,
  listKeyLookups,
  listOrganizations,
  lockResource,
  type OrganizationChanges,
  readOrganizationDocuments,
  resetUsage,
  retireOrganization,
} from '@spooled/data-access';
import {
  conflict,
  invalidField,
  limitValues,
  notFound,
  planFields,
  planLimits,
  type PlanOverrides,
} from '@spooled/domain';
import { type Page, pageOf, PLAN_OVERRIDES, rowsOf, sortKeyAndId } from '@spooled/service';
import { Admin } from '../auth/access.decorators.js';
import { CredentialChanges } from '../auth/credential-changes.js';
import { RequestLimits } from '../auth/request-limits.js';
import { ApiTags, idParam, ListResponse, ResponseSchema, TextResponse, validated } from '../http/routes.js';
import { ApiKeysService } from '../tenants/api-keys.service.js';
import { OrganizationsService, requireOrganization } from '../tenants/organizations.service.js';
import { toCreatedOrganizationResponse, toOrganizationResponse } from '../tenants/tenant-responses.js';
import { usageInfo } from '../tenants/usage-info.js';

const organizationId = idParam('Organization');

/** Administration of all organizations. Changes take effect in every process at once. */
@ApiTags('admin')
@Admin()
@Controller('admin/organizations')
export class AdminOrganizationsController {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsService,
    private readonly keys: ApiKeysService,
    private readonly changes: CredentialChanges,
    private readonly limits: RequestLimits,
    @Inject(PLAN_OVERRIDES) private readonly overrides: PlanOverrides,
  ) {}

  /** Without a cursor the page is sent as `{organizations, total, limit, offset}`. @throws SpooledError 400 for an invalid cursor */
  @Get()
  @ListResponse(schemas.listedOrganization, schemas.organizationPage)
  async list(
    @Query(validated(schemas.listOrganizationsQuery)) query: schemas.ListOrganizationsQuery,
  ): Promise<Page<schemas.ListedOrganization>> {
    const { plan_tier, search, limit, offset, sort_by: orderBy, sort_order } = query;
    const { total, organizations } = await listOrganizations(this.database, {
      planTier: plan_tier ?? null,
      search: search ?? null,
      orderBy,
      direction: sort_order ?? 'desc',
      ...rowsOf(query),
      after: sortKeyAndId(query.cursor, isSortedByTime(orderBy)),
    });
    const found = organizations.map(({ jobs_today, active_jobs, queues, workers, api_keys, ...row }) => {
      return { ...row, usage: { jobs_today, active_jobs, queues, workers, api_keys } };
    });
    const page = pageOf(found, query, (row) => [row[orderBy], row.id]);
    return { ...page, wrapped: { organizations: page.rows, total, limit, offset } };
  }

  /** @throws SpooledError 400 for an invalid slug, 409 for a slug or e-mail address in use */
  @Post()
  @TextResponse(schemas.adminCreated, 201)
  async create(
    @Body(validated(schemas.adminCreateBody)) { plan_tier, settings, custom_limits, ...body }: schemas.AdminCreateBody,
  ): Promise<string> {
    if (custom_limits) requireValidLimits(custom_limits.value);
    return toCreatedOrganizationResponse(
      await this.organizations.register(body, {
        planTier: plan_tier ?? 'free',
        settings: settings?.text,
        customLimits: customLimitsText(custom_limits),
      }),
      { repeated: true },
    );
  }

  /** As JSON text. @throws SpooledError 404 */
  @Get(':id')
  @TextResponse(schemas.organizationDetail)
  async get(@Param('id', organizationId) id: string): Promise<string> {
    const [organization, documents] = await this.database.withTenant(
      id,
      async (tx) => [await requireOrganization(tx), await readOrganizationDocuments(tx)] as const,
    );
    const [used, jobs] = await this.database.withTenant(id, (tx) =>
      Promise.all([tx.one(readUsage), tx.one(countJobs, { queues: null })]),
    );
    const limits = planLimits(organization.plan_tier, this.overrides, JSON.parse(documents.custom_limits ?? 'null'));
    return toOrganizationResponse(organization, documents, {
      usage_info: usageInfo(limits, used),
      api_keys_count: used.api_keys,
      total_jobs: Object.values(jobs).reduce((sum, count) => sum + count, 0),
    });
  }

  /** @returns JSON text. @throws SpooledError 400 for invalid limits, 404, 409 for an e-mail address in use */
  @Patch(':id')
  @TextResponse(organizationSchemas.organization)
  async update(
    @Param('id', organizationId) id: string,
    @Body(validated(schemas.adminUpdateBody)) body: schemas.AdminUpdateBody,
  ): Promise<string> {
    const [response, hashes] = await this.database.withTenant(id, async (tx) => {
      await lockResource(tx, 'settings');
      await requireOrganization(tx);
      const changed = await changeOrganization(tx, organizationChanges(body));
      const documents = await readOrganizationDocuments(tx);
      return [toOrganizationResponse(changed, documents), await listKeyLookups(tx)] as const;
    });
    await this.changes.organization(id, hashes);
    await this.limits.reset(id);
    return response;
  }

  /** The route of older SDKs. */
  @Put(':id')
  @TextResponse(organizationSchemas.organization)
  replace(
    @Param('id', organizationId) id: string,
    @Body(validated(schemas.adminUpdateBody)) body: schemas.AdminUpdateBody,
  ): Promise<string> {
    return this.update(id, body);
  }

  /**
   * Soft delete: the data stays, and every key is rejected. Hard delete: removes all data, even with active jobs.
   * @throws SpooledError 404
   */
  @Delete(':id')
  @ResponseSchema(null, 204)
  async remove(
    @Param('id', organizationId) id: string,
    @Query(validated(schemas.deleteQuery)) { hard_delete, hard }: schemas.DeleteQuery,
  ): Promise<void> {
    const remove = hard_delete || hard ? eraseOrganization : retireOrganization;
    const hashes = await this.database.withTenant(id, remove, { timeoutMs: 60_000 });
    if (hashes === null) throw notFound('Organization');
    await this.changes.organization(id, hashes);
  }

  /** Ignores the plan's limit of keys, because an organization that has lost all of its keys needs a new one. */
  @Post(':id/api-keys')
  @ResponseSchema(schemas.adminCreatedKey, 201)
  async createKey(
    @Param('id', organizationId) id: string,
    @Body(validated(schemas.adminKeyBody)) body: schemas.AdminKeyBody,
  ): Promise<schemas.AdminCreatedKey> {
    const created = await this.keys.issue(id, { ...body, queues: body.queues ?? ['*'] }, async (tx) => {
      const { plan_tier } = await requireOrganization(tx);
      if (plan_tier === 'deleted') throw conflict('The organization is deleted');
    });
    const { id: keyId, key, name, role, created_at, expires_at } = created;
    return { id: keyId, key, name, role, created_at, expires_at };
  }

  @Post(':id/reset-usage')
  @ResponseSchema(null, 204)
  async resetUsage(@Param('id', organizationId) id: string): Promise<void> {
    await this.database.withTenant(id, requireOrganization);
    await this.database.withTenant(id, resetUsage);
  }
}

/** Rejects invalid limits, because a typing error would remove a limit unnoticed. Members that are not limits are kept. */
function requireValidLimits(limits: Record<string, unknown>): void {
  const valid = limitValues(limits);
  const wrong = planFields.find((name) => name in limits && !(name in valid));
  if (wrong) throw invalidField(`custom_limits.${wrong}`, 'must be a whole number from 0 up, or null for unlimited');
}

/** Limits without members are none. */
const customLimitsText = (limits: restFields.JsonObject | null | undefined): JsonText | null =>
  limits && Object.keys(limits.value).length > 0 ? limits.text : null;

const withoutUndefined = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>;

/**
 * The changes of an update request: null resets limits and Stripe fields, and leaves other fields unchanged.
 * @throws SpooledError 400 naming the invalid limit
 */
function organizationChanges({
  name,
  plan_tier,
  billing_email,
  settings,
  custom_limits,
  ...stripe
}: schemas.AdminUpdateBody): OrganizationChanges {
  if (custom_limits) requireValidLimits(custom_limits.value);
  return withoutUndefined({
    ...stripe,
    name: name ?? undefined,
    plan_tier: plan_tier ?? undefined,
    billing_email: billing_email ?? undefined,
    settings: settings?.text,
    custom_limits: custom_limits === undefined ? undefined : customLimitsText(custom_limits),
  }) as OrganizationChanges;
}
