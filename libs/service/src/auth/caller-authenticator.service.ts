import { Injectable } from '@nestjs/common';
import { unauthorized } from '@spooled/domain';
import { addLogContext } from '@spooled/platform';
import { AddressLimits, type AddressCall } from '../limits/address-limits.js';
import { Authenticator } from './authenticator.service.js';
import type { Principal } from './principal.js';

export interface AuthenticationAttempt {
  /** From `findCredential`, or of a signal URL. */
  credential: string | undefined;
  /** The error message for a caller without a credential. */
  missing: string;
  /** Default: a key or an access token. */
  kind?: 'signal';
}

/** Authenticates callers of every protocol, with rate limits by address. */
@Injectable()
export class CallerAuthenticator {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly addresses: AddressLimits,
  ) {}

  /**
   * @param callOf what is counted of an attempt that may be a guess
   * @throws SpooledError 401 without a valid credential, 429, 503
   */
  async authenticate(attempt: AuthenticationAttempt, callOf: () => AddressCall): Promise<Principal> {
    const identify = async () => this.identify(attempt);
    const principal = await this.addresses.authenticate(callOf, attempt.credential ?? '', identify);
    addLogContext({ organizationId: principal.organizationId });
    return principal;
  }

  private identify({ credential, missing, kind }: AuthenticationAttempt): Promise<Principal> {
    if (credential === undefined) throw unauthorized(missing);
    return kind === 'signal' ? this.authenticator.ofSignal(credential) : this.authenticator.ofCredential(credential);
  }
}
