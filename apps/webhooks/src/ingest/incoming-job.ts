import {
  type DocumentTree,
  exactDocument,
  ingestionSchemas,
  keepExactDocuments,
  type ReadJson,
  validationError,
  type JsonText,
} from '@spooled/contracts';
import { badRequest, jobTypeOf } from '@spooled/domain';
import type { z } from 'zod';

/** The job that an incoming webhook requests. */
export interface IncomingJob {
  /** What the sender calls the event, for the log. */
  eventType: string;
  queueName: string;
  payload: JsonText;
  /** The payload, parsed. */
  value: unknown;
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

/** The value of a body, whose documents keep their numbers as they were sent (BX-13). */
function exactValue({ text, value, hasInexactNumbers }: ReadJson, documents: DocumentTree): unknown {
  if (hasInexactNumbers) keepExactDocuments(text, value, documents);
  return value;
}

/** Queue `github-<event>`, idempotency key = delivery id; the payload is GitHub's body unchanged (SP-52). */
export function fromGithub(body: ReadJson, headers: Headers): IncomingJob {
  const event = headerOf(headers, 'x-github-event');
  if (event === undefined) throw badRequest('The header X-GitHub-Event is required');
  const key = keyOf(headers, 'X-GitHub-Delivery');
  return jobOf('github', event.slice(0, maxEventTypeLength), key, wholeBody(body));
}

/** Queue `stripe-<type>`, idempotency key = event id; the payload is the event's object (SP-52). */
export function fromStripe(body: ReadJson): IncomingJob {
  const event = validated(ingestionSchemas.stripeEvent, exactValue(body, { data: { object: 'document' } }));
  return jobOf('stripe', event.type, event.id, event.data.object);
}

/** Queue `standard-<type>`, idempotency key = `webhook-id`; the payload is the body unchanged (BX-37). */
export function fromStandard(body: ReadJson, headers: Headers): IncomingJob {
  const key = keyOf(headers, 'webhook-id');
  const { type } = validated(ingestionSchemas.standardEvent, body.value);
  return jobOf('standard', type, key, wholeBody(body));
}

/** The job of a sender that chooses neither queue nor priority. */
const jobOf = (
  source: string,
  eventType: string,
  idempotencyKey: string | null,
  { text: payload, value }: { text: JsonText; value: unknown },
): IncomingJob => ({
  eventType,
  queueName: `${source}-${queueSuffix(eventType)}`,
  payload,
  value,
  jobType: jobTypeOf(value),
  priority: 0,
  idempotencyKey,
  tags: null,
});

/** @throws SpooledError 400 for one that is too long */
function keyOf(headers: Headers, name: string): string | null {
  const key = headerOf(headers, name.toLowerCase()) ?? null;
  if (key !== null && key.length > maxKeyLength) throw badRequest(`The header ${name} is too long`);
  return key;
}

/** The body as a payload. */
function wholeBody({ text, value, hasInexactNumbers }: ReadJson) {
  const document = validated(ingestionSchemas.githubEvent, hasInexactNumbers ? exactDocument(text, value) : value);
  return { text, value: document.value };
}

/** All fields as sent (SP-56). */
export function fromCustom(read: ReadJson): IncomingJob {
  const body = validated(ingestionSchemas.customWebhookBody, exactValue(read, { payload: 'document' }));
  return {
    eventType: body.event_type || 'custom',
    queueName: body.queue_name,
    payload: body.payload.text,
    value: body.payload.value,
    jobType: jobTypeOf(body.payload.value),
    priority: body.priority ?? 0,
    // An empty key is none.
    idempotencyKey: body.idempotency_key || null,
    tags: body.event_type ? JSON.stringify({ event_type: body.event_type }) : null,
  };
}

const queueSuffix = (event: string): string => event.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, maxEventNameLength);

function validated<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw validationError(result.error.issues, input);
}
