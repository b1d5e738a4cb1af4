import { SpooledError } from '@spooled/domain';
import type { z } from 'zod';

/** Names of fields in error messages, as tests of published SDKs expect them. */
const labels: Record<string, string> = {
  queue_name: 'Queue name',
  worker_id: 'Worker ID',
  lease_id: 'Lease ID',
  hostname: 'Hostname',
};

/**
 * Validates a request by the schema of the REST API, which has the same field names.
 * @throws SpooledError 400 that names the first invalid field
 */
export function validatedMessage<S extends z.ZodType>(schema: S, message: z.input<S>): z.infer<S> {
  const result = schema.safeParse(message);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const field = issue.path.length === 0 ? 'message' : pathOf(issue.path);
  const label = labels[field] ?? field;
  const reason =
    field === 'queue_name' && issue.code === 'invalid_format'
      ? 'must be alphanumeric; "-", "_" and "." are allowed after the first character'
      : issue.message;
  throw new SpooledError('VALIDATION_ERROR', `${label} ${reason}`, { details: { [field]: reason } });
}

/** As `jobs[3].priority`. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) => text + (typeof key === 'number' ? `[${key}]` : `${text === '' ? '' : '.'}${String(key)}`),
    '',
  );

/** On the wire zero and unset are the same: 0 and less mean the default, other values are brought into the bounds. */
export const clamped = (value: number, { min, max, unset }: { min: number; max: number; unset: number }): number =>
  value <= 0 ? unset : Math.min(Math.max(value, min), max);

/** Duration of a lease in seconds; the default differs from that of REST. */
export const leaseSeconds = (asked: number): number => clamped(asked, { min: 5, max: 3600, unset: 300 });
