import { hasAtMost, isObject, longestNewQueueName, longestQueueName, queueNamePattern } from '@spooled/domain';
import { z } from 'zod';
import { JsonDocument } from '../json-document.js';
import { requestLimits } from '../limits.js';

/** JSON Schema has no word for the size of a document; this is what the API description says in place of it. */
const maxBytes = 'x-max-bytes';

/** A text of at most `longest` code points. It is refused by its length before anything reads it whole. */
export const atMost = (longest: number) => {
  const error = `must be at most ${longest} characters`;
  return z
    .string()
    .max(2 * longest, { error, abort: true })
    .refine((value) => hasAtMost(value, longest), { error, abort: true })
    .meta({ maxLength: longest });
};

/** The URL of a receiver in a response. */
export const shownReceiver = <T extends z.ZodType>(schema: T): T =>
  schema.meta({ description: 'Only its host for roles that may not change it' });

/** The id of a record; longer than any real one, because an unknown id is a 404, not a 400. */
export const anyId = atMost(255);

/** A value from a body or a message. The reader of bodies has made a document of it if its numbers need their digits. */
const toDocument = (value: unknown): JsonDocument => (value instanceof JsonDocument ? value : new JsonDocument(value));

const plainValue = (value: unknown): unknown => (value instanceof JsonDocument ? value.value : value);

function refuseProblem({ value, issues }: z.core.ParsePayload): void {
  if (value instanceof JsonDocument && value.problem !== null) {
    issues.push({ code: 'custom', input: value.value, message: value.problem });
  }
}

/** Any JSON but null or nothing; both of these count as missing (422). */
export const requiredJson = z
  .unknown()
  .check(({ value, issues }) => {
    if (value === undefined || value === null) {
      issues.push({ code: 'invalid_type', expected: 'nonoptional', input: value, message: 'is required' });
    }
  }, refuseProblem)
  .transform(toDocument)
  .meta({ description: 'Any JSON document', [maxBytes]: requestLimits.bodyBytes });

/** Null and absent mean none. */
const toOptionalDocument = (value: unknown): JsonDocument | null | undefined =>
  value === undefined || value === null ? value : toDocument(value);

/** Any JSON; null and absent mean none. */
export const optionalJson = z
  .unknown()
  .check(refuseProblem)
  .transform(toOptionalDocument)
  .optional()
  .meta({ description: 'Any JSON document or null', [maxBytes]: requestLimits.bodyBytes });

/** As `optionalJson`, with a bound of its own. */
export const optionalJsonUpTo = (bytes: number) =>
  z
    .unknown()
    .check(refuseProblem, ({ value, issues }) => {
      const document = toOptionalDocument(value);
      if (document && Buffer.byteLength(document.text ?? '') > bytes) {
        issues.push({ code: 'custom', input: document.value, message: `must be at most ${bytes} bytes` });
      }
    })
    .transform(toOptionalDocument)
    .optional()
    .meta({ description: 'Any JSON document or null', [maxBytes]: bytes });

const maxSmallDocumentBytes = 65_536;

/** JSON kept as jsonb beside a record (tags, settings, metadata): at most 64 KB, and without U+0000, which jsonb cannot hold. */
const fitsJsonb = ({ value, issues }: z.core.ParsePayload): void => {
  const document = toDocument(value);
  const text = document.text ?? '';
  if (Buffer.byteLength(text) + document.expansion > maxSmallDocumentBytes) {
    issues.push({ code: 'custom', input: document.value, message: 'must not exceed 64 KB' });
    return;
  }
  // JSON.stringify writes half a surrogate pair as an escape; jsonb refuses it like U+0000.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/.test(document.rounded ?? '')) {
    issues.push({ code: 'custom', input: document.value, message: 'must not contain U+0000 or half a surrogate pair' });
  }
};

export const smallJson = z
  .unknown()
  .check(refuseProblem, fitsJsonb)
  .transform(toOptionalDocument)
  .optional()
  .meta({ description: 'Any JSON up to 64 KB', [maxBytes]: maxSmallDocumentBytes });

function hasMoreMembers(object: object, most: number): boolean {
  let count = 0;
  for (const _ in object) if (++count > most) return true;
  return false;
}

const { smallObjectMembers } = requestLimits;

/** A document that is an object. */
export interface JsonObject extends JsonDocument {
  readonly value: Record<string, unknown>;
}

/** Not `z.record`, which looks at every member and copies it: 400,000 of them took 1.6 s. */
export const smallJsonObject = z
  .custom<unknown>()
  .check(refuseProblem, (context) => {
    const { issues } = context;
    const value = plainValue(context.value);
    if (!isObject(value)) {
      issues.push({ code: 'invalid_type', expected: 'object', input: value, message: 'must be an object' });
    } else if (hasMoreMembers(value, smallObjectMembers)) {
      const message = `must have at most ${smallObjectMembers} members`;
      issues.push({ code: 'custom', input: value, message });
    } else fitsJsonb(context);
  })
  .transform((value) => toDocument(value) as JsonObject)
  .meta({
    type: 'object',
    additionalProperties: {},
    maxProperties: smallObjectMembers,
    [maxBytes]: maxSmallDocumentBytes,
  });

const queueNameUpTo = (longest: number) =>
  atMost(longest)
    .min(1, 'must not be empty')
    .regex(queueNamePattern, 'may hold letters, digits, "-", "_" and "." and must not start with "." or "-"');

/** Where jobs, schedules and workflows are created. */
export const newQueueName = queueNameUpTo(longestNewQueueName);

/** Where queues are named that may exist: to claim from them, to serve, to watch and to configure them. */
export const queueName = queueNameUpTo(longestQueueName);

/** RFC 3339, in the years that PostgreSQL and ISO 8601 both write alike, with an offset that PostgreSQL reads: less than 16 hours. */
export const instant = atMost(64)
  .datetime({ offset: true, error: 'must be an RFC 3339 time' })
  .refine((text) => /(Z|[+-](0\d|1[0-5]):\d\d)$/.test(text), 'must have an offset of less than 16 hours')
  .refine((text) => {
    const year = new Date(text).getUTCFullYear();
    return year >= 1 && year <= 9999;
  }, 'must be between the years 1 and 9999');

/** Text without U+0000 and without half a surrogate pair: PostgreSQL can hold neither, and refuses them also in a comparison. */
export const storable = (max: number) =>
  atMost(max).refine((value) => !/[\0\p{Surrogate}]/u.test(value), 'must not contain U+0000 or half a surrogate pair');

/** Free text. */
export const text = (min: number, max: number) =>
  storable(max)
    .min(min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    .refine((value) => min < 2 || !hasAtMost(value, min - 1), `must have at least ${min} characters`);

export const whole = (min: number, max: number) =>
  z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`);

export const priority = whole(-100, 100);
export const maxRetries = whole(0, 100);
export const timeoutSeconds = whole(1, 86_400);

/** Shapes of answers. */
export const count = z.int().min(0);
export const timestamp = z.iso.datetime();
export const nullableTimestamp = timestamp.nullable();
/** Of a job. */
export const jobTimes = {
  created_at: timestamp,
  scheduled_at: nullableTimestamp,
  started_at: nullableTimestamp,
  completed_at: nullableTimestamp,
};
