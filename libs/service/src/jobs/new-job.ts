import { type jobSchemas, type JsonDocument, type JsonText, type NewJob, textOrNull } from '@spooled/contracts';
import {
  badRequest,
  type CallbackPolicy,
  checkCallbackUrl,
  invalidField,
  isUuid,
  jobTypeOf,
  payloadTooLarge,
  type PlanLimits,
  upgradeTo,
} from '@spooled/domain';
import { newId } from '@spooled/platform';
import { readJobSettings } from './job-settings.js';

export interface DocumentLimits {
  /** The server's limit in bytes. */
  maxBytes: number;
  limits: PlanLimits;
  /** Whether the plan's limit applies too: it does for payloads, not for results. */
  byPlan: boolean;
}

/**
 * A payload or result as the JSON text that is stored.
 * @throws SpooledError 413 when it is larger than the server or the plan allows, 400 for text that is not valid Unicode
 */
export function documentText(
  field: string,
  document: JsonDocument,
  { maxBytes, limits, byPlan }: DocumentLimits,
): JsonText {
  const { text } = document;
  const planDecides = byPlan && limits.max_payload_size_bytes < maxBytes;
  const limit = planDecides ? limits.max_payload_size_bytes : maxBytes;
  // UTF-8 has at most three bytes per UTF-16 unit, so most texts need no exact count.
  const bytes = text.length * 3 > limit ? Buffer.byteLength(text) : text.length;
  if (bytes > limit) {
    const { tier: plan } = limits;
    throw payloadTooLarge(field, { current: bytes, limit, plan, upgradeTo: planDecides ? upgradeTo(plan) : null });
  }
  if (hasLoneSurrogate(document)) throw invalidField(field, 'must not contain half a surrogate pair');
  return text;
}

/** PostgreSQL rejects half a surrogate pair. JSON.stringify escapes it as \ud…, as it escapes nothing else above U+001F. */
const hasLoneSurrogate = ({ rounded }: JsonDocument): boolean =>
  rounded.includes('\\ud') && /(?<!\\)(?:\\\\)*\\ud/.test(rounded);

/** The same time in UTC with milliseconds. */
export const utc = (instant: string | null | undefined): string | null =>
  instant ? new Date(instant).toISOString() : null;

/** The fields of a new job but its queue. Some ways in refuse some of them. */
type JobFields = jobSchemas.BulkJobItem;

/** @throws SpooledError 400 for an id that is not a UUID */
function parentId({ parent_job_id: id }: JobFields): string | null {
  if (!id) return null;
  if (!isUuid(id)) throw badRequest('parent_job_id: no such job in this queue');
  return id.toLowerCase();
}

/** @throws SpooledError 400 for a URL that callbacks may not be sent to (SP-57), and for a secret without a URL */
function requireCompletionUrl(fields: JobFields, policy: CallbackPolicy, path: string): void {
  const { completion_webhook: url, completion_webhook_secret: secret } = fields;
  if (!url && secret) throw invalidField(`${path}completion_webhook_secret`, 'needs a completion_webhook');
  const reason = url ? checkCallbackUrl(url, policy) : null;
  if (reason) throw invalidField(`${path}completion_webhook`, reason);
}

/** What new jobs must comply with. */
export interface NewJobRules extends Pick<DocumentLimits, 'maxBytes' | 'limits'> {
  policy: CallbackPolicy;
}

/** A job to enqueue. */
export interface PreparedJob {
  job: NewJob;
  queueName: string;
  /** Of its fields in the body, such as `jobs[3].`. */
  path?: string;
}

/**
 * A new job with a new id; null fields take the queue's defaults.
 * @param path of its fields in the body, such as `jobs[3].`
 * @throws SpooledError 413, 400 parent, callback or completion webhook
 */
export function toNewJob(queueName: string, fields: JobFields, rules: NewJobRules, path: string): NewJob {
  const payload = documentText(`${path}payload`, fields.payload, { ...rules, byPlan: true });
  const settings = readJobSettings(fields, rules.policy, path);
  requireCompletionUrl(fields, rules.policy, path);
  return {
    id: newId(),
    queueName,
    payload,
    jobType: jobTypeOf(fields.payload.value),
    priority: fields.priority ?? 0,
    maxRetries: fields.max_retries ?? null,
    timeoutSeconds: fields.timeout_seconds ?? null,
    scheduledAt: utc(fields.scheduled_at),
    expiresAt: utc(fields.expires_at),
    idempotencyKey: fields.idempotency_key || null,
    tags: textOrNull(fields.tags),
    parentJobId: parentId(fields),
    completionWebhook: fields.completion_webhook ?? null,
    completionWebhookSecret: fields.completion_webhook_secret || null,
    ...(settings !== null && { settings: JSON.stringify(settings) }),
  };
}

/** Jobs as `POST /jobs` takes them. @throws SpooledError 413, 400 parent, callback or completion webhook */
export const newJobs = (bodies: jobSchemas.CreateJobBody[], rules: NewJobRules): PreparedJob[] =>
  bodies.map((body, i) => {
    const path = bodies.length > 1 ? `jobs[${i}].` : '';
    return { queueName: body.queue_name, path, job: toNewJob(body.queue_name, body, rules, path) };
  });

/** Jobs as `POST /jobs/bulk` takes them. @throws as `newJobs` */
export const newJobsOfBulk = (body: jobSchemas.BulkJobsBody, rules: NewJobRules): PreparedJob[] =>
  body.jobs.map((item, i) => {
    const fields = {
      ...item,
      priority: item.priority ?? body.default_priority,
      max_retries: item.max_retries ?? body.default_max_retries,
      timeout_seconds: item.timeout_seconds ?? body.default_timeout_seconds,
    };
    const path = `jobs[${i}].`;
    return { queueName: body.queue_name, path, job: toNewJob(body.queue_name, fields, rules, path) };
  });
