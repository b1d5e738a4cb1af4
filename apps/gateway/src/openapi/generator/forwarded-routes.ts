import type { OpenAPIObject } from '@nestjs/swagger';
import { ingestionSchemas, type LiveStream, requestLimits, streamPermissions } from '@spooled/contracts';
import { rolesThatMay } from '@spooled/domain';
import type { failures } from './complete-operation.js';
import { convertSchema } from './json-schema.js';

type Failures = Partial<Record<string, keyof typeof failures>>;

const responses = (successes: Record<string, object>, errors: Failures) => ({
  ...successes,
  ...Object.fromEntries(
    Object.entries({ ...errors, default: 'Failure' }).map(([status, name]) => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]),
  ),
});
/** Node rejects requests with larger headers. */
const maxHeaderBytes = 16_384;
const parameter = (place: 'path' | 'header', name: string, required: boolean, description = '') => ({
  name,
  in: place,
  required,
  description,
  schema: { type: 'string', maxLength: place === 'path' ? requestLimits.pathParameterLength : maxHeaderBytes },
});
const json = (schema: object) => ({ 'application/json': { schema } });

const streamFailures: Failures = { 401: 'Unauthorized', 403: 'Forbidden', 429: 'TooManyRequests', 503: 'Unavailable' };

const operationIds: Record<LiveStream, string> = {
  websocket: 'Realtime_ws',
  events: 'Realtime_events',
  job: 'Realtime_job',
  queue: 'Realtime_queue',
};

/** Browsers cannot set headers of event streams and WebSockets, so the credential may also be in the query. */
const stream = (kind: LiveStream, description: string, names: string[], successes: Record<string, object>) => ({
  get: {
    operationId: operationIds[kind],
    description,
    tags: ['realtime'],
    'x-forwarded': true,
    'x-roles': rolesThatMay[streamPermissions[kind]],
    security: [{ bearer: [] }, { queryToken: [] }, { queryKey: [] }],
    parameters: names.map((name) => parameter('path', name, true)),
    responses: responses(successes, { ...streamFailures, ...(names.length > 0 && { 404: 'NotFound' }) }),
  },
});
const events = { 200: { description: 'Live events', content: { 'text/event-stream': {} } } };

/** Authenticated by the sender's signature or by the organization's webhook token. */
const ingestion = (source: string, header: string, body: object, success: object) => ({
  post: {
    operationId: `Ingestion_${source}`,
    tags: ['ingestion'],
    'x-forwarded': true,
    security: [],
    parameters: [
      parameter('path', 'organizationId', true),
      parameter('header', header, true, 'Signature of the sender'),
    ],
    requestBody: { required: true, content: json(body) },
    responses: responses(
      { 200: success },
      { 400: 'BadRequest', 401: 'Unauthorized', 404: 'NotFound', 422: 'Malformed', 429: 'TooManyRequests' },
    ),
  },
});
const schemaOf = (schema: unknown, schemaType: 'input' | 'output') =>
  convertSchema(schema, { schemaType })?.schema ?? {};

/** The routes that are forwarded to other services: event streams and inbound webhooks. */
export function forwardedPaths(): OpenAPIObject['paths'] {
  const { customWebhookBody, customWebhookResult, githubEvent, standardEvent, stripeEvent } = ingestionSchemas;
  const created = { description: '', content: json(schemaOf(customWebhookResult, 'output')) };
  const accepted = { description: 'Accepted; no body' };
  const at = (source: string) => `/api/v1/webhooks/{organizationId}/${source}`;
  return {
    '/api/v1/ws': stream('websocket', 'WebSocket of live events; accepts commands', [], {
      101: { description: 'Upgraded to a WebSocket' },
    }),
    '/api/v1/events': stream('events', 'Live events of the organization', [], events),
    '/api/v1/events/jobs/{id}': stream('job', 'Status changes of a job until it ends', ['id'], events),
    '/api/v1/events/queues/{name}': stream('queue', 'Live statistics of a queue', ['name'], events),
    [at('custom')]: ingestion('custom', 'X-Webhook-Token', schemaOf(customWebhookBody, 'input'), created),
    [at('github')]: ingestion('github', 'X-Hub-Signature-256', schemaOf(githubEvent, 'input'), accepted),
    [at('stripe')]: ingestion('stripe', 'Stripe-Signature', schemaOf(stripeEvent, 'input'), accepted),
    [at('standard')]: ingestion('standard', 'Webhook-Signature', schemaOf(standardEvent, 'input'), accepted),
  } as unknown as OpenAPIObject['paths'];
}
