import { Inject, Injectable } from '@nestjs/common';
import { clientAddress, SpooledError } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { RateLimits } from '@spooled/stores';
import { rateLimitKeys, type RateLimit, type RateLimitResult } from '@spooled/transport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { proxyTrust, type GatewaySettings } from '../gateway.config.js';
import type { Principal } from './principal.js';
import { tierOf, type RouteTier } from './route-tier.js';

/** How often a caller may ask (SP-13, SP-67): one round trip to Redis a request, told in headers on every answer. */
@Injectable()
export class RequestLimits {
  constructor(
    private readonly limiter: RateLimits,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** The organization's bucket and, where they are set, the windows of the key and of the route's tier. @throws SpooledError 429, 503 */
  async checkPrincipal(principal: Principal, reply: FastifyReply, tier: RouteTier): Promise<void> {
    const window = this.tierWindow(tier, (name) =>
      rateLimitKeys.apiKey(principal.organizationId, `${principal.keyHash}:${name}`),
    );
    const result = await this.limiter.check(
      principal.organizationId,
      [...limitsOf(principal), ...window],
      this.isClosed(tier),
    );
    settle(result, reply);
  }

  /** Counts a request of an organization and its key; each door has an organization's bucket of its own. @throws SpooledError 503 */
  count(principal: Principal, door?: 'grpc'): Promise<RateLimitResult> {
    return this.limiter.check(principal.organizationId, limitsOf(principal, door), this.isClosed('protocol'));
  }

  /** As so many calls of `count`, of which as many are granted as fit. @throws SpooledError 503 */
  countMany(principal: Principal, calls: number, door?: 'grpc'): Promise<{ granted: number; last: RateLimitResult }> {
    return this.limiter.take(principal.organizationId, limitsOf(principal, door), calls, this.isClosed('protocol'));
  }

  /** Counts a request of a caller without a valid credential. @throws SpooledError 503 */
  countAddress(address: string, scope?: string, tier?: RouteTier): Promise<RateLimitResult> {
    const { RATE_LIMIT_REQUESTS_PER_SECOND: ratePerSecond, RATE_LIMIT_BURST_SIZE: burst } = this.settings;
    const limit: RateLimit = { kind: 'bucket', key: rateLimitKeys.address(address, scope), ratePerSecond, burst };
    const window = tier ? this.tierWindow(tier, (name) => rateLimitKeys.address(address, name)) : [];
    return this.limiter.check(address, [limit, ...window], tier ? this.isClosed(tier) : undefined);
  }

  /** The bucket of a caller who showed no valid credential, and the window of the route's tier. @throws SpooledError 429, 503 */
  async checkAddress(request: FastifyRequest, reply: FastifyReply, scope?: string): Promise<void> {
    const tier = tierOf(request.method, request.routeOptions.url ?? '');
    settle(await this.countAddress(this.addressOf(request), scope, tier), reply);
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

  /** A sliding window of a minute, where the operator has set one (PB-07..11, PB-28). */
  private tierWindow(tier: RouteTier, keyOf: (name: string) => string): RateLimit[] {
    const limit = this.settings[tierSettingOf[tier]];
    return limit === 0 ? [] : [{ kind: 'window', key: keyOf(`tier:${tier}`), limit, windowSeconds: 60 }];
  }

  private isClosed(tier: RouteTier): boolean | undefined {
    return this.settings.RATE_LIMIT_FAIL_CLOSED_TIERS.includes(tier) ? true : undefined;
  }

  private addressOf(request: FastifyRequest): string {
    return clientAddress(request.headers, request.socket.remoteAddress ?? 'unknown', proxyTrust(this.settings));
  }
}

const tierSettingOf = {
  auth: 'RATE_LIMIT_AUTH_PER_MINUTE',
  write: 'RATE_LIMIT_WRITE_PER_MINUTE',
  read: 'RATE_LIMIT_READ_PER_MINUTE',
  protocol: 'RATE_LIMIT_PROTOCOL_PER_MINUTE',
} as const satisfies Record<RouteTier, keyof GatewaySettings>;

function limitsOf({ organizationId, keyHash, rateLimit, limits }: Principal, door?: 'grpc'): RateLimit[] {
  const bucket: RateLimit = {
    kind: 'bucket',
    key: rateLimitKeys.organization(organizationId, door),
    ratePerSecond: limits.rate_limit_requests_per_second,
    burst: limits.rate_limit_burst,
  };
  return rateLimit === null ? [bucket] : [bucket, keyWindow(organizationId, keyHash, rateLimit)];
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
