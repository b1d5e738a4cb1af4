import { createHash } from 'node:crypto';
import type { Body } from '@spooled/sdk';
import { UsageError } from '../errors.js';
import { jsonOf } from '../io/input.js';
import type { Line } from './lines.js';

export type BulkJob = Body<'POST /api/v1/jobs/bulk'>['jobs'][number];

export interface NumberedJob {
  line: number;
  job: BulkJob;
  bytes: number;
}

/** The members of a job in a bulk request under their names in the API; one that is missing here does not compile. */
const members: Record<keyof BulkJob, string> = {
  payload: 'payload',
  priority: 'priority',
  maxRetries: 'max_retries',
  timeoutSeconds: 'timeout_seconds',
  scheduledAt: 'scheduled_at',
  expiresAt: 'expires_at',
  idempotencyKey: 'idempotency_key',
  tags: 'tags',
  parentJobId: 'parent_job_id',
  completionWebhook: 'completion_webhook',
  completionWebhookSecret: 'completion_webhook_secret',
  callbackUrl: 'callback_url',
  callbackHeaders: 'callback_headers',
  callbackSecret: 'callback_secret',
  callbackTimeoutSeconds: 'callback_timeout_seconds',
  backoff: 'backoff',
};
const byWireName = new Map(Object.entries(members).map(([name, wire]) => [wire, name]));

/** What all lines of a run have in common. */
export interface Run {
  name: string;
  /** The queue, or the batch and the queue. */
  place: string;
  /** A line is the payload, not a job. */
  payloadOnly: boolean;
}

/**
 * The job of a line, with an idempotency key: its own, or one of the run, the line's number and its text. The same line of the same
 * run is created once, however often it is sent. Keys hold for all queues, so the place is a part of the run.
 * @throws UsageError that names the line and the member
 */
export function jobOfLine({ number, text }: Line, { name, place, payloadOnly }: Run): NumberedJob {
  const value = jsonOf(`Line ${number}`, text);
  const job = payloadOnly ? { payload: value } : ofLine(number, value);
  const hash = createHash('sha256')
    .update(JSON.stringify([place, payloadOnly]))
    .update(text);
  job.idempotencyKey ??= `bulk:${name}:${number}:${hash.digest('base64url').slice(0, 16)}`;
  return { line: number, job, bytes: Buffer.byteLength(text) };
}

function ofLine(number: number, value: unknown): BulkJob {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`Line ${number} is no job, an object with "payload"; --payload-only takes payloads`);
  if (!('payload' in value)) throw new UsageError(`Line ${number} has no "payload"; --payload-only takes payloads`);
  return jobOfMembers(`Line ${number}`, value) as BulkJob;
}

/** The server ignores names that no job has; here one is more likely misspelt. @throws UsageError that names the member */
export function jobOfMembers(place: string, value: object, others: Record<string, string> = {}): object {
  const pairs = Object.entries(value).map(([wire, member]) => {
    const name = others[wire] ?? byWireName.get(wire);
    if (!name) throw new UsageError(`${place} has the unknown member "${wire}"`);
    return [name, member];
  });
  return Object.fromEntries(pairs) as object;
}
