import { z } from 'zod';
import { readEventNames, type Subscription } from '../streams/event-filter.js';

/** A command of a client. `requestId` is set when the client waits for a reply. */
export type ClientCommand =
  | { kind: 'ping' }
  | { kind: 'subscribe' | 'unsubscribe'; subscription: Subscription; requestId: string | null }
  | { kind: 'malformed'; requestId: string };

const verbs = z
  .string()
  .max(20)
  .toLowerCase()
  .pipe(z.enum(['subscribe', 'unsubscribe', 'ping']));
// The Go client sends empty strings for absent fields.
const field = z
  .string()
  .max(200)
  .nullish()
  .transform((text) => text || null);

/** `{"cmd":"Subscribe","queue":…,"job_id":…}`; the SDKs differ in the case of the verb. Has no reply. */
const current = z
  .object({ cmd: verbs, queue: field, job_id: field })
  .transform(({ cmd, queue, job_id }) => ({ verb: cmd, requestId: null, ...subscriptionOf(queue, job_id) }));

/** `{"type":"subscribe","request_id":…,"filter":{…}}` of the Go client up to 1.0.10, which waits for a reply. */
const older = z
  .object({
    type: verbs,
    request_id: field,
    filter: z
      .object({
        queue_name: field,
        job_id: field,
        worker_id: field,
        events: z.array(z.string().max(100)).max(50).nullish(),
      })
      .nullish(),
  })
  .transform(({ type, request_id, filter }) => ({
    verb: type,
    requestId: request_id,
    ...subscriptionOf(
      filter?.queue_name ?? null,
      filter?.job_id ?? null,
      filter?.worker_id ?? null,
      filter?.events ?? [],
    ),
  }));

function subscriptionOf(
  queueName: string | null,
  jobId: string | null,
  workerId: string | null = null,
  events: string[] = [],
) {
  // The queue `*` means any queue, as in the query.
  const queue = queueName === '*' ? null : queueName;
  const subscription: Subscription = {
    queueName: queue,
    jobId: jobId?.toLowerCase() ?? null,
    workerId,
    events: readEventNames(events),
  };
  return { subscription };
}

/** @internal All schemas, for the spec that checks their bounds. */
export const commandSchemas = [current, older];

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Parses both formats; null for anything else, which is ignored for compatibility with newer clients. */
export function readCommand(text: string): ClientCommand | null {
  const message = parse(text);
  if (typeof message !== 'object' || message === null) return null;
  const read = ('cmd' in message ? current : older).safeParse(message);
  if (!read.success) return malformed(message);
  const { verb, ...rest } = read.data;
  return verb === 'ping' ? { kind: 'ping' } : { kind: verb, ...rest };
}

/** Malformed commands get a reply only if the client waits for one. */
function malformed(message: object): ClientCommand | null {
  const { type, request_id: requestId } = message as Record<string, unknown>;
  const waits = /^(un)?subscribe$/i.test(String(type)) && typeof requestId === 'string' && requestId !== '';
  return waits && !('cmd' in message) ? { kind: 'malformed', requestId } : null;
}
