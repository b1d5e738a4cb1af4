import { Controller, Get, Inject, Post, Req } from '@nestjs/common';
import { organizationSchemas as schemas } from '@spooled/contracts';
import {
  changeOrganization,
  Database,
  lockResource,
  newWebhookToken,
  readOrganizationDocuments,
} from '@spooled/data-access';
import { SETTINGS } from '@spooled/platform';
import type { Principal } from '@spooled/service';
import type { FastifyRequest } from 'fastify';
import { Requires, Unscoped } from '../auth/access.decorators.js';
import { CredentialChanges } from '../auth/credential-changes.js';
import type { GatewaySettings } from '../gateway.config.js';
import { ApiTags, ResponseSchema } from '../http/routes.js';
import { requireOrganization } from './organizations.service.js';
import { OwnOrganization } from './own-organization.js';

/** The token that authenticates custom webhooks to an organization. The second path of each route is used by older SDKs. */
@ApiTags('organizations')
@Unscoped()
@Requires('administer')
@Controller('organizations')
export class WebhookTokensController {
  constructor(
    private readonly database: Database,
    private readonly changes: CredentialChanges,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  @Get(['webhook-token', ':id/webhook-token'])
  @ResponseSchema(schemas.webhookToken)
  async get(@OwnOrganization() principal: Principal, @Req() request: FastifyRequest): Promise<schemas.WebhookToken> {
    const { organizationId } = principal;
    const { settings } = await this.database.withTenant(organizationId, async (tx) => {
      await requireOrganization(tx);
      return readOrganizationDocuments(tx);
    });
    const { webhook_token: token } = JSON.parse(settings) as { webhook_token?: string };
    return token ? this.toResponse(organizationId, token, request) : this.regenerate(principal, request);
  }

  @Post(['webhook-token/regenerate', ':id/webhook-token/regenerate'])
  @ResponseSchema(schemas.webhookToken)
  async regenerate(
    @OwnOrganization() { organizationId }: Principal,
    @Req() request: FastifyRequest,
  ): Promise<schemas.WebhookToken> {
    return this.toResponse(organizationId, await this.replace(organizationId), request);
  }

  /** Revokes the token. A new one, which is not returned, replaces it: an organization without a token would accept any webhook. */
  @Post(['webhook-token/clear', ':id/webhook-token/clear'])
  @ResponseSchema(null, 204)
  async clear(@OwnOrganization() { organizationId }: Principal): Promise<void> {
    await this.replace(organizationId);
  }

  private async replace(organizationId: string): Promise<string> {
    const token = newWebhookToken();
    await this.database.withTenant(organizationId, async (tx) => {
      await lockResource(tx, 'settings');
      await requireOrganization(tx);
      await changeOrganization(tx, { webhook_token: token });
    });
    await this.changes.organization(organizationId);
    return token;
  }

  private toResponse(organizationId: string, token: string, { protocol, host }: FastifyRequest): schemas.WebhookToken {
    const origin = (this.settings.EXTERNAL_URL ?? `${protocol}://${host}`).replace(/\/+$/, '');
    return { webhook_token: token, token, webhook_url: `${origin}/api/v1/webhooks/${organizationId}/custom` };
  }
}
