import type { ProductMetrics } from '@spooled/contracts';
import {
  httpSettings,
  integer,
  secret,
  serverSettings,
  setting,
  telemetrySettings,
  type Metrics,
  type ServiceContext,
  type SettingsOf,
} from '@spooled/platform';
import {
  addressSettings,
  callbackSettings,
  commandSettings,
  databaseSettings,
  deliverySettings,
  newJobSettings,
  planSettings,
  rateLimitSettings,
  redisSettings,
  wakeupSettings,
} from '@spooled/service';

/** All settings of this service. */
export const webhooksSettings = {
  ...serverSettings,
  ...httpSettings,
  ...telemetrySettings,
  ...databaseSettings,
  ...wakeupSettings,
  ...redisSettings,
  ...commandSettings,
  ...rateLimitSettings,
  ...planSettings,
  ...addressSettings,
  ...newJobSettings,
  ...callbackSettings,
  ...deliverySettings,

  GITHUB_WEBHOOK_SECRET: setting(
    secret().optional(),
    'Secret of GitHub webhooks for organizations without one of their own (settings.github_webhook_secret).',
  ),
  GITHUB_WEBHOOK_SECRET_PREVIOUS: setting(
    secret().optional(),
    'The secret of GitHub webhooks before a change; calls that it signs are still accepted.',
  ),
  STRIPE_WEBHOOK_SECRET: setting(
    secret().optional(),
    'Secret of Stripe webhooks for organizations without one of their own (settings.stripe_webhook_secret).',
  ),
  STRIPE_WEBHOOK_SECRET_PREVIOUS: setting(
    secret().optional(),
    'The secret of Stripe webhooks before a change; calls that it signs are still accepted.',
  ),

  OUTGOING_WEBHOOK_MAX_ATTEMPTS: setting(
    integer({ min: 1, max: 100 }).default(50),
    'Attempts to deliver one event. OUTGOING_WEBHOOK_RETRY_SECS usually ends them earlier: 3 days take about 31. With 5 there are no later ones.',
  ),
  OUTGOING_WEBHOOK_RETRY_SECS: setting(
    integer({ min: 0, max: 604_800 }).default(259_200),
    'How long a delivery is retried after its first five attempts, for webhooks without `retry_seconds` and for completion webhooks.',
  ),
  OUTGOING_WEBHOOK_MAX_HELD: setting(
    integer({ min: 1, max: 1_000_000 }).default(10_000),
    'Deliveries of one webhook that wait for a receiver that fails; the oldest beyond them are dropped, within a minute.',
  ),
  OUTGOING_WEBHOOK_MAX_CONCURRENT_DELIVERIES: setting(
    integer({ min: 1, max: 10_000 }).default(512),
    'Concurrent delivery attempts of this process; at most half of them for one organization. When all are in use for 0.5 s, the oldest attempt of the organization with the most is aborted for one that has none; it is made again and does not count.',
  ),
  OUTGOING_WEBHOOK_MAX_PAYLOAD_BYTES_IN_FLIGHT: setting(
    integer({ min: 1 }).default(67_108_864),
    'Bytes of requests that the delivery attempts of this process hold; at most half of them for one organization. Attempts that begin at the same moment may exceed it.',
  ),
  OUTGOING_WEBHOOK_RETRY_BASE_MS: setting(
    integer({ min: 1, max: 32_000 }).default(1000),
    'Delay after the first failed attempt in milliseconds; doubles with each further one, up to 32 s for the first five attempts and 4 h for later ones.',
  ),
  OUTGOING_WEBHOOK_OVERDUE_SECS: setting(
    integer({ min: 1, max: 3600 }).default(15),
    'A delivery overdue by this many seconds is dispatched again: it was lost in Redis, or waited for more than a minute.',
  ),

  PUSH_MAX_CONCURRENT_CALLS: setting(
    integer({ min: 1, max: 10_000 }).default(512),
    'Concurrent push calls of this process; at most half of them for one organization, and its plan (`max_push_calls`) and a queue may allow fewer. When all are in use for 0.5 s, the oldest call of the organization with the most is aborted for one that has none; its job is released without costing an attempt.',
  ),
  PUSH_MAX_PAYLOAD_BYTES_IN_FLIGHT: setting(
    integer({ min: 1 }).default(67_108_864),
    'Bytes of payloads that the push calls of this process hold; at most half of them for one organization. The jobs of one further claim may exceed it.',
  ),
  PUSH_MAX_JOBS_PER_CLAIM: setting(
    integer({ min: 1, max: 100 }).default(10),
    'Jobs of a push queue claimed at once. They are called concurrently, within the free calls of queue and organization.',
  ),
  PUSH_LEASE_SECS: setting(
    integer({ min: 5, max: 3600 }).default(30),
    'Lease of a pushed job in seconds, renewed three times per lease while its call runs. After a crash of this service its jobs wait this long.',
  ),
  PUSH_POLL_INTERVAL_MS: setting(
    integer({ min: 50, max: 60_000 }).default(1000),
    'Interval in milliseconds at which push queues are polled for jobs whose signal was lost.',
  ),
};

export type WebhooksSettings = SettingsOf<typeof webhooksSettings>;
export type WebhooksService = ServiceContext<WebhooksSettings, Metrics<ProductMetrics>>;
