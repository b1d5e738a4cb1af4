import { accessDenied, invalidField } from '@spooled/domain';
import type { QueueScope } from '@spooled/contracts';
import { EventFilter, queueInScope, readEventNames } from './event-filter.js';

const longestId = 255;
const longestList = 2048;
const queuePattern = /^[\p{L}\p{N}\-_.*]{1,100}$/u;

/** The query of a request target; never throws, whatever the target looks like. */
export function queryOf(target = ''): URLSearchParams {
  const mark = target.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
}

/**
 * The filter that a stream begins with, from `queue`, `job_id`, `worker_id` and `events`. Empty values count as absent,
 * and the queue `*` means any.
 * @throws SpooledError 400 for a malformed queue name or a value that is too long, 403 for a queue that the key may not see
 */
export function readFilter(query: URLSearchParams, queues: QueueScope): EventFilter {
  const filter = new EventFilter(readEventNames(readShort(query, 'events', longestList)?.split(',') ?? []));
  const queueName = readQueue(query.get('queue'), queues);
  const jobId = readShort(query, 'job_id')?.toLowerCase() || null;
  const workerId = readShort(query, 'worker_id') || null;
  if (queueName !== null || jobId !== null || workerId !== null) {
    filter.add({ queueName, jobId, workerId, events: null });
  }
  return filter;
}

/** @throws SpooledError 400 */
function readShort(query: URLSearchParams, name: string, longest = longestId): string | null {
  const text = query.get(name);
  if (text !== null && text.length > longest) throw invalidField(name, `must be at most ${longest} characters`);
  return text;
}

function readQueue(text: string | null, queues: QueueScope): string | null {
  if (!text || text === '*') return null;
  if (!queuePattern.test(text)) throw invalidField('queue', 'must be 1 to 100 letters, digits or - _ . *');
  if (!queueInScope(text, queues)) throw accessDenied(`This API key may not see queue "${text}"`);
  return text;
}
