import type { PlanLimits } from '@spooled/domain';
import { rateLimitKeys, type RateLimit, type RateLimitScope } from '@spooled/transport';
import type { Principal } from '../auth/principal.js';

/** The limits of a key: all protocols and services count in one bucket per organization, and in the window of the key, if it has one. */
export function limitsOfKey({ organizationId, keyHash, rateLimit, limits }: Principal): RateLimit[] {
  const bucket = organizationBucket(organizationId, limits);
  return rateLimit === null ? [bucket] : [bucket, keyWindow(organizationId, keyHash, rateLimit)];
}

export const organizationBucket = (organizationId: string, limits: PlanLimits): RateLimit =>
  bucketOf(rateLimitKeys.organization(organizationId), 'organization', limits);

/** The bucket of all sessions of an organization in the console: an open page takes nothing from its producers and workers. */
export const consoleBucket = ({ organizationId, limits }: Principal): RateLimit =>
  bucketOf(rateLimitKeys.console(organizationId), 'console', limits);

const bucketOf = (key: string, scope: RateLimitScope, limits: PlanLimits): RateLimit => ({
  kind: 'bucket',
  key,
  scope,
  ratePerSecond: limits.rate_limit_requests_per_second,
  burst: limits.rate_limit_burst,
});

const keyWindow = (organizationId: string, keyHash: string, limit: number): RateLimit => ({
  kind: 'window',
  key: rateLimitKeys.apiKey(organizationId, keyHash),
  scope: 'api_key',
  limit,
  windowSeconds: 60,
});
