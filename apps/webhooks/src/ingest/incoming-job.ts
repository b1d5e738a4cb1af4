import { ingestionSchemas, jsonTextOf, parseJsonText, validationError, type JsonText } from '@spooled/contracts';
import { badRequest } from '@spooled/domain';
import type { z } from 'zod';

/** The job that an incoming webhook requests. */
export interface IncomingJob {
  /** What the sender calls the event, for the log. */
  eventType: string;
  queueName: string;
  payload: JsonText;
  jobType: string;
  priority: number;
  idempotencyKey: string | null;
  tags: JsonText | null;
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

const maxEventNameLength = 64;
/** Of a header; bodies have the same bound. */
const maxEventTypeLength = 255;
const maxKeyLength = 255;

/** A header that may occur once. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A body as it came, and what it says. */
export interface ReadBody {
  text: string;
  value: unknown;
}

/** Of a short body. @throws SpooledError 400 INVALID_JSON */
export function readBody(rawBody: Buffer): ReadBody {
  const text = jsonTextOf(rawBody);
  return { text, value: parseJsonText(text) };
}

/** Queue `github-<event>`, idempotency key = delivery id; the payload is GitHub's body unchanged (SP-52). */
export function fromGithub({ text, value }: ReadBody, headers: Headers): IncomingJob {
  const event = headerOf(headers, 'x-github-event');
  if (event === undefined) throw badRequest('The header X-GitHub-Event is required');
  const key = headerOf(headers, 'x-github-delivery') ?? null;
  if (key !== null && key.length > maxKeyLength) throw badRequest('The header X-GitHub-Delivery is too long');
  const payload = validated(ingestionSchemas.githubEvent, value);
  return {
    ...defaults,
    eventType: event.slice(0, maxEventTypeLength),
    queueName: `github-${queueSuffix(event)}`,
    payload: text,
    jobType: jobTypeOf(payload),
    idempotencyKey: key,
  };
}

/** Queue `stripe-<type>`, idempotency key = event id; the payload is the event's object (SP-52). */
export function fromStripe({ value }: ReadBody): IncomingJob {
  const event = validated(ingestionSchemas.stripeEvent, value);
  const payload = event.data.object;
  return {
    ...defaults,
    eventType: event.type,
    queueName: `stripe-${queueSuffix(event.type)}`,
    payload: JSON.stringify(payload),
    jobType: jobTypeOf(payload),
    idempotencyKey: event.id,
  };
}

/** All fields as sent (SP-56). */
export function fromCustom({ value }: ReadBody): IncomingJob {
  const body = validated(ingestionSchemas.customWebhookBody, value);
  return {
    eventType: body.event_type || 'custom',
    queueName: body.queue_name,
    payload: JSON.stringify(body.payload),
    jobType: jobTypeOf(body.payload),
    priority: body.priority ?? 0,
    // An empty key is none.
    idempotencyKey: body.idempotency_key || null,
    tags: body.event_type ? JSON.stringify({ event_type: body.event_type }) : null,
  };
}

const defaults = { priority: 0, tags: null };

const queueSuffix = (event: string): string => event.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, maxEventNameLength);

function jobTypeOf(payload: unknown): string {
  const type = typeof payload === 'object' && payload !== null && 'job_type' in payload ? payload.job_type : '';
  return typeof type === 'string' ? type : '';
}

function validated<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw validationError(result.error.issues, input);
}
