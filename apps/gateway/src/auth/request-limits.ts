import { Inject, Injectable } from '@nestjs/common';
import { clientAddress, SpooledError } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { rateLimitKeys, RateLimiter, type RateLimit, type RateLimitResult } from '@spooled/transport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { proxyTrust, type GatewaySettings } from '../gateway.config.js';
import type { Principal } from './principal.js';

/** How often a caller may ask (SP-13, SP-67): one round trip to Redis a request, told in headers on every answer. */
@Injectable()
export class RequestLimits {
  constructor(
    private readonly limiter: RateLimiter,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** The organization's bucket and, where the key has one, its window of a minute. @throws SpooledError 429, 503 */
  async checkPrincipal(principal: Principal, reply: FastifyReply): Promise<void> {
    settle(await this.count(principal), reply);
  }

  /** Counts a request of an organization and its key; each door has an organization's bucket of its own. @throws SpooledError 503 */
  count({ organizationId, keyHash, rateLimit, limits }: Principal, door?: 'grpc'): Promise<RateLimitResult> {
    const bucket: RateLimit = {
      kind: 'bucket',
      key: rateLimitKeys.organization(organizationId, door),
      ratePerSecond: limits.rate_limit_requests_per_second,
      burst: limits.rate_limit_burst,
    };
    const checks = rateLimit === null ? [bucket] : [bucket, keyWindow(organizationId, keyHash, rateLimit)];
    return this.limiter.check(organizationId, checks);
  }

  /** Counts a request of a caller without a valid credential. @throws SpooledError 503 */
  countAddress(address: string, scope?: string): Promise<RateLimitResult> {
    const { RATE_LIMIT_REQUESTS_PER_SECOND: ratePerSecond, RATE_LIMIT_BURST_SIZE: burst } = this.settings;
    const limit: RateLimit = { kind: 'bucket', key: rateLimitKeys.address(address, scope), ratePerSecond, burst };
    return this.limiter.check(address, [limit]);
  }

  /** The bucket of a caller who showed no valid credential. @throws SpooledError 429, 503 */
  async checkAddress(request: FastifyRequest, reply: FastifyReply, scope?: string): Promise<void> {
    settle(await this.countAddress(this.addressOf(request), scope), reply);
  }

  /** Further windows for one public route, such as 60 a minute and 300 an hour. @throws SpooledError 429, 503 */
  async checkAddressWindows(
    request: FastifyRequest,
    reply: FastifyReply,
    scope: string,
    windows: readonly { limit: number; windowSeconds: number }[],
  ): Promise<void> {
    const address = this.addressOf(request);
    const checks = windows.map(({ limit, windowSeconds }): RateLimit => {
      return { kind: 'window', key: rateLimitKeys.address(address, `${scope}:${windowSeconds}`), limit, windowSeconds };
    });
    settle(await this.limiter.check(address, checks), reply);
  }

  /** Logins with one key: five a minute, wherever they come from. @throws SpooledError 429, 503 */
  async checkLogin(keyHash: string, reply: FastifyReply): Promise<void> {
    const limit: RateLimit = { kind: 'window', key: rateLimitKeys.login(keyHash), limit: 5, windowSeconds: 60 };
    settle(await this.limiter.check(keyHash, [limit]), reply);
  }

  /** Lets an organization begin with a whole bucket, after its limits were changed. */
  async startAnew(organizationId: string): Promise<void> {
    const doors = [undefined, 'grpc'] as const;
    await this.limiter.reset(
      organizationId,
      doors.map((door) => rateLimitKeys.organization(organizationId, door)),
    );
  }

  private addressOf(request: FastifyRequest): string {
    return clientAddress(request.headers, request.socket.remoteAddress ?? 'unknown', proxyTrust(this.settings));
  }
}

const keyWindow = (organizationId: string, keyHash: string, limit: number): RateLimit => ({
  kind: 'window',
  key: rateLimitKeys.apiKey(organizationId, keyHash),
  limit,
  windowSeconds: 60,
});

function settle(result: RateLimitResult, reply: FastifyReply): void {
  const { allowed, limit, remaining, resetAtUnix } = result;
  void reply.headers({
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': resetAtUnix,
  });
  if (!allowed) throw rateExceeded(result);
}

/** What a caller is told who asked too often. */
export const rateExceeded = ({ limit, remaining, resetAtUnix, retryAfterSeconds }: RateLimitResult): SpooledError =>
  new SpooledError('RATE_LIMIT_EXCEEDED', `Too many requests; try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
    extras: {
      error: 'rate_limit_exceeded',
      retry_after_secs: retryAfterSeconds,
      limit,
      remaining,
      reset_at: resetAtUnix,
    },
  });
