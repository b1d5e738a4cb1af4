import { longestQueueName } from '@spooled/domain';
import { z } from 'zod';
import { searchedPage } from './conventions.js';
import { instant, queueName, requiredJson, storable, text, timestamp } from './fields.js';
import { newJobFieldsWithout, refusedOfWebhooks, refusing } from './new-job.js';

const reservedQueues = new Set(['admin', 'system', 'internal', 'root', 'default']);

/** A queue name chosen by an external sender: may be longer than those of new jobs, for existing senders, but not a reserved word. */
const ingestionQueueName = queueName
  .refine((name) => !name.includes('..'), 'must not contain ".."')
  .refine((name) => !reservedQueues.has(name.toLowerCase()), 'is a reserved name');

const customWebhook = z.object({
  queue_name: ingestionQueueName,
  event_type: text(0, 100).nullish(),
  payload: requiredJson,
  ...newJobFieldsWithout(refusedOfWebhooks),
});
export const customWebhookBody = refusing(refusedOfWebhooks, customWebhook);

/** `created` is what the SDKs for Python and Go read. */
export const customWebhookResult = z.object({
  job_id: z.string(),
  queue_name: z.string(),
  status: z.string(),
  created: z.boolean(),
});
export type CustomWebhookResult = z.infer<typeof customWebhookResult>;

/** The members of a Stripe event that become a job; others are ignored. */
export const stripeEvent = z.object({
  id: text(1, 255),
  type: text(1, 255),
  data: z.object({ object: requiredJson }),
});

/** The member of a body of Standard Webhooks that is read; the whole body becomes the payload. */
export const standardEvent = z.object({ type: text(1, 255) });

/** Any JSON document within the nesting limit. */
export const githubEvent = requiredJson;

const inboundStatus = z.enum(['created', 'duplicate', 'refused']);

/** Filters of the log; one that does not fit is refused, because the caller would take every row for a match. */
export const listInboundQuery = z.object({
  status: inboundStatus.optional().meta({ description: 'Without it those that were accepted are listed.' }),
  since: instant.optional().meta({ description: 'The first moment that is listed.' }),
  queue_name: storable(longestQueueName).optional(),
  ...searchedPage(),
});
export type ListInboundQuery = z.infer<typeof listInboundQuery>;

export const inboundDelivery = z
  .object({
    id: z.uuid(),
    provider: z.string().meta({ description: '`custom`, `github`, `stripe` or `standard`.' }),
    event_type: z.string(),
    matched_queue: z.string().nullable().meta({ description: 'Null for refused ones.' }),
    job_id: z
      .uuid()
      .nullable()
      .meta({ description: 'The new job, or the one that its idempotency key belongs to; null for refused ones.' }),
    status: inboundStatus,
    code: z
      .string()
      .nullable()
      .meta({ description: 'Of the error that a refused sender got; null for accepted ones.' }),
    reason: z.string().nullable().meta({ description: 'Why it was refused; null for accepted ones.' }),
    address: z
      .string()
      .nullable()
      .meta({ description: 'Address of the sender of a refused one; null for accepted ones.' }),
    calls: z
      .int()
      .min(1)
      .meta({ description: 'Refused calls within seconds of each other that differ in nothing else.' }),
    created_at: timestamp,
  })
  .meta({ id: 'InboundDelivery' });
export type InboundDelivery = z.infer<typeof inboundDelivery>;
