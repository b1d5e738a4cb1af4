import type { StandardSchemaV1 } from '@standard-schema/spec';
import { Job } from './job.js';
import { type JobOptions, settingsOf } from './job-settings.js';
import type { Schema } from './schema.js';

/** Options of a job without schemas. */
type Unchecked = Omit<JobOptions<never, never>, 'payload' | 'result'>;

/**
 * Defines a kind of job. Types of payloads and results follow from the schemas, or from the handler.
 * @param name of the job, and of its queue unless `queue` says another
 * @throws TypeError naming the option that is wrong
 */
export function defineJob<
  PayloadSchema extends StandardSchemaV1 = Schema<unknown>,
  ResultSchema extends StandardSchemaV1 = Schema<unknown>,
>(
  name: string,
  options?: JobOptions<PayloadSchema, ResultSchema>,
): Job<
  StandardSchemaV1.InferInput<PayloadSchema>,
  StandardSchemaV1.InferOutput<PayloadSchema>,
  StandardSchemaV1.InferInput<ResultSchema>,
  StandardSchemaV1.InferOutput<ResultSchema>
>;
/** Defines a kind of job whose payloads nobody checks. */
export function defineJob<Payload, Result = unknown>(
  name: string,
  options?: Unchecked,
): Job<Payload, Payload, Result, Result>;
export function defineJob(
  name: string,
  options: JobOptions<Schema, Schema> = {},
): Job<unknown, unknown, unknown, unknown> {
  if (typeof name !== 'string' || name === '') throw new TypeError('name: must be a text');
  return new Job({ name, settings: settingsOf(name, options), schedules: [] });
}
