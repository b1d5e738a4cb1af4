import { Inject, Injectable } from '@nestjs/common';
import type { organizationSchemas } from '@spooled/contracts';
import {
  changeOrganization,
  Database,
  lockResource,
  newWebhookToken,
  readOrganizationDocuments,
} from '@spooled/data-access';
import { SETTINGS } from '@spooled/platform';
import { CredentialChanges } from '../auth/credential-changes.js';
import type { GatewaySettings } from '../gateway.config.js';
import { requireOrganization } from './organizations.service.js';

/** The token that authenticates custom webhooks to an organization. */
@Injectable()
export class WebhookTokensService {
  constructor(
    private readonly database: Database,
    private readonly changes: CredentialChanges,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** @param requestOrigin origin of the request URL, used if EXTERNAL_URL is unset */
  async get(organizationId: string, requestOrigin: string): Promise<organizationSchemas.WebhookToken> {
    const { settings } = await this.database.withTenant(organizationId, async (tx) => {
      await requireOrganization(tx);
      return readOrganizationDocuments(tx);
    });
    const { webhook_token: token } = JSON.parse(settings) as { webhook_token?: string };
    return token
      ? this.toResponse(organizationId, token, requestOrigin)
      : this.regenerate(organizationId, requestOrigin);
  }

  async regenerate(organizationId: string, requestOrigin: string): Promise<organizationSchemas.WebhookToken> {
    return this.toResponse(organizationId, await this.replace(organizationId), requestOrigin);
  }

  /** Revokes the token. A new one, which is not returned, replaces it: an organization without a token would accept any webhook. */
  async clear(organizationId: string): Promise<void> {
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

  private toResponse(organizationId: string, token: string, requestOrigin: string): organizationSchemas.WebhookToken {
    const origin = (this.settings.EXTERNAL_URL ?? requestOrigin).replace(/\/+$/, '');
    return { webhook_token: token, token, webhook_url: `${origin}/api/v1/webhooks/${organizationId}/custom` };
  }
}
