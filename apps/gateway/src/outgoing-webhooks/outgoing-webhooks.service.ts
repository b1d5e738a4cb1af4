import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { outgoingWebhookSchemas } from '@spooled/contracts';
import {
  changeWebhook,
  lockAndCountEnabledWebhooks,
  Database,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhooks,
  rotateSecret,
  type OutgoingWebhook,
  type TenantTransaction,
  type WebhookChanges,
} from '@spooled/data-access';
import {
  checkCallbackUrl,
  invalidField,
  notFound,
  quotaExceeded,
  standardSecretPrefix,
  standardSecretProblem,
  upgradeTo,
  type CallbackPolicy,
  type PlanLimits,
} from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { callbackPolicy, idOnly, type Page, pageOf, type Principal, rowsOf } from '@spooled/service';
import type { GatewaySettings } from '../gateway.config.js';
import { WebhookTester } from './webhook-tester.js';
import { toWebhookResponse } from './webhook-responses.js';

type Webhook = outgoingWebhookSchemas.Webhook;

/** The outgoing webhooks of an organization. Job changes read them in their own transaction, so changes take effect at once. */
@Injectable()
export class OutgoingWebhooksService {
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
  async list(principal: Principal, query: outgoingWebhookSchemas.ListWebhooksQuery): Promise<Page<Webhook>> {
    const page = { ...rowsOf(query), afterId: idOnly(query.cursor) };
    const found = await this.database.withTenant(principal.organizationId, (tx) => tx.run(listWebhooks, page));
    const shown = found.map((row) => this.shown(row, principal));
    return pageOf(shown, query, ({ id }) => [id]);
  }

  /** @throws SpooledError 404 */
  async get(principal: Principal, id: string): Promise<Webhook> {
    const found = await this.database.withTenant(principal.organizationId, (tx) => requireWebhook(tx, id));
    return this.shown(found, principal);
  }

  /** @throws SpooledError 400 for a URL that callbacks may not be sent to (SP-57) or a secret that does not fit the format, 429 quota */
  async create(principal: Principal, body: outgoingWebhookSchemas.CreateWebhookBody): Promise<Webhook> {
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

  /** @throws SpooledError 400 as `create`, 404, 429 quota when enabling */
  async update(principal: Principal, id: string, body: outgoingWebhookSchemas.UpdateWebhookBody): Promise<Webhook> {
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
  async rotateSecret(
    principal: Principal,
    id: string,
    { secret: given, previous_valid_seconds: seconds }: outgoingWebhookSchemas.RotateSecretBody,
  ): Promise<outgoingWebhookSchemas.RotatedWebhook> {
    const secret = given ?? newSigningSecret();
    const validSeconds = seconds ?? outgoingWebhookSchemas.defaultRotationSeconds;
    const rotated = await this.database.withTenant(principal.organizationId, async (tx) => {
      await lockWebhooks(tx);
      const { format } = await requireWebhook(tx, id);
      requireSecret({ format, secret });
      return tx.one(rotateSecret, { id, secret, validSeconds });
    });
    return { ...this.shown(rotated, principal), secret: given == null ? secret : null };
  }

  /** Deletes a webhook with its deliveries, also pending ones. @throws SpooledError 404 */
  async remove({ organizationId }: Principal, id: string): Promise<void> {
    if (!(await deleteWebhook(this.database, organizationId, id))) throw notFound('Webhook');
  }

  /**
   * Sends a test event now, also to a disabled webhook.
   * @param event of which an example is sent; null = `webhook.test`
   * @throws SpooledError 404, 503 without the webhooks service
   */
  async test(
    principal: Principal,
    id: string,
    event: outgoingWebhookSchemas.WebhookEventName | null,
  ): Promise<outgoingWebhookSchemas.WebhookTestResult> {
    await this.get(principal, id);
    return this.tester.test(principal.organizationId, id, event);
  }

  private changesOf(body: outgoingWebhookSchemas.UpdateWebhookBody): WebhookChanges {
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

  private shown(webhook: OutgoingWebhook, principal: Principal): Webhook {
    return toWebhookResponse(webhook, principal, this.disableAfterSeconds);
  }

  private checkUrl(url: string): string {
    const reason = checkCallbackUrl(url, this.policy);
    if (reason) throw invalidField('url', reason);
    return url;
  }
}

async function requireWebhook(tx: TenantTransaction, id: string): Promise<OutgoingWebhook> {
  const webhook = await tx.first(findWebhook, { id });
  if (!webhook) throw notFound('Webhook');
  return webhook;
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
