import type { ProductMetrics } from '@spooled/contracts';
import {
  commaList,
  httpSettings,
  integer,
  secret,
  serverSettings,
  setting,
  telemetrySettings,
  url,
  type Metrics,
  type ServiceContext,
  type SettingsOf,
} from '@spooled/platform';
import {
  addressSettings,
  apiKeySettings,
  callbackSettings,
  deliverySettings,
  commandSettings,
  consoleSettings,
  corsSettings,
  databaseSettings,
  newJobSettings,
  planSettings,
  rateLimitSettings,
  redisSettings,
  replicaSettings,
  tokenSettings,
  unsentSettings,
  wakeupSettings,
  workerSettings,
} from '@spooled/service';
import { z } from 'zod';
import { gatewayConsoleSettings } from './console/console.config.js';
import { openIdSettings } from './console/open-id.config.js';
import { grpcSettings } from './grpc/grpc.config.js';
import { defaultsPerMinute, type RouteTier, routeTiers } from './auth/route-tier.js';
import { jobSettings } from './jobs/job.config.js';

/** Plans limit organizations already, so that the defaults are for callers without a credential. */
const tierLimit = (tier: RouteTier, which: string) =>
  setting(
    integer({ min: 0 }).optional(),
    `Requests a minute of one key, or of one address without a key, ${which}; 0 = no such limit. Unset: ${defaultsPerMinute[tier]} for an address on routes that need no credential${tier === 'auth' ? ' (failed attempts, on each of these routes)' : ''}; keys have the rate of their plan.`,
  );

/** Every setting of the gateway. */
export const gatewaySettings = {
  ...serverSettings,
  ...httpSettings,
  ...telemetrySettings,
  ...databaseSettings,
  ...replicaSettings,
  ...wakeupSettings,
  ...redisSettings,
  ...commandSettings,
  ...rateLimitSettings,
  ...planSettings,
  ...newJobSettings,
  ...workerSettings,
  ...jobSettings,
  ...grpcSettings,
  ...corsSettings,
  ...callbackSettings,
  ...deliverySettings,
  ...unsentSettings,
  HTTP_MAX_IN_FLIGHT: setting(
    integer({ min: 0 }).default(1000),
    'Maximum REST requests and unary gRPC calls in flight per gateway; further ones get 503 at once. 0 = unlimited.',
  ),
  UNREAD_TIMEOUT_SECS: setting(
    integer({ min: 1, max: 3600 }).default(30),
    'Seconds without progress after which a connection is closed whose client does not read a response or live events, and a job stream whose client accepts nothing while others of its organization wait for its bytes.',
  ),

  PUBLIC_URL: setting(
    url(/^https?$/)
      .refine(isPlainAddress, 'must have no user, password, query or fragment')
      .optional(),
    'Address at which callers outside reach this gateway, as in https://spooled.example.com; begins signal URLs. Unset = they are relative.',
  ),

  ...apiKeySettings,
  ...tokenSettings,
  JWT_EXPIRATION_HOURS: setting(
    integer({ min: 1, max: 720 }).default(24),
    'Lifetime of an access token in hours; a refresh token lives 30 days.',
  ),
  ADMIN_API_KEY: setting(
    secret({ min: 16 }).optional(),
    'Value of X-Admin-Key; unset disables the administration routes.',
  ),
  REGISTRATION_MODE: setting(
    z.enum(['open', 'closed', 'invite']).default('open'),
    'Who may create organizations: anyone, or only callers with X-Admin-Key.',
  ),

  ...addressSettings,
  RATE_LIMIT_FAILED_LOGINS_PER_MINUTE: setting(
    integer({ min: 0 }).default(20),
    'Failed logins and token refreshes per minute of one address, and of all keys with the same beginning; further ones get 429 instead of 401. Valid credentials are always admitted. 0 = unlimited.',
  ),
  RATE_LIMIT_AUTH_PER_MINUTE: tierLimit('auth', 'that create or check credentials'),
  RATE_LIMIT_WRITE_PER_MINUTE: tierLimit('write', 'that change something'),
  RATE_LIMIT_READ_PER_MINUTE: tierLimit('read', 'that only read'),
  RATE_LIMIT_PROTOCOL_PER_MINUTE: tierLimit('protocol', 'of the worker protocol (claim, complete, heartbeat)'),
  RATE_LIMIT_FAIL_CLOSED_TIERS: setting(
    commaList(z.enum(routeTiers)).default([]),
    'Tiers (auth, write, read, protocol) that are refused with 503, instead of allowed, while Redis is down.',
  ),

  ...consoleSettings,
  ...gatewayConsoleSettings,
  ...openIdSettings,

  REALTIME_URL: setting(
    url(/^https?$/).optional(),
    'Base URL of the realtime service; /api/v1/ws and /api/v1/events are forwarded to it.',
  ),
  WEBHOOKS_URL: setting(
    url(/^https?$/).optional(),
    'Base URL of the webhooks service; /api/v1/webhooks is forwarded to it.',
  ),
};

export type GatewaySettings = SettingsOf<typeof gatewaySettings>;
export type GatewayService = ServiceContext<GatewaySettings, Metrics<ProductMetrics>>;

/** Whether a URL has nothing after its path, and no credentials: they would be in each URL that is handed out. */
function isPlainAddress(text: string): boolean {
  const address = URL.parse(text);
  // That it is no URL at all is said already.
  return !address || `${address.username}${address.password}${address.search}${address.hash}` === '';
}
