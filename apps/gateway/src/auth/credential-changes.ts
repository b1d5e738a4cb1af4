import { Inject, Injectable } from '@nestjs/common';
import { ApiKeyAuthenticator } from '@spooled/data-access';
import type { RedisCredentialCache } from '@spooled/transport';
import { SHARED_CREDENTIALS } from '@spooled/service';

/** Invalidates cached credentials in every process, this one first, after a key or organization changed (SP-72). Call after the commit. */
@Injectable()
export class CredentialChanges {
  constructor(
    private readonly authenticator: ApiKeyAuthenticator,
    @Inject(SHARED_CREDENTIALS) private readonly shared: RedisCredentialCache | null,
  ) {}

  /** @param hashes digests of the changed keys */
  keys(organizationId: string, hashes: string[]): Promise<void> {
    return this.invalidate('api_key', organizationId, hashes);
  }

  /** @param hashes digests of all keys of the organization if its plan changed or it was deleted; none if only settings changed */
  organization(organizationId: string, hashes: string[] = []): Promise<void> {
    return this.invalidate('organization', organizationId, hashes);
  }

  private async invalidate(kind: 'api_key' | 'organization', organizationId: string, hashes: string[]): Promise<void> {
    if (this.shared) await this.shared.invalidate({ kind, organizationId, hashes });
    else this.authenticator.invalidate({ kind, hashes });
  }
}
