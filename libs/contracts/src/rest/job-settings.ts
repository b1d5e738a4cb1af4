import { callbackHeaderLimits, checkCallbackHeaders } from '@spooled/domain';
import { z } from 'zod';
import { JsonDocument } from '../json-document.js';
import { shownReceiver, text, whole } from './fields.js';

const { maxHeaders, maxValueLength } = callbackHeaderLimits;
const dayMs = 86_400_000;

/** Not `z.record`, which would copy a hundred thousand members before it counts them. */
const callbackHeaders = z
  .custom<unknown>()
  .transform((value) => (value instanceof JsonDocument ? value.value : value))
  .check(({ value, issues }) => {
    const problem = checkCallbackHeaders(value);
    if (problem === 'must be an object') {
      issues.push({ code: 'invalid_type', expected: 'object', input: value, message: problem });
    } else if (problem !== null) issues.push({ code: 'custom', input: value, message: problem });
  })
  .transform((value) => value as Record<string, string>)
  .meta({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: maxValueLength },
    maxProperties: maxHeaders,
    description: 'Sent with each call. Never shown again, only their names.',
  });

const backoff = z
  .strictObject({
    strategy: z.enum(['exponential', 'linear', 'fixed']).nullish(),
    delay_ms: whole(0, 30 * dayMs).nullish(),
    multiplier: z.number().min(1, 'must be at least 1').max(100, 'must be at most 100').nullish(),
    max_delay_ms: whole(0, 30 * dayMs).nullish(),
    jitter_ms: whole(0, dayMs).nullish(),
    jitter_ratio: z.number().min(0, 'must be at least 0').max(1, 'must be at most 1').nullish(),
  })
  .meta({ id: 'Backoff', description: "Delays between attempts; members that are absent are the queue's." });

/** Of a job, and of a schedule for its jobs. */
export const jobSettingFields = {
  callback_url: text(1, 2048).nullish().meta({
    description: 'The job is pushed to this URL instead of its queue’s. The queue must push its jobs.',
  }),
  callback_headers: callbackHeaders.nullish(),
  callback_secret: text(1, 255).nullish().meta({ description: 'Signs each call. Never shown.' }),
  callback_timeout_seconds: whole(1, 3600).nullish(),
  backoff: backoff.nullish(),
};

/** As shown: without secrets and values of headers. */
export const visibleJobSettingFields = {
  callback_url: shownReceiver(z.string().nullable()),
  callback_header_names: z.array(z.string()),
  callback_timeout_seconds: z.int().nullable(),
  backoff: z
    .object({
      strategy: z.string().optional(),
      delay_ms: z.number().optional(),
      multiplier: z.number().optional(),
      max_delay_ms: z.number().optional(),
      jitter_ms: z.number().optional(),
      jitter_ratio: z.number().optional(),
    })
    .nullable(),
};
