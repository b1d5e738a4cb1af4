import {
  httpSettings,
  integer,
  port,
  secret,
  serverSettings,
  setting,
  telemetrySettings,
  type SettingsOf,
} from '@spooled/platform';
import { addressSettings, commandSettings, databaseSettings, rateLimitSettings, redisSettings } from '@spooled/service';

/** Every setting of this service; the plans' own (SPOOLED_PLAN_*) are read by `parsePlanOverrides`. */
export const webhooksSettings = {
  ...serverSettings,
  ...httpSettings,
  ...telemetrySettings,
  ...databaseSettings,
  ...redisSettings,
  ...commandSettings,
  ...rateLimitSettings,
  ...addressSettings,
  PORT: setting(port().default(8080), 'Port that webhooks of other systems arrive at.'),

  QUEUE_DEFAULT_MAX_RETRIES: setting(
    integer({ min: 0, max: 100 }).default(3),
    'Retries where neither job nor queue says.',
  ),
  QUEUE_DEFAULT_TIMEOUT_SECS: setting(
    integer({ min: 1, max: 86_400 }).default(300),
    'Timeout where neither job nor queue says.',
  ),
  QUEUE_MAX_PAYLOAD_SIZE_BYTES: setting(
    integer({ min: 1024, max: 1_048_576 }).default(1_048_576),
    'Largest payload of a job; a plan may allow less.',
  ),

  GITHUB_WEBHOOK_SECRET: setting(
    secret().optional(),
    'Secret of GitHub webhooks for organizations without one of their own (settings.github_webhook_secret).',
  ),
  STRIPE_WEBHOOK_SECRET: setting(
    secret().optional(),
    'Secret of Stripe webhooks for organizations without one of their own (settings.stripe_webhook_secret).',
  ),

  OUTGOING_WEBHOOK_MAX_ATTEMPTS: setting(integer({ min: 1, max: 20 }).default(5), 'Attempts to deliver one event.'),
  OUTGOING_WEBHOOK_MAX_CONCURRENT_DELIVERIES: setting(
    integer({ min: 1, max: 1000 }).default(64),
    'Attempts of this process under way at once; half of them at most for one organization.',
  ),
  OUTGOING_WEBHOOK_RETRY_BASE_MS: setting(
    integer({ min: 1, max: 32_000 }).default(1000),
    'Wait after the first failed attempt; doubles with each further one, up to 32 s.',
  ),
  OUTGOING_WEBHOOK_OVERDUE_SECS: setting(
    integer({ min: 1, max: 3600 }).default(15),
    'A delivery that is overdue by this much was lost in Redis and is handed over again.',
  ),

  PUSH_MAX_CONCURRENT_CALLS: setting(
    integer({ min: 1, max: 1000 }).default(64),
    'Jobs of push queues that this process has under way at once; half of them at most for one organization, and a queue may allow less.',
  ),
  PUSH_POLL_INTERVAL_MS: setting(
    integer({ min: 50, max: 60_000 }).default(1000),
    'How often push queues are looked at for work that no signal told of.',
  ),
};

export type WebhooksSettings = SettingsOf<typeof webhooksSettings>;

export const isProduction = ({ RUST_ENV }: Pick<WebhooksSettings, 'RUST_ENV'>): boolean => RUST_ENV === 'production';
