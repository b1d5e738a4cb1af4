import { ValidationError } from '../http/errors.js';
import type { NewJob } from '../resources/jobs.js';
import type { Connection } from './connection.js';
import { milliseconds } from './duration.js';
import type { JobDeclaration, NewJobOptions } from './job.js';
import { requireKnown, requireWhole } from './known-options.js';
import { asReceived, parsed } from './schema.js';

const optionNames: Record<keyof NewJobOptions, true> = { delay: true, key: true, priority: true, tags: true };

/** A job as the API takes it. @throws ValidationError for its payload, TypeError naming a wrong option */
export async function newJob(
  declaration: JobDeclaration,
  given: unknown,
  options: NewJobOptions,
  connection: Pick<Connection, 'now'>,
): Promise<NewJob> {
  requireKnown(options, optionNames);
  const { delay, key, priority, tags } = options;
  // NaN would be sent as null, which counts as absent.
  if (priority !== undefined) requireWhole(priority, 'priority', -100);
  // The API takes no job without a payload.
  const payload = given === undefined ? {} : given;
  const sent = payloadOf(declaration, payload);
  await parsed(declaration.settings.payload, asReceived(payload, 'payload'), 'payload');
  return {
    queueName: declaration.settings.queue,
    payload: sent,
    ...declaration.settings.members,
    ...(priority === undefined ? {} : { priority }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(tags === undefined ? {} : { tags }),
    ...(delay === undefined ? {} : { scheduledAt: instantAfter(connection.now(), milliseconds(delay, 'delay')) }),
  };
}

/** The payload as it is sent: in a shared queue with the name of the job. @throws ValidationError for one that cannot have it */
export function payloadOf({ name, settings: { queue } }: JobDeclaration, payload: unknown): unknown {
  if (queue === name) return payload;
  const problem = !isPlainObject(payload)
    ? 'must be an object, because its job shares a queue'
    : 'job_type' in payload
      ? 'must not have a member job_type, because its job shares a queue'
      : null;
  if (problem === null) return { job_type: name, ...(payload as object) };
  throw new ValidationError(`payload: ${problem}`, 400, 'VALIDATION_ERROR', { payload: problem });
}

/** The payload as its producer gave it. */
export function withoutType({ name, settings: { queue } }: JobDeclaration, payload: unknown): unknown {
  if (queue === name || !isPlainObject(payload)) return payload;
  const { job_type: _, ...given } = payload as Record<string, unknown>;
  return given;
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value);

const instantAfter = (now: number, ms: number): string => new Date(now + ms).toISOString();
