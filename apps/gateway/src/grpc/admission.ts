import type { Metadata } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import { type Permission, requirePermission, type SpooledError } from '@spooled/domain';
import { addLogContext } from '@spooled/platform';
import {
  AddressLimits,
  Authenticator,
  CallerAuthenticator,
  findCredential,
  rateExceeded,
  type Principal,
} from '@spooled/service';
import type { RateLimitResult } from '@spooled/transport';
import { RequestLimits } from '../auth/request-limits.js';

const missing = 'Invalid or missing API key: send it as x-api-key';

/** What identifies the caller of a call of any kind. */
export interface CallContext {
  metadata: Metadata;
  getPeer(): string;
}

export interface AdmittedCall {
  principal: Principal;
  limit: RateLimitResult;
}

/** Authenticates and rate-limits calls, as `RequestAdmission` does for REST, in the same counters. */
@Injectable()
export class Admission {
  private readonly principals = new WeakMap<Metadata, Principal>();
  private readonly admitted = new WeakMap<Metadata, AdmittedCall>();
  private readonly counted = new WeakMap<Metadata, RateLimitResult>();

  constructor(
    private readonly authenticator: Authenticator,
    private readonly callers: CallerAuthenticator,
    private readonly limits: RequestLimits,
    private readonly addresses: AddressLimits,
  ) {}

  /** Identifies the caller, for `count` and `admit`. @throws SpooledError 401, 429, 503 */
  async authenticate(call: CallContext): Promise<Principal> {
    const attempt = { credential: credentialOf(call.metadata), missing };
    const principal = await this.callers.authenticate(attempt, () => ({
      address: this.addressOf(call),
      onCount: (rate) => this.counted.set(call.metadata, rate),
    }));
    this.counted.delete(call.metadata);
    this.principals.set(call.metadata, principal);
    return principal;
  }

  /**
   * Counts a call that was authenticated, for `admit`. A call that is refused for its role takes from the limits like any other.
   * @throws SpooledError 403 when its role may not make the call, 429, 503
   */
  async count(call: CallContext, principal: Principal, permission: Permission): Promise<void> {
    const limit = await this.limits.count(principal);
    this.counted.set(call.metadata, limit);
    enforce(limit);
    requirePermission(principal, permission);
    this.admitted.set(call.metadata, { principal, limit });
  }

  /** The caller of a call that was counted. */
  admit(call: CallContext): AdmittedCall {
    const admitted = this.admitted.get(call.metadata);
    if (!admitted) throw new Error('no interceptor has admitted this call');
    addLogContext({ organizationId: admitted.principal.organizationId });
    return admitted;
  }

  /** Takes tokens for work of a call that costs more than an ordinary one. Never throws. */
  charge(principal: Principal, tokens: number): Promise<RateLimitResult> {
    return this.limits.charge(principal, tokens);
  }

  /** The state of the limits of a call that is refused: what was counted of it, or else what is known of its caller. */
  rateOf({ metadata }: CallContext): RateLimitResult {
    return this.counted.get(metadata) ?? this.limits.lastKnown(this.principals.get(metadata) ?? null);
  }

  /** Adds the caller to the log lines of a call that is refused, if it was authenticated. */
  identifyInLog(call: CallContext): void {
    addLogContext({ organizationId: this.principals.get(call.metadata)?.organizationId });
  }

  /** The current owner of a key or access token, cached. @throws SpooledError 401, 503 */
  identify(credential: string): Promise<Principal> {
    return this.authenticator.ofCredential(credential);
  }

  /** Counts one call, or one message of a stream. @throws SpooledError 429, 503 */
  async countOf(principal: Principal): Promise<RateLimitResult> {
    return enforce(await this.limits.count(principal));
  }

  /**
   * Counts messages of a stream that arrived together.
   * @returns how many of them, from the first on, are admitted, and the error for the others
   * @throws SpooledError 503
   */
  async countMany(principal: Principal, messages: number): Promise<{ granted: number; refusal: SpooledError | null }> {
    const { granted, last } = await this.limits.countMany(principal, messages);
    return { granted, refusal: granted === messages ? null : rateExceeded(last) };
  }

  addressOf(call: CallContext): string {
    return this.addresses.addressOf(headersOf(call.metadata), call.getPeer().replace(/:\d+$/, ''));
  }
}

/** Every value of each header: if one was sent twice, the last may be the proxy's. */
const headersOf = (metadata: Metadata): Record<string, string[]> =>
  Object.fromEntries(
    Object.keys(metadata.getMap()).map((name) => [
      name,
      metadata.get(name).filter((value) => typeof value === 'string'),
    ]),
  );

/** The API key or access token of a call; here `x-api-key` comes first. */
export const credentialOf = (metadata: Metadata): string | undefined =>
  findCredential({
    headers: { authorization: textOf(metadata, 'authorization'), 'x-api-key': textOf(metadata, 'x-api-key') },
    first: 'x-api-key',
  });

/** The first value of a header that is text. */
export function textOf(metadata: Metadata, name: string): string | undefined {
  const [value] = metadata.get(name);
  return typeof value === 'string' ? value : undefined;
}

function enforce(result: RateLimitResult): RateLimitResult {
  if (result.allowed) return result;
  throw rateExceeded(result);
}
