import { Inject, Injectable } from '@nestjs/common';
import type { adminSchemas, JsonText, restFields } from '@spooled/contracts';
import {
  changeOrganization,
  countJobs,
  readUsage,
  type CreatedOrganization,
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
  type TenantTransaction,
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
import { CredentialChanges } from '../auth/credential-changes.js';
import { RequestLimits } from '../auth/request-limits.js';
import { type Page, pageOf, PLAN_OVERRIDES, rowsOf, sortKeyAndId } from '@spooled/service';
import { ApiKeysService } from '../tenants/api-keys.service.js';
import { OrganizationsService, requireOrganization } from '../tenants/organizations.service.js';
import { usageInfo } from '../tenants/usage-info.js';
import { toOrganizationResponse } from '../tenants/tenant-responses.js';

/** Administration of all organizations. Changes take effect in every process at once. */
@Injectable()
export class AdminOrganizationsService {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsService,
    private readonly keys: ApiKeysService,
    private readonly changes: CredentialChanges,
    private readonly limits: RequestLimits,
    @Inject(PLAN_OVERRIDES) private readonly overrides: PlanOverrides,
  ) {}

  /** Without a cursor the page is sent as `{organizations, total, limit, offset}`. @throws SpooledError 400 for an invalid cursor */
  async list(query: adminSchemas.ListOrganizationsQuery): Promise<Page<adminSchemas.ListedOrganization>> {
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
  create({ plan_tier, settings, custom_limits, ...body }: adminSchemas.AdminCreateBody): Promise<CreatedOrganization> {
    if (custom_limits) requireValidLimits(custom_limits.value);
    return this.organizations.register(body, {
      planTier: plan_tier ?? 'free',
      settings: settings?.text,
      customLimits: customLimitsText(custom_limits),
    });
  }

  /** As JSON text. @throws SpooledError 404 */
  async get(id: string): Promise<string> {
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
  async update(id: string, body: adminSchemas.AdminUpdateBody): Promise<string> {
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

  /** Soft delete: the data stays, and every key is rejected. */
  async retire(id: string): Promise<void> {
    await this.deleteWith(id, retireOrganization);
  }

  /** Hard delete: removes all data, even with active jobs. */
  async erase(id: string): Promise<void> {
    await this.deleteWith(id, eraseOrganization);
  }

  /** Ignores the plan's limit of keys, because an organization that has lost all of its keys needs a new one. */
  async createKey(id: string, body: adminSchemas.AdminKeyBody): Promise<adminSchemas.AdminCreatedKey> {
    const created = await this.keys.issue(id, { ...body, queues: body.queues ?? ['*'] }, async (tx) => {
      const { plan_tier } = await requireOrganization(tx);
      if (plan_tier === 'deleted') throw conflict('The organization is deleted');
    });
    const { id: keyId, key, name, role, created_at, expires_at } = created;
    return { id: keyId, key, name, role, created_at, expires_at };
  }

  async resetUsage(id: string): Promise<void> {
    await this.database.withTenant(id, requireOrganization);
    await this.database.withTenant(id, resetUsage);
  }

  private async deleteWith(id: string, remove: (tx: TenantTransaction) => Promise<string[] | null>): Promise<void> {
    const hashes = await this.database.withTenant(id, remove, { timeoutMs: 60_000 });
    if (hashes === null) throw notFound('Organization');
    await this.changes.organization(id, hashes);
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
}: adminSchemas.AdminUpdateBody): OrganizationChanges {
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
