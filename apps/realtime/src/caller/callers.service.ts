import { Injectable } from '@nestjs/common';
import type { QueueScope } from '@spooled/contracts';
import { ApiKeyAuthenticator, LastUseWriter, type ApiKeyIdentity } from '@spooled/data-access';
import { TokenAuthenticator } from '@spooled/service';
import type { Credential } from './credential.js';

/** The caller of a stream. The credential is kept because it is checked again while the stream is open. */
export interface Caller {
  organizationId: string;
  apiKeyId: string;
  queues: QueueScope;
  credential: Credential;
}

/** Authenticates callers with every kind of credential. */
@Injectable()
export class Callers {
  constructor(
    private readonly apiKeys: ApiKeyAuthenticator,
    private readonly tokens: TokenAuthenticator,
    private readonly lastUse: LastUseWriter,
  ) {}

  /** @throws SpooledError 401 when the credential is not valid; 503 when it cannot be checked */
  async identify(credential: Credential): Promise<Caller> {
    const { organizationId, apiKeyId, queues } = await this.keyOf(credential);
    this.lastUse.note(apiKeyId);
    return { organizationId, apiKeyId, queues, credential };
  }

  private async keyOf({ kind, text }: Credential): Promise<ApiKeyIdentity> {
    return kind === 'jwt' ? (await this.tokens.authenticate(text)).identity : this.apiKeys.authenticate(text);
  }
}
