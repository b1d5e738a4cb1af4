import { liveCommands } from '@spooled/contracts';
import { readEventNames, type Subscription } from '../streams/event-filter.js';

/** A command of a client. `requestId` is set when the client waits for a reply. */
export type ClientCommand =
  | { kind: 'ping' }
  | { kind: 'subscribe' | 'unsubscribe'; subscription: Subscription; requestId: string | null }
  | { kind: 'malformed'; requestId: string };

const current = liveCommands.cmd.transform(({ cmd, queue, job_id }) => ({
  verb: cmd,
  requestId: null,
  subscription: subscriptionOf({ queue_name: queue, job_id }),
}));

const older = liveCommands.type.transform(({ type, request_id, filter }) => ({
  verb: type,
  requestId: request_id,
  subscription: subscriptionOf(filter ?? {}),
}));

const subscriptionOf = (filter: {
  queue_name?: string | null;
  job_id?: string | null;
  worker_id?: string | null;
  events?: string[] | null;
}): Subscription => ({
  // The queue `*` means any queue, as in the query.
  queueName: filter.queue_name === '*' ? null : (filter.queue_name ?? null),
  jobId: filter.job_id?.toLowerCase() ?? null,
  workerId: filter.worker_id ?? null,
  events: readEventNames(filter.events ?? []),
});

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
