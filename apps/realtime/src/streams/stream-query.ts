import { accessDenied, hasAtMost, invalidField, longestQueueName, queueWildcardPattern } from '@spooled/domain';
import type { LiveStream, QueueScope } from '@spooled/contracts';
import { EventFilter, isNothing, queueInScope, readEventNames } from './event-filter.js';

const maxIdLength = 255;
const maxListLength = 2048;
const maxGatherMs = 1_000;

/** The query of a request target; never throws. */
export function queryOf(target = ''): URLSearchParams {
  const mark = target.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
}

const credentials = ['token', 'api_key'];
const filters = ['queue', 'job_id', 'worker_id', 'events'];
/** Of server-sent events. */
const ways = ['format', 'gather_ms'];

/** The parameters of each kind of stream. */
const parameters: Record<LiveStream, readonly string[]> = {
  websocket: [...credentials, ...filters],
  events: [...credentials, ...filters, ...ways],
  job: [...credentials, ...ways],
  queue: [...credentials, ...ways],
};

/**
 * Refuses parameters that would have no effect: `queue_name=mails` instead of `queue=mails` would send the events of all queues.
 * @throws SpooledError 400
 */
export function requireKnownQuery(query: URLSearchParams, stream: LiveStream): void {
  for (const name of query.keys()) {
    if (!parameters[stream].includes(name)) throw invalidField(name, 'is unknown here');
    if (query.getAll(name).length > 1) throw invalidField(name, 'may be given once');
  }
}

/**
 * The initial filter of a stream, from `queue`, `job_id`, `worker_id` and `events`. Empty values count as absent, and
 * the queue `*` means any.
 * @throws SpooledError 400 for a malformed queue name, a value that is too long, or events of which none exists, 403 for a queue
 * outside the key's scope
 */
export function readFilter(query: URLSearchParams, queues: QueueScope): EventFilter {
  const names = readEventNames(readShort(query, 'events', maxListLength)?.split(',') ?? []);
  if (isNothing(names)) throw invalidField('events', 'must name an event that exists, such as job.created');
  const filter = new EventFilter(names);
  const queueName = readQueue(query.get('queue'), queues);
  const jobId = readShort(query, 'job_id')?.toLowerCase() || null;
  const workerId = readShort(query, 'worker_id') || null;
  if (queueName !== null || jobId !== null || workerId !== null) {
    filter.add({ queueName, jobId, workerId, events: null });
  }
  return filter;
}

/** How long the events of a stream are gathered before they are sent together; absent or empty: not. @throws SpooledError 400 */
export function readGatherMs(query: URLSearchParams): number {
  const text = query.get('gather_ms') || '0';
  if (!/^\d{1,4}$/.test(text) || Number(text) > maxGatherMs) {
    throw invalidField('gather_ms', `must be 0 to ${maxGatherMs}`);
  }
  return Number(text);
}

/** @throws SpooledError 400 */
function readShort(query: URLSearchParams, name: string, maxLength = maxIdLength): string | null {
  const text = query.get(name);
  if (text !== null && text.length > maxLength) throw invalidField(name, `must be at most ${maxLength} characters`);
  return text;
}

function readQueue(text: string | null, queues: QueueScope): string | null {
  if (!text || text === '*') return null;
  if (!hasAtMost(text, longestQueueName) || !queueWildcardPattern.test(text)) {
    throw invalidField('queue', `must be 1 to ${longestQueueName} letters, digits or - _ . *`);
  }
  if (!queueInScope(text, queues)) throw accessDenied(`This API key has no access to queue "${text}"`);
  return text;
}
