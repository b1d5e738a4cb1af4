import { Body, Controller, Delete, Get, Inject, Param, Post, Put, Query } from '@nestjs/common';
import { outgoingWebhookSchemas as schemas } from '@spooled/contracts';
import {
  changeWebhook,
  Database,
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  lockAndCountEnabledWebhooks,
  lockWebhooks,
  type OutgoingWebhook,
  rotateSecret,
  type TenantTransaction,
  type WebhookChanges,
} from '@spooled/data-access';
import {
  type CallbackPolicy,
  checkCallbackUrl,
  invalidField,
  notFound,
  type PlanLimits,
  quotaExceeded,
  standardSecretPrefix,
  standardSecretProblem,
  upgradeTo,
} from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { callbackPolicy, idOnly, type Page, pageOf, type Principal, rowsOf } from '@spooled/service';
import { randomBytes } from 'node:crypto';
import { CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import type { GatewaySettings } from '../gateway.config.js';
import { ApiTags, idParam, ListResponse, ResponseSchema, validated, validatedIfPresent } from '../http/routes.js';
import { requireWebhook } from './require-webhook.js';
import { toWebhookResponse } from './webhook-responses.js';
import { WebhookTester } from './webhook-tester.js';

const webhookId = idParam('Webhook');

/** The outgoing webhooks of an organization. Job changes read them in their own transaction, so changes take effect at once. */
@ApiTags('outgoing-webhooks')
@Unscoped()
@Controller('outgoing-webhooks')
export class OutgoingWebhooksController {
  private readonly policy: CallbackPolicy;
  private readonly disableAfterSeconds: number;

  constructor(
    private readonly database: Database,
    private readonly tester: WebhookTester,
    @Inject(SETTINGS) settings: GatewaySettings,
  ) {
    this.policy = callbackPolicy(settings);
    this.disableAfterSeconds = settings.OUTGOING_WEBHOOK_DISABLE_AFTER_SECS;
  }

  /** Newest first. @throws SpooledError 400 for an invalid cursor */
  @Get()
  @Requires('read')
  @ListResponse(schemas.webhook)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(schemas.listWebhooksQuery)) query: schemas.ListWebhooksQuery,
  ): Promise<Page<schemas.Webhook>> {
    const page = { ...rowsOf(query), afterId: idOnly(query.cursor) };
    const found = await this.database.withTenant(principal.organizationId, (tx) => tx.run(listWebhooks, page));
    const shown = found.map((row) => this.shown(row, principal));
    return pageOf(shown, query, ({ id }) => [id]);
  }

  /** @throws SpooledError 400 for a URL that callbacks may not be sent to (SP-57) or a secret that does not fit the format, 429 quota */
  @Post()
  @Requires('operate')
  @ResponseSchema(schemas.webhook, 201)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(schemas.createWebhookBody)) body: schemas.CreateWebhookBody,
  ): Promise<schemas.Webhook> {
    const webhook = {
      name: body.name,
      url: this.checkUrl(body.url),
      events: [...new Set(body.events)],
      format: body.format ?? 'json',
      secret: body.secret || null,
      enabled: body.enabled ?? true,
      retry_seconds: body.retry_seconds ?? null,
    };
    requireSecret(webhook);
    const created = await this.database.withTenant(principal.organizationId, async (tx) => {
      if (webhook.enabled) await requireQuota(tx, principal.limits);
      return tx.one(insertWebhook, webhook);
    });
    return this.shown(created, principal);
  }

  /** @throws SpooledError 404 */
  @Get(':id')
  @Requires('read')
  @ResponseSchema(schemas.webhook)
  async get(@CurrentPrincipal() principal: Principal, @Param('id', webhookId) id: string): Promise<schemas.Webhook> {
    const found = await this.database.withTenant(principal.organizationId, (tx) => requireWebhook(tx, id));
    return this.shown(found, principal);
  }

  /** @throws SpooledError 400 as `create`, 404, 429 quota when enabling */
  @Put(':id')
  @Requires('operate')
  @ResponseSchema(schemas.webhook)
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id', webhookId) id: string,
    @Body(validated(schemas.updateWebhookBody)) body: schemas.UpdateWebhookBody,
  ): Promise<schemas.Webhook> {
    const changes = this.changesOf(body);
    const changed = await this.database.withTenant(principal.organizationId, async (tx) => {
      // Format and secret must fit each other, and another request may change one of them.
      await lockWebhooks(tx);
      const before = await requireWebhook(tx, id);
      requireSecret({ ...before, ...changes });
      if (!changes.enabled || before.enabled) delete changes.enabled;
      else await requireQuota(tx, principal.limits);
      if (body.enabled === false) changes.enabled = false;
      return changeWebhook(tx, id, changes);
    });
    return this.shown(changed, principal);
  }

  /**
   * Replaces the secret. Until `previous_valid_seconds` have passed, deliveries are signed with the one before as well.
   * @throws SpooledError 400 for a secret that does not fit the format, 404
   */
  @Post(':id/rotate-secret')
  @Requires('operate')
  @ResponseSchema(schemas.rotatedWebhook)
  async rotateSecret(
    @CurrentPrincipal() principal: Principal,
    @Param('id', webhookId) id: string,
    @Body(validatedIfPresent(schemas.rotateSecretBody)) {
      secret: given,
      previous_valid_seconds: seconds,
    }: schemas.RotateSecretBody,
  ): Promise<schemas.RotatedWebhook> {
    const secret = given ?? newSigningSecret();
    const validSeconds = seconds ?? schemas.defaultRotationSeconds;
    const rotated = await this.database.withTenant(principal.organizationId, async (tx) => {
      await lockWebhooks(tx);
      const { format } = await requireWebhook(tx, id);
      requireSecret({ format, secret });
      return tx.one(rotateSecret, { id, secret, validSeconds });
    });
    return { ...this.shown(rotated, principal), secret: given == null ? secret : null };
  }

  /** Deletes a webhook with its deliveries, also pending ones. @throws SpooledError 404 */
  @Delete(':id')
  @Requires('operate')
  @ResponseSchema(null, 204)
  async remove(@CurrentPrincipal() { organizationId }: Principal, @Param('id', webhookId) id: string): Promise<void> {
    if (!(await deleteWebhook(this.database, organizationId, id))) throw notFound('Webhook');
  }

  /**
   * Sends an example of the event now, without one `webhook.test`; also to a disabled webhook.
   * @throws SpooledError 404, 503 without the webhooks service
   */
  @Post(':id/test')
  @Requires('operate')
  @ResponseSchema(schemas.webhookTestResult)
  async test(
    @CurrentPrincipal() principal: Principal,
    @Param('id', webhookId) id: string,
    @Body(validatedIfPresent(schemas.testWebhookBody)) { event }: schemas.TestWebhookBody,
  ): Promise<schemas.WebhookTestResult> {
    await this.get(principal, id);
    return this.tester.test(principal.organizationId, id, event ?? null);
  }

  private changesOf(body: schemas.UpdateWebhookBody): WebhookChanges {
    const { name, url, events, format, secret, enabled, retry_seconds } = body;
    return {
      ...(name != null && { name }),
      ...(url != null && { url: this.checkUrl(url) }),
      ...(events != null && { events: [...new Set(events)] }),
      ...(format != null && { format }),
      ...(secret !== undefined && { secret: secret || null }),
      ...(enabled != null && { enabled }),
      ...(retry_seconds !== undefined && { retry_seconds }),
    };
  }

  private shown(webhook: OutgoingWebhook, principal: Principal): schemas.Webhook {
    return toWebhookResponse(webhook, principal, this.disableAfterSeconds);
  }

  private checkUrl(url: string): string {
    const reason = checkCallbackUrl(url, this.policy);
    if (reason) throw invalidField('url', reason);
    return url;
  }
}

/** @throws SpooledError 400 unless the secret fits the format */
function requireSecret({ format, secret }: { format: string; secret: string | null }): void {
  if (format !== 'standard') return;
  if (secret === null) throw invalidField('secret', 'is required by the format standard');
  const problem = standardSecretProblem(secret);
  if (problem) throw invalidField('secret', problem);
}

/** Fits every format. */
const newSigningSecret = (): string => standardSecretPrefix + randomBytes(32).toString('base64');

async function requireQuota(tx: TenantTransaction, { tier, max_webhooks: max }: PlanLimits): Promise<void> {
  const enabled = await lockAndCountEnabledWebhooks(tx);
  if (max !== null && enabled >= max)
    throw quotaExceeded('webhooks', { current: enabled, limit: max, plan: tier, upgradeTo: upgradeTo(tier) });
}
