import { Body, Controller, Delete, Get, Inject, Param, Post, Put, Query } from '@nestjs/common';
import { apiKeySchemas as schemas } from '@spooled/contracts';
import {
  type ApiKey,
  type ApiKeyChanges,
  changeApiKey,
  countActiveKeys,
  Database,
  findApiKey,
  hasAdministrator,
  isSignInIdentity,
  listApiKeys,
  lockApiKeys,
  type TenantTransaction,
} from '@spooled/data-access';
import { conflict, invalidField, notFound, type PlanLimits, quotaExceeded, upgradeTo } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { idOnly, type Page, pageOf, type Principal, rowsOf } from '@spooled/service';
import { CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import { CredentialChanges } from '../auth/credential-changes.js';
import type { GatewaySettings } from '../gateway.config.js';
import { ApiTags, idParam, ListResponse, ResponseSchema, validated } from '../http/routes.js';
import { ApiKeysService } from './api-keys.service.js';
import { toApiKeyResponse } from './tenant-responses.js';

const keyId = idParam('API key');

/** The API keys of an organization. Changes take effect in every process at once (SP-72). */
@ApiTags('api-keys')
@Unscoped()
@Requires('administer')
@Controller('api-keys')
export class ApiKeysController {
  constructor(
    private readonly database: Database,
    private readonly changes: CredentialChanges,
    private readonly keys: ApiKeysService,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** Newest first. @throws SpooledError 400 for an invalid cursor */
  @Get()
  @ListResponse(schemas.apiKeySummary)
  async list(
    @CurrentPrincipal() { organizationId }: Principal,
    @Query(validated(schemas.listApiKeysQuery)) query: schemas.ListApiKeysQuery,
  ): Promise<Page<schemas.ApiKeySummary>> {
    const page = { ...rowsOf(query), afterId: idOnly(query.cursor) };
    const found = await this.database.withTenant(organizationId, (tx) => tx.run(listApiKeys, page));
    return pageOf(found.map(toApiKeyResponse), query, ({ id }) => [id]);
  }

  /** @throws SpooledError 400, 429 quota */
  @Post()
  @ResponseSchema(schemas.createdApiKey, 201)
  create(
    @CurrentPrincipal() { organizationId, limits }: Principal,
    @Body(validated(schemas.createApiKeyBody)) body: schemas.CreateApiKeyBody,
  ): Promise<schemas.CreatedApiKey> {
    return this.keys.issue(organizationId, body, (tx) => requireQuota(tx, limits));
  }

  @Get(':id')
  @ResponseSchema(schemas.apiKeySummary)
  async get(
    @CurrentPrincipal() { organizationId }: Principal,
    @Param('id', keyId) id: string,
  ): Promise<schemas.ApiKeySummary> {
    return toApiKeyResponse(await this.database.withTenant(organizationId, (tx) => requireKey(tx, id)));
  }

  /** @throws SpooledError 404, 429 quota when reactivating, 409 if nobody could manage keys afterwards */
  @Put(':id')
  @ResponseSchema(schemas.apiKeySummary)
  async update(
    @CurrentPrincipal() { organizationId, limits }: Principal,
    @Param('id', keyId) id: string,
    @Body(validated(schemas.updateApiKeyBody)) body: schemas.UpdateApiKeyBody,
  ): Promise<schemas.ApiKeySummary> {
    const key = await this.database.withTenant(organizationId, async (tx) => {
      await lockApiKeys(tx);
      const found = await requireKey(tx, id);
      const isOfPeople = isSignInIdentity(found);
      // Groups decide the role of people, in the settings of the server.
      if (isOfPeople && body.role != null) throw invalidField('role', 'cannot change for people who sign in');
      if (body.is_active && !found.is_active && !isOfPeople) await requireQuota(tx, limits);
      return this.change(tx, id, changesIn(body));
    });
    await this.changes.keys(organizationId, [key.key_lookup]);
    return toApiKeyResponse(key);
  }

  /** Deactivates the key; its row stays, so that its actions remain attributable. @throws SpooledError 404, 409 like `update` */
  @Delete(':id')
  @ResponseSchema(null, 204)
  async revoke(@CurrentPrincipal() { organizationId }: Principal, @Param('id', keyId) id: string): Promise<void> {
    const key = await this.database.withTenant(organizationId, async (tx) => {
      await lockApiKeys(tx);
      await requireKey(tx, id);
      return this.change(tx, id, { is_active: false });
    });
    await this.changes.keys(organizationId, [key.key_lookup]);
  }

  /** @throws SpooledError 409 if the organization could not manage its keys any more: only the server's administrator could help it */
  private async change(tx: TenantTransaction, id: string, changes: ApiKeyChanges): Promise<ApiKey> {
    const withPeople = this.settings.OIDC_ISSUER !== undefined;
    const before = await tx.one(hasAdministrator, { withPeople });
    const key = await changeApiKey(tx, id, changes);
    if (before.has && !(await tx.one(hasAdministrator, { withPeople })).has) throw conflict(lastAdministrator);
    return key;
  }
}

const lastAdministrator =
  'This is the last active API key with the role admin and access to all queues: create another one first';

async function requireKey(tx: TenantTransaction, id: string): Promise<ApiKey> {
  const key = await tx.first(findApiKey, { id });
  if (!key) throw notFound('API key');
  return key;
}

async function requireQuota(tx: TenantTransaction, { tier, max_api_keys: max }: PlanLimits): Promise<void> {
  await lockApiKeys(tx);
  const { active } = await tx.one(countActiveKeys);
  if (max !== null && active >= max)
    throw quotaExceeded('api_keys', { current: active, limit: max, plan: tier, upgradeTo: upgradeTo(tier) });
}

/** Null means unchanged, like an absent member. */
const changesIn = (body: schemas.UpdateApiKeyBody): ApiKeyChanges =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value != null));
