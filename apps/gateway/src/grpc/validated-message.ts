import { SpooledError } from '@spooled/domain';
import type { z } from 'zod';

/** What SDKs' own tests look for in the text of a refusal. */
const labels: Record<string, string> = {
  queue_name: 'Queue name',
  worker_id: 'Worker ID',
  lease_id: 'Lease ID',
  hostname: 'Hostname',
};

/**
 * Checks a request by the schema of the REST door, whose field names it carries.
 * @throws SpooledError 400 that names the first field at fault
 */
export function validatedMessage<S extends z.ZodType>(schema: S, message: z.input<S>): z.infer<S> {
  const result = schema.safeParse(message);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const field = String(issue.path[0] ?? 'message');
  const label = labels[field] ?? field;
  const reason =
    field === 'queue_name' && issue.code === 'invalid_format'
      ? 'must be alphanumeric; "-", "_" and "." are allowed behind the first character'
      : issue.message;
  throw new SpooledError('VALIDATION_ERROR', `${label} ${reason}`, { details: { [field]: reason } });
}

/** Clients cannot tell "unset" from zero: 0 and less mean the default, the rest is brought into the bounds. */
export const clamped = (value: number, { min, max, unset }: { min: number; max: number; unset: number }): number =>
  value <= 0 ? unset : Math.min(Math.max(value, min), max);

/** gRPC's lease in seconds; REST has another default. */
export const leaseSeconds = (asked: number): number => clamped(asked, { min: 5, max: 3600, unset: 300 });
