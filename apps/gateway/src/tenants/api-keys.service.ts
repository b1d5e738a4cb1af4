import { Inject, Injectable } from '@nestjs/common';
import type { apiKeySchemas } from '@spooled/contracts';
import {
  ApiKeyDigests,
  changeApiKey,
  countActiveKeys,
  Database,
  findApiKey,
  hasAdministrator,
  insertApiKey,
  isSignInIdentity,
  listApiKeys,
  lockApiKeys,
  makeApiKey,
  type ApiKey,
  type ApiKeyChanges,
  type TenantTransaction,
} from '@spooled/data-access';
import {
  badRequest,
  conflict,
  invalidField,
  notFound,
  quotaExceeded,
  upgradeTo,
  type PlanLimits,
} from '@spooled/domain';
import { isProduction, SETTINGS } from '@spooled/platform';
import { CredentialChanges } from '../auth/credential-changes.js';
import { idOnly, type Page, pageOf, type Principal, rowsOf } from '@spooled/service';
import type { GatewaySettings } from '../gateway.config.js';
import { toApiKeyResponse } from './tenant-responses.js';

/** The API keys of an organization. Changes take effect in every process at once (SP-72). */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly database: Database,
    private readonly changes: CredentialChanges,
    private readonly digests: ApiKeyDigests,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** Newest first. @throws SpooledError 400 for an invalid cursor */
  async list(
    { organizationId }: Principal,
    query: apiKeySchemas.ListApiKeysQuery,
  ): Promise<Page<apiKeySchemas.ApiKeySummary>> {
    const page = { ...rowsOf(query), afterId: idOnly(query.cursor) };
    const found = await this.database.withTenant(organizationId, (tx) => tx.run(listApiKeys, page));
    return pageOf(found.map(toApiKeyResponse), query, ({ id }) => [id]);
  }

  async get({ organizationId }: Principal, id: string): Promise<apiKeySchemas.ApiKeySummary> {
    return toApiKeyResponse(await this.database.withTenant(organizationId, (tx) => requireKey(tx, id)));
  }

  /** @throws SpooledError 400, 429 quota */
  create(
    { organizationId, limits }: Principal,
    body: apiKeySchemas.CreateApiKeyBody,
  ): Promise<apiKeySchemas.CreatedApiKey> {
    return this.issue(organizationId, body, (tx) => requireQuota(tx, limits));
  }

  /** Creates a key after `check`, in the same transaction. @throws SpooledError 400, and errors of `check` */
  async issue(
    organizationId: string,
    body: apiKeySchemas.CreateApiKeyBody,
    check: (tx: TenantTransaction) => Promise<unknown>,
  ): Promise<apiKeySchemas.CreatedApiKey> {
    if (body.permissions !== undefined) throw badRequest('permissions are not supported; restrict the key by queues');
    const expiresAt = body.expires_at ? new Date(body.expires_at) : null;
    if (expiresAt && expiresAt.getTime() <= Date.now()) throw invalidField('expires_at', 'must be in the future');
    const { name, queues: scope, rate_limit: rateLimit, role } = body;
    const secret = makeApiKey({ live: isProduction(this.settings), digests: this.digests });
    const key = await this.database.withTenant(organizationId, async (tx) => {
      await check(tx);
      return insertApiKey(tx, {
        name,
        queues: scope ?? [],
        rateLimit,
        role: role ?? 'admin',
        expiresAt,
        secret,
      });
    });
    const { id, queues, role: given, created_at, expires_at } = toApiKeyResponse(key);
    return { id, key: secret.text, name, queues, role: given, created_at, expires_at };
  }

  /** @throws SpooledError 404, 429 quota when reactivating, 409 if nobody could manage keys afterwards */
  async update(
    { organizationId, limits }: Principal,
    id: string,
    body: apiKeySchemas.UpdateApiKeyBody,
  ): Promise<apiKeySchemas.ApiKeySummary> {
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
  async revoke({ organizationId }: Principal, id: string): Promise<void> {
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
const changesIn = (body: apiKeySchemas.UpdateApiKeyBody): ApiKeyChanges =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value != null));
