import { Inject, Injectable } from '@nestjs/common';
import { ApiKeyAuthenticator } from '@spooled/data-access';
import type { RedisCredentialCache } from '@spooled/transport';
import { SHARED_CREDENTIALS } from '../stores/tokens.js';

/** Tells every process, this one first, that a key or an organization is not what it was (SP-72). Call it after the commit. */
@Injectable()
export class CredentialChanges {
  constructor(
    private readonly authenticator: ApiKeyAuthenticator,
    @Inject(SHARED_CREDENTIALS) private readonly shared: RedisCredentialCache | null,
  ) {}

  /** `hashes`: the digests of the keys that changed. */
  keys(organizationId: string, hashes: string[]): Promise<void> {
    return this.tell('api_key', organizationId, hashes);
  }

  /** `hashes`: the digests of all keys of the organization when its plan changed or it is gone; none for mere settings. */
  organization(organizationId: string, hashes: string[] = []): Promise<void> {
    return this.tell('organization', organizationId, hashes);
  }

  private async tell(kind: 'api_key' | 'organization', organizationId: string, hashes: string[]): Promise<void> {
    if (this.shared) await this.shared.invalidate({ kind, organizationId, hashes });
    else this.authenticator.forget({ kind, hashes });
  }
}
