import type { ProductMetrics } from '@spooled/contracts';
import {
  commaList,
  integer,
  port,
  serverSettings,
  setting,
  telemetrySettings,
  url,
  type Metrics,
  type ServiceContext,
  type SettingsOf,
} from '@spooled/platform';
import { z } from 'zod';

/** Every setting of this service. */
export const realtimeSettings = {
  ...serverSettings,
  ...telemetrySettings,
  PORT: setting(port().default(8080), 'Port for WebSockets and server-sent events.'),
  CORS_ALLOWED_ORIGINS: setting(
    commaList(z.string()).default([]),
    'Origins that browsers may call from in production. Elsewhere every origin may.',
  ),
  DATABASE_URL: setting(url(), 'PostgreSQL as role spooled_app, or as a role that may switch to it.'),
  DATABASE_SYSTEM_URL: setting(url().optional(), 'PostgreSQL as role spooled_system; unset = DATABASE_URL.'),
  DATABASE_MAX_CONNECTIONS: setting(integer({ min: 1, max: 1000 }).default(25), 'Most connections for requests.'),
  DATABASE_MIN_CONNECTIONS: setting(integer({ min: 0, max: 1000 }).default(5), 'Connections kept open.'),
  DATABASE_ACQUIRE_TIMEOUT_SECS: setting(
    integer({ min: 1, max: 300 }).default(30),
    'Longest wait for a free connection.',
  ),
  REDIS_URL: setting(
    url(/^rediss?$/).default('redis://127.0.0.1:6379'),
    'Redis that carries live events. Without one streams open and stay silent.',
  ),
  REDIS_SHARDS: setting(
    z.string().optional(),
    'Several Redis servers, comma list of redis://… or name=redis://…; unset = REDIS_URL alone.',
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
