import { z } from 'zod';

/** Any JSON but null or nothing; both of these count as missing (422). */
export const requiredJson = z
  .unknown()
  .check(({ value, issues }) => {
    if (value === undefined || value === null) {
      issues.push({ code: 'invalid_type', expected: 'nonoptional', input: value, message: 'is required' });
    }
  })
  .meta({ description: 'Any JSON document' });

/** Any JSON; null and absent mean "none". */
export const optionalJson = z.unknown().optional().meta({ description: 'Any JSON document or null' });

const maxSmallDocumentBytes = 65_536;

/** JSON kept as jsonb beside a record (tags, settings, metadata): at most 64 KB, and without U+0000, which jsonb cannot hold. */
const fitsJsonb: z.core.CheckFn<unknown> = ({ value, issues }) => {
  const text = JSON.stringify(value) ?? '';
  if (Buffer.byteLength(text) > maxSmallDocumentBytes) {
    issues.push({ code: 'custom', input: value, message: 'must not exceed 64 KB' });
  }
  // JSON.stringify writes half a surrogate pair as an escape; jsonb refuses it like U+0000.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/.test(text)) {
    issues.push({ code: 'custom', input: value, message: 'must not contain U+0000 or half a surrogate pair' });
  }
};

export const smallJson = z.unknown().check(fitsJsonb).optional().meta({ description: 'Any JSON up to 64 KB' });
export const smallJsonObject = z.record(z.string(), z.unknown()).check(fitsJsonb);

/** A queue's name: Unicode letters and digits, `-`, `_`, `.`; not led by `.` or `-`. */
export const queueNameUpTo = (longest: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(longest, `must be at most ${longest} characters`)
    .regex(
      /^(?![.-])[\p{L}\p{N}_.-]*$/u,
      'may hold letters, digits, "-", "_" and "." and must not start with "." or "-"',
    );

/** Where jobs are created and claimed. */
export const queueName = queueNameUpTo(100);

/** RFC 3339 with any offset, in the years that PostgreSQL and ISO 8601 both write alike. */
export const instant = z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time' }).refine((text) => {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
}, 'must be between the years 1 and 9999');

/** Free text without U+0000 and without half a surrogate pair: PostgreSQL can hold neither. */
export const text = (min: number, max: number) =>
  z
    .string()
    .min(min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    .max(max, `must be at most ${max} characters`)
    .refine((value) => !/[\0\p{Surrogate}]/u.test(value), 'must not contain U+0000 or half a surrogate pair');

export const whole = (min: number, max: number) =>
  z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`);

export const priority = whole(-100, 100);
export const maxRetries = whole(0, 100);
export const timeoutSeconds = whole(1, 86_400);

/** Shapes of answers. */
export const timestamp = z.iso.datetime();
export const nullableTimestamp = timestamp.nullable();
