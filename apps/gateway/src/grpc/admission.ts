import type { Metadata } from '@grpc/grpc-js';
import { Inject, Injectable } from '@nestjs/common';
import { clientAddress, SpooledError, unauthorized } from '@spooled/domain';
import { addLogContext, SETTINGS } from '@spooled/platform';
import type { RateLimitResult } from '@spooled/transport';
import { Authenticator } from '../auth/authenticator.js';
import type { Principal } from '../auth/principal.js';
import { rateExceeded, RequestLimits } from '../auth/request-limits.js';
import { proxyTrust, type GatewaySettings } from '../gateway.config.js';

/** What of a call tells who is calling; every kind of call has it. */
export interface Knock {
  metadata: Metadata;
  getPeer(): string;
}

/** Who is calling, and how often may he: what the access guard is for REST, with counters of its own. */
@Injectable()
export class Admission {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly limits: RequestLimits,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** @throws SpooledError 401, 429, 503 */
  async admit(call: Knock): Promise<{ principal: Principal; limit: RateLimitResult }> {
    const principal = await this.identify(keyOf(call.metadata)).catch(async (error: unknown) => {
      // Guessing counts against the address, or it would be the one thing that is free.
      if (error instanceof SpooledError && error.status === 401) settle(await this.countStranger(call));
      throw error;
    });
    addLogContext({ organizationId: principal.organizationId });
    return { principal, limit: await this.countOf(principal) };
  }

  /** The owner of a key as of now; cheap to ask again and again. @throws SpooledError 401, 503 */
  identify(key: string): Promise<Principal> {
    return this.authenticator.ofApiKey(key);
  }

  /** Counts one call, or one message of a stream. @throws SpooledError 429, 503 */
  async countOf(principal: Principal): Promise<RateLimitResult> {
    return settle(await this.limits.count(principal, 'grpc'));
  }

  /**
   * Counts messages of a stream that came together.
   * @returns how many of them, from the first on, may pass, and what the others are told
   * @throws SpooledError 503
   */
  async countMany(principal: Principal, messages: number): Promise<{ granted: number; refusal: SpooledError | null }> {
    const { granted, last } = await this.limits.countMany(principal, messages, 'grpc');
    return { granted, refusal: granted === messages ? null : rateExceeded(last) };
  }

  addressOf(call: Knock): string {
    const address = call.getPeer().replace(/:\d+$/, '');
    return clientAddress(call.metadata.getMap() as Record<string, string>, address, proxyTrust(this.settings));
  }

  private countStranger(call: Knock): Promise<RateLimitResult> {
    return this.limits.countAddress(this.addressOf(call), 'grpc');
  }
}

/** The API key in `x-api-key`, or in `authorization: Bearer`. @throws SpooledError 401 without one */
export function keyOf(metadata: Metadata): string {
  const [key] = metadata.get('x-api-key');
  if (typeof key === 'string' && key !== '') return key.trim();
  const [authorization] = metadata.get('authorization');
  const bearer = typeof authorization === 'string' ? /^Bearer +(\S+)$/i.exec(authorization)?.[1] : undefined;
  if (bearer === undefined) throw unauthorized('Invalid or missing API key: send it as x-api-key');
  return bearer;
}

function settle(result: RateLimitResult): RateLimitResult {
  if (result.allowed) return result;
  throw rateExceeded(result);
}
