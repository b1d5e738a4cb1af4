import type { jobSchemas, JsonText, NewJob } from '@spooled/contracts';
import {
  badRequest,
  checkCallbackUrl,
  invalidField,
  isUuid,
  jobTypeOf,
  payloadTooLarge,
  type PlanLimits,
  upgradeTo,
} from '@spooled/domain';
import { newId } from '@spooled/platform';

export interface DocumentLimits {
  /** The server's own cap in bytes. */
  maxBytes: number;
  limits: PlanLimits;
  /** Whether the plan's cap holds too: for payloads, not for results. */
  byPlan: boolean;
}

/**
 * A caller's document as the text that is stored.
 * @throws SpooledError 413 when its JSON is larger than the server or the plan allows; 400 for text that is not Unicode
 */
export function documentText(field: string, value: unknown, { maxBytes, limits, byPlan }: DocumentLimits): JsonText {
  const text = JSON.stringify(value);
  const planDecides = byPlan && limits.max_payload_size_bytes < maxBytes;
  const limit = planDecides ? limits.max_payload_size_bytes : maxBytes;
  // A text has at most three bytes for each of its UTF-16 units: most need no count.
  const bytes = text.length * 3 > limit ? Buffer.byteLength(text) : text.length;
  if (bytes > limit) {
    throw payloadTooLarge(field, bytes, limit, limits.tier, planDecides ? upgradeTo(limits.tier) : null);
  }
  if (hasHalfPair(text)) throw invalidField(field, 'must not contain half a surrogate pair');
  return text;
}

/** JSON.stringify writes the half of a surrogate pair as an escape, and nothing else beyond U+001F so. PostgreSQL refuses it. */
const hasHalfPair = (json: string): boolean => json.includes('\\ud') && /(?<!\\)(?:\\\\)*\\ud/.test(json);

/** The same moment in UTC with milliseconds, as every later reader can parse it. */
export const utc = (instant: string | null | undefined): string | null =>
  instant ? new Date(instant).toISOString() : null;

/** What `fillJob` takes from a job that is created alone or as one of many. */
export type JobFields = jobSchemas.BulkJobItem;

/** One new job with an id of its own; unset fields are left to the queue's defaults. */
export const fillJob = (queueName: string, fields: JobFields, payload: JsonText): NewJob => ({
  id: newId(),
  queueName,
  payload,
  jobType: jobTypeOf(fields.payload),
  priority: fields.priority ?? 0,
  maxRetries: fields.max_retries ?? null,
  timeoutSeconds: fields.timeout_seconds ?? null,
  scheduledAt: utc(fields.scheduled_at),
  expiresAt: utc(fields.expires_at),
  idempotencyKey: fields.idempotency_key || null,
  tags: fields.tags === undefined || fields.tags === null ? null : JSON.stringify(fields.tags),
  parentJobId: null,
  completionWebhook: null,
  completionWebhookSecret: null,
});

/** @throws SpooledError 400 for what cannot be a job's id */
export function parentId(id: string | null | undefined): string | null {
  if (!id) return null;
  if (!isUuid(id)) throw badRequest('parent_job_id: no such job in this queue');
  return id.toLowerCase();
}

/** @throws SpooledError 400 for a URL that we would not call (SP-57) */
export function completionUrl(url: string | null | undefined, production: boolean): string | null {
  if (!url) return null;
  const reason = checkCallbackUrl(url, { production });
  if (reason) throw invalidField('completion_webhook', reason);
  return url;
}
