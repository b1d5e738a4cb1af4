import type { ProductMetrics } from '@spooled/contracts';
import {
  httpSettings,
  integer,
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
  consoleSettings,
  corsSettings,
  databaseSettings,
  planSettings,
  rateLimitSettings,
  redisSettings,
  tokenSettings,
  unsentSettings,
} from '@spooled/service';

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
  ...planSettings,
  ...addressSettings,
  ...corsSettings,
  ...consoleSettings,
  ...unsentSettings,
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
