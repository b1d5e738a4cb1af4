import { z } from 'zod';
import { listPage, searchedPage, statusFilter } from './conventions.js';
import { nullableTimestamp, shownReceiver, text, timestamp, whole } from './fields.js';

/** What a webhook may listen to. `webhook.test` is sent by the test route only. */
export const webhookEvents = [
  'job.created',
  'job.started',
  'job.completed',
  'job.failed',
  'job.cancelled',
  'job.deadlettered',
  'job.retried',
  'cause.appeared',
  'cause.grew',
  'cause.omitted',
  'queue.paused',
  'queue.resumed',
  'worker.registered',
  'worker.deregistered',
  'schedule.triggered',
  'workflow.completed',
  'workflow.failed',
] as const;
export type WebhookEventName = (typeof webhookEvents)[number];

/**
 * `json`: the envelope `{id, event, created_at, data}`; `standard`: Standard Webhooks 1.0; `cloudevents`: a CloudEvent 1.0 in structured
 * mode; the others: a chat message for that service's incoming webhook.
 */
export const webhookFormats = ['json', 'standard', 'cloudevents', 'slack', 'discord', 'teams'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

const name = text(1, 255);
/** More than there are: naming one twice does no harm. */
const maxEvents = 50;
/** Its length and host are checked with the other URL rules. */
const url = text(0, 65_536);
const events = z
  .array(z.enum(webhookEvents))
  .min(1, 'must name at least one event')
  .max(maxEvents, `must hold at most ${maxEvents} events`);
const format = z.enum(webhookFormats).meta({
  description: 'Body, and for `standard` also headers and signature, of the deliveries; `json` unless given.',
});
const secret = text(0, 255).meta({
  description:
    'Signs every delivery. It is never returned. The format `standard` requires one: `whsec_` and 24 to 64 bytes in Base64.',
});

const retrySeconds = z.int().min(0).max(604_800).meta({
  description:
    'How long a delivery is retried after its first five attempts, from its creation; null = the default of the service (3 days). 0 = not at all.',
});

export const createWebhookBody = z.object({
  name,
  url,
  events,
  format: format.nullish(),
  secret: secret.nullish(),
  enabled: z.boolean().nullish(),
  retry_seconds: retrySeconds.nullish(),
});
export type CreateWebhookBody = z.infer<typeof createWebhookBody>;

/** Absent and null fields stay unchanged, except `secret` and `retry_seconds`: null removes them. */
export const updateWebhookBody = createWebhookBody.extend({
  name: name.nullish(),
  url: url.nullish(),
  events: events.nullish(),
});
export type UpdateWebhookBody = z.infer<typeof updateWebhookBody>;

const dayInSeconds = 86_400;

/** A strict object: with a misspelt time the previous secret would be valid for another. */
export const rotateSecretBody = z.strictObject({
  secret: text(1, 255).nullish().meta({ description: 'The new secret; absent = one is generated and returned' }),
  previous_valid_seconds: whole(0, 7 * dayInSeconds)
    .nullish()
    .meta({
      description: 'How long deliveries are also signed with the secret so far; 0 = not at all, default one day',
    }),
});
export type RotateSecretBody = z.infer<typeof rotateSecretBody>;
export const defaultRotationSeconds = dayInSeconds;

export const webhook = z
  .object({
    id: z.uuid(),
    organization_id: z.uuid(),
    name: z.string(),
    url: shownReceiver(z.string()),
    events: z.array(z.string()),
    format: z.enum(webhookFormats),
    enabled: z.boolean(),
    failure_count: z.int().meta({ description: 'Consecutive deliveries whose first five attempts failed.' }),
    last_triggered_at: nullableTimestamp,
    last_status: z.enum(['success', 'failed', 'auto_disabled']).nullable(),
    retry_seconds: retrySeconds.nullable(),
    failing_since: nullableTimestamp.meta({ description: 'The first failed attempt after the last success.' }),
    disables_at: nullableTimestamp.meta({
      description: 'From when on the next late failure disables the webhook, unless a delivery succeeds before.',
    }),
    rotation_ends_at: nullableTimestamp.meta({
      description: 'Until then deliveries are signed with the previous secret as well; null = there is none.',
    }),
    held_since: nullableTimestamp.meta({
      description:
        'Since then deliveries wait, and one at a time is sent as a probe, because ten in a row have failed; null = none waits for that.',
    }),
    next_probe_at: nullableTimestamp,
    dropped_count: z.int().meta({ description: 'Held deliveries that were given up because too many waited.' }),
    dropped_at: nullableTimestamp.meta({ description: 'When the latest of them were.' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'OutgoingWebhook' });
export type Webhook = z.infer<typeof webhook>;

export const rotatedWebhook = webhook
  .extend({
    secret: z.string().nullable().meta({ description: 'The generated secret, shown once; null if one was given' }),
  })
  .meta({ id: 'RotatedWebhook' });
export type RotatedWebhook = z.infer<typeof rotatedWebhook>;

/** Without paging, clients expect all webhooks. */
export const listWebhooksQuery = z.object(listPage({ limit: 1000, maxLimit: 1000 }));
export type ListWebhooksQuery = z.infer<typeof listWebhooksQuery>;

export const testWebhookBody = z.object({
  event: z.enum(webhookEvents).nullish().meta({
    description: 'Sends an example of this event, whether or not the webhook listens to it; default `webhook.test`.',
  }),
});
export type TestWebhookBody = z.infer<typeof testWebhookBody>;

export const webhookTestResult = z.object({
  success: z.boolean(),
  status_code: z.int().nullable(),
  response_time_ms: z.int(),
  error: z.string().nullable(),
});
export type WebhookTestResult = z.infer<typeof webhookTestResult>;

const deliveryStatuses = ['pending', 'success', 'failed'] as const;
const deliveryStatus = z.enum(deliveryStatuses);

export const listDeliveriesQuery = z.object({
  status: statusFilter(deliveryStatuses, 'is ignored'),
  ...searchedPage({ limit: 100 }),
});
export type ListDeliveriesQuery = z.infer<typeof listDeliveriesQuery>;

export const webhookDelivery = z
  .object({
    id: z.uuid(),
    webhook_id: z.uuid(),
    event: z.string(),
    payload: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The json envelope `{id, event, created_at, data}`, whatever the format of the webhook.' }),
    status: deliveryStatus,
    status_code: z.int().nullable(),
    response_body: z.string().nullable(),
    error: z.string().nullable(),
    attempts: z.int(),
    created_at: timestamp,
    delivered_at: nullableTimestamp,
    next_attempt_at: nullableTimestamp.meta({
      description:
        'null = no further attempt, or it is held. A delivery is `failed` after five attempts, and is retried nevertheless.',
    }),
    held: z.boolean().meta({ description: 'Whether it waits until the receiver of its webhook responds again.' }),
  })
  .meta({ id: 'WebhookDelivery' });

const deliveryAttempt = z.object({
  attempt: z.int(),
  ended_at: timestamp,
  latency_ms: z.int(),
  status_code: z.int().nullable(),
  response_headers: z
    .record(z.string(), z.string())
    .meta({ description: 'At most 30 headers of the response; values of secret ones are replaced.' }),
  response_body: z.string().nullable().meta({ description: 'At most 1 KiB of the response.' }),
  error: z.string().nullable(),
  error_code: z
    .string()
    .nullable()
    .meta({ description: 'Without a response: `timeout`, `not_allowed` or a code such as `ECONNREFUSED`.' }),
  next_attempt_at: nullableTimestamp.meta({ description: 'As planned then.' }),
});

export const deliveryDetails = webhookDelivery
  .extend({ attempt_history: z.array(deliveryAttempt).meta({ description: 'The newest 20 attempts, oldest first.' }) })
  .meta({ id: 'WebhookDeliveryDetails' });

export const retriedDelivery = z.object({
  success: z.literal(true),
  message: z.string(),
  delivery_id: z.uuid(),
  status: deliveryStatus,
});
export type RetriedDelivery = z.infer<typeof retriedDelivery>;
