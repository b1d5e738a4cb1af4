import { Inject, Injectable } from '@nestjs/common';
import { lookupOf } from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import type { AddressWindow } from '@spooled/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewaySettings } from '../gateway.config.js';
import { adminWindows, RequestLimits } from './request-limits.js';

/** The request that carries a credential in its body. */
export interface LoginCall {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What is known of the credential before it is verified. */
export interface LoginCredential {
  apiKey?: string;
  isAdminKey?: boolean;
}

/** `sk_live_` and 8 of 43 characters: names one key and does not help to guess the rest. */
const countedCharacters = 16;

/**
 * Limits guesses at credentials in bodies. Only failures count, by address and by the beginning of the API key: a valid credential is
 * admitted however many others have failed, because many callers may share an address.
 */
@Injectable()
export class LoginAttempts {
  private readonly windows: AddressWindow[];

  constructor(
    private readonly limits: RequestLimits,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {
    const limit = settings.RATE_LIMIT_FAILED_LOGINS_PER_MINUTE;
    this.windows = limit === 0 ? [] : [{ scope: 'failed-login:60', limit, windowSeconds: 60, counts: 'login' }];
  }

  /**
   * @param verify throws 401 for an invalid credential
   * @throws SpooledError any error of `verify`, 429 instead of 401 beyond the limits, 503
   */
  async run<T>(call: LoginCall, credential: LoginCredential, verify: () => Promise<T>): Promise<T> {
    try {
      return await verify();
    } catch (error) {
      if (error instanceof SpooledError && error.status === 401) await this.countFailure(call, credential);
      throw error;
    }
  }

  private async countFailure({ request, reply }: LoginCall, { apiKey, isAdminKey }: LoginCredential): Promise<void> {
    const ofAddress = [...this.limits.defaultWindows(request), ...this.windows, ...(isAdminKey ? adminWindows : [])];
    await this.limits.checkWindows(request, reply, ofAddress);
    const limit = this.settings.RATE_LIMIT_FAILED_LOGINS_PER_MINUTE;
    if (apiKey === undefined || limit === 0) return;
    await this.limits.checkLogin(lookupOf(apiKey.slice(0, countedCharacters)), reply, limit);
  }
}
