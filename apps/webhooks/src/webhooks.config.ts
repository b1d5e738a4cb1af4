import {
  flag,
  integer,
  port,
  secret,
  serverSettings,
  setting,
  telemetrySettings,
  url,
  type SettingsOf,
} from '@spooled/platform';
import { z } from 'zod';

/** Every setting of this service; the plans' own (SPOOLED_PLAN_*) are read by `parsePlanOverrides`. */
export const webhooksSettings = {
  ...serverSettings,
  ...telemetrySettings,
  PORT: setting(port().default(8080), 'Port that webhooks of other systems arrive at.'),

  DATABASE_URL: setting(url(/^postgres(ql)?$/), 'PostgreSQL as role spooled_app, or as a role that may switch to it.'),
  DATABASE_SYSTEM_URL: setting(
    url(/^postgres(ql)?$/).optional(),
    'PostgreSQL as role spooled_system; unset = DATABASE_URL.',
  ),
  DATABASE_MAX_CONNECTIONS: setting(integer({ min: 1, max: 1000 }).default(25), 'Most connections for requests.'),
  DATABASE_MIN_CONNECTIONS: setting(integer({ min: 0, max: 1000 }).default(5), 'Connections kept open.'),
  DATABASE_ACQUIRE_TIMEOUT_SECS: setting(
    integer({ min: 1, max: 300 }).default(30),
    'Longest wait for a free connection.',
  ),
  REDIS_URL: setting(
    url(/^rediss?$/).optional(),
    'Redis; unset = jobs are enqueued in this process, and deliveries are found by looking at the table.',
  ),
  REDIS_SHARDS: setting(
    z.string().optional(),
    'Several Redis servers, comma list of redis://… or name=redis://…; unset = REDIS_URL alone.',
  ),

  ENGINE_PATH: setting(
    z.enum(['auto', 'transport', 'direct']).default('auto'),
    'How jobs are enqueued: through an engine while one is there, always through one, or always in this process.',
  ),
  COMMAND_BACKLOG_LIMIT_MS: setting(
    integer({ min: 100, max: 60_000 }).default(2000),
    'Age of the oldest waiting command above which new ones are refused with 503.',
  ),
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
  RATE_LIMIT_FAIL_CLOSED: setting(flag().default(false), 'Refuse with 503, instead of allowing, while Redis is down.'),

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
};

export type WebhooksSettings = SettingsOf<typeof webhooksSettings>;

export const isProduction = ({ RUST_ENV }: Pick<WebhooksSettings, 'RUST_ENV'>): boolean => RUST_ENV === 'production';
