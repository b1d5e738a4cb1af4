import type { ProductMetrics } from '@spooled/contracts';
import {
  commaList,
  httpSettings,
  integer,
  port,
  serverSettings,
  setting,
  telemetrySettings,
  type Metrics,
  type ServiceContext,
  type SettingsOf,
} from '@spooled/platform';
import {
  addressSettings,
  apiKeySettings,
  databaseSettings,
  rateLimitSettings,
  redisSettings,
  tokenSettings,
} from '@spooled/service';
import { z } from 'zod';

/** All settings of this service. */
export const realtimeSettings = {
  ...serverSettings,
  ...httpSettings,
  ...telemetrySettings,
  ...databaseSettings,
  ...redisSettings,
  ...apiKeySettings,
  ...tokenSettings,
  ...rateLimitSettings,
  ...addressSettings,
  PORT: setting(port().default(8080), 'Port for WebSockets and server-sent events.'),
  CORS_ALLOWED_ORIGINS: setting(
    commaList(z.string()).default([]),
    'Origins that browsers may call from in production. Outside production every origin is allowed.',
  ),
  REALTIME_MAX_WEBSOCKETS: setting(
    integer({ min: 1, max: 100_000 }).default(100),
    'Maximum open WebSockets per organization over all replicas; more are refused with 429.',
  ),
  REALTIME_MAX_EVENT_STREAMS: setting(
    integer({ min: 1, max: 100_000 }).default(100),
    'Maximum open /api/v1/events streams per organization over all replicas; more are refused with 429.',
  ),
  REALTIME_MAX_WATCHES: setting(
    integer({ min: 1, max: 100_000 }).default(1000),
    'Maximum open job and queue streams per organization over all replicas; more are refused with 429.',
  ),
  REALTIME_MAX_UNSENT_BYTES: setting(
    integer({ min: 1024 }).default(1_048_576),
    'Unsent bytes of a stream above which its client is disconnected.',
  ),
};

export type RealtimeSettings = SettingsOf<typeof realtimeSettings>;
export type RealtimeMetrics = Metrics<ProductMetrics>;
export type RealtimeService = ServiceContext<RealtimeSettings, RealtimeMetrics>;
