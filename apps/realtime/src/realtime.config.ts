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

/** Every setting of this service. */
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
    'Open WebSockets of one organization over all replicas; more are refused with 429.',
  ),
  REALTIME_MAX_EVENT_STREAMS: setting(
    integer({ min: 1, max: 100_000 }).default(100),
    'Open /api/v1/events streams of one organization over all replicas; more are refused with 429.',
  ),
  REALTIME_MAX_WATCHES: setting(
    integer({ min: 1, max: 100_000 }).default(1000),
    'Open streams of single jobs and queues of one organization over all replicas; more are refused with 429.',
  ),
  REALTIME_MAX_UNSENT_BYTES: setting(
    integer({ min: 1024 }).default(1_048_576),
    'A client that leaves more than this unread is disconnected.',
  ),
};

export type RealtimeSettings = SettingsOf<typeof realtimeSettings>;
export type RealtimeMetrics = Metrics<ProductMetrics>;
export type RealtimeService = ServiceContext<RealtimeSettings, RealtimeMetrics>;
