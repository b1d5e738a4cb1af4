import type { Metadata } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import { unauthorized, type SpooledError } from '@spooled/domain';
import { addLogContext } from '@spooled/platform';
import { AddressLimits, rateExceeded } from '@spooled/service';
import type { RateLimitResult } from '@spooled/transport';
import { Authenticator } from '../auth/authenticator.js';
import type { Principal } from '../auth/principal.js';
import { RequestLimits } from '../auth/request-limits.js';

/** What identifies the caller of a call of any kind. */
export interface CallContext {
  metadata: Metadata;
  getPeer(): string;
}

/** Authenticates and rate-limits calls, as `RequestAdmission` does for REST; organizations have a counter of their own here. */
@Injectable()
export class Admission {
  private readonly known = new WeakMap<Metadata, Principal>();

  constructor(
    private readonly authenticator: Authenticator,
    private readonly limits: RequestLimits,
    private readonly addresses: AddressLimits,
  ) {}

  /** Identifies the caller, for `admit`. @throws SpooledError 401, 429, 503 */
  async authenticate(call: CallContext): Promise<void> {
    const credential = keyIn(call.metadata) ?? '';
    const identify = async () => this.identify(keyOf(call.metadata));
    this.known.set(
      call.metadata,
      await this.addresses.authenticate(() => ({ address: this.addressOf(call) }), credential, identify),
    );
  }

  /** Counts a call that was authenticated. @throws SpooledError 429, 503 */
  async admit(call: CallContext): Promise<{ principal: Principal; limit: RateLimitResult }> {
    const principal = this.known.get(call.metadata);
    if (!principal) throw new Error('no interceptor has authenticated this call');
    addLogContext({ organizationId: principal.organizationId });
    return { principal, limit: await this.countOf(principal) };
  }

  /** The current owner of a key, cached. @throws SpooledError 401, 503 */
  identify(key: string): Promise<Principal> {
    return this.authenticator.ofApiKey(key);
  }

  /** Counts one call, or one message of a stream. @throws SpooledError 429, 503 */
  async countOf(principal: Principal): Promise<RateLimitResult> {
    return settle(await this.limits.count(principal, 'grpc'));
  }

  /**
   * Counts messages of a stream that arrived together.
   * @returns how many of them, from the first on, are admitted, and the error for the others
   * @throws SpooledError 503
   */
  async countMany(principal: Principal, messages: number): Promise<{ granted: number; refusal: SpooledError | null }> {
    const { granted, last } = await this.limits.countMany(principal, messages, 'grpc');
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

/** The API key in `x-api-key`, or in `authorization: Bearer`. */
function keyIn(metadata: Metadata): string | undefined {
  const [key] = metadata.get('x-api-key');
  if (typeof key === 'string' && key !== '') return key.trim();
  const [authorization] = metadata.get('authorization');
  return typeof authorization === 'string' ? /^Bearer +(\S+)$/i.exec(authorization)?.[1] : undefined;
}

/** @throws SpooledError 401 without a key */
export function keyOf(metadata: Metadata): string {
  const key = keyIn(metadata);
  if (key === undefined) throw unauthorized('Invalid or missing API key: send it as x-api-key');
  return key;
}

function settle(result: RateLimitResult): RateLimitResult {
  if (result.allowed) return result;
  throw rateExceeded(result);
}
