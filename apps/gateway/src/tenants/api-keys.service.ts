import { Inject, Injectable } from '@nestjs/common';
import type { apiKeySchemas } from '@spooled/contracts';
import { ApiKeyDigests, Database, insertApiKey, makeApiKey, type TenantTransaction } from '@spooled/data-access';
import { badRequest, invalidField } from '@spooled/domain';
import { isProduction, SETTINGS } from '@spooled/platform';
import type { GatewaySettings } from '../gateway.config.js';
import { toApiKeyResponse } from './tenant-responses.js';

/** Creates API keys, for organizations and for the administrator. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly database: Database,
    private readonly digests: ApiKeyDigests,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

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
}
