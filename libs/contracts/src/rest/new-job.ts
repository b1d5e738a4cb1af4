import { z } from 'zod';
import { hasAny } from './conventions.js';
import { anyId, instant, maxRetries, priority, smallJson, text, timeoutSeconds } from './fields.js';
import { jobSettingFields } from './job-settings.js';

/** Every member of a new job but its queue and its payload, for every way in which jobs are created. */
export const newJobFields = {
  priority: priority.nullish(),
  max_retries: maxRetries.nullish(),
  timeout_seconds: timeoutSeconds.nullish(),
  scheduled_at: instant.nullish(),
  expires_at: instant.nullish(),
  idempotency_key: text(0, 255).nullish(),
  tags: smallJson,
  parent_job_id: anyId.nullish(),
  completion_webhook: text(1, 2048).nullish(),
  completion_webhook_secret: text(0, 255).nullish(),
  ...jobSettingFields,
};
type Fields = typeof newJobFields;

/** The members that a way in does not take, each with what callers may do instead. */
type Refused = Partial<Record<keyof Fields, string>>;

/** @internal The members of a job that each way in refuses. Bodies of new jobs and of bulk creation take all of them. */
export const refusedOfSteps = {
  idempotency_key: 'a workflow is created once, with all of its steps',
  parent_job_id: 'use depends_on',
} as const satisfies Refused;
const ofBatch = 'a callback job is created once, when its batch ends';
export const refusedOfCallbacks = {
  scheduled_at: ofBatch,
  expires_at: ofBatch,
  idempotency_key: ofBatch,
  parent_job_id: ofBatch,
} as const satisfies Refused;
const eachRun = 'differs for each run';
export const refusedOfSchedules = {
  scheduled_at: 'use cron_expression',
  expires_at: eachRun,
  idempotency_key: eachRun,
  parent_job_id: eachRun,
  completion_webhook: 'use an outgoing webhook',
  completion_webhook_secret: 'use an outgoing webhook',
} as const satisfies Refused;
const ofQueue = 'use the settings of the queue';
export const refusedOfWebhooks = {
  max_retries: ofQueue,
  timeout_seconds: ofQueue,
  scheduled_at: 'jobs of incoming webhooks start at once',
  expires_at: 'jobs of incoming webhooks start at once',
  tags: 'jobs of incoming webhooks have the tag event_type',
  parent_job_id: 'jobs of incoming webhooks depend on no other',
  completion_webhook: 'use an outgoing webhook',
  completion_webhook_secret: 'use an outgoing webhook',
  callback_url: ofQueue,
  callback_headers: ofQueue,
  callback_secret: ofQueue,
  callback_timeout_seconds: ofQueue,
  backoff: ofQueue,
} as const satisfies Refused;

/** The members of a job that a way in takes. */
export function newJobFieldsWithout<R extends Refused>(refused: R): Omit<Fields, keyof R> {
  const taken = Object.entries(newJobFields).filter(([name]) => !(name in refused));
  return Object.fromEntries(taken) as Omit<Fields, keyof R>;
}

/** Refuses members of a job that would have no effect: ignored, they would surprise the caller. Null counts as absent. */
export const refusing = <S extends z.ZodType>(refused: Refused, schema: S) =>
  z.preprocess((body, { issues }) => {
    if (typeof body !== 'object' || body === null) return body;
    for (const [name, instead] of Object.entries(refused)) {
      if (!hasAny(body, [name])) continue;
      issues.push({ code: 'custom', input: body, path: [name], message: `is not supported here: ${instead}` });
    }
    return body;
  }, schema);
