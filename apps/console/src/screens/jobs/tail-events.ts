import type { RealtimeEvent } from '@spooled/sdk/browser';
import { formatDuration } from '../../ui/format';
import type { JobStatus } from '../../ui/job-status';
import type { JobsSearch } from './jobs-search';
import { isPlainText } from './search-suggestions';

/** An event of a job, as the live tail shows it. */
export interface TailEvent {
  jobId: string;
  queueName: string;
  /** ISO 8601. */
  at: string;
  status: JobStatus;
  what: string;
  detail: string | null;
}

/** Longer errors are cut: the screen of the job has the whole text, and the tail keeps 500 rows. */
const maxDetail = 300;

/** Completions have an event of their own. */
const changes: Partial<Record<string, string>> = {
  pending: 'Waits',
  scheduled: 'Scheduled',
  processing: 'Started',
  failed: 'Failed',
  deadletter: 'Became a dead letter',
  cancelled: 'Cancelled',
};

/** What the tail shows of an event; null for events that are not about jobs or repeat another one. */
export function tailEvent({ name, data }: RealtimeEvent): TailEvent | null {
  switch (name) {
    case 'job.created':
      return { ...subject(data), status: 'pending', what: 'Created', detail: `Priority ${data.priority}` };
    case 'job.completed':
      return {
        ...subject(data),
        status: 'completed',
        what: 'Completed',
        detail: `Ran ${formatDuration(data.durationMs)}`,
      };
    case 'job.failed':
      return { ...subject(data), status: 'failed', what: 'Attempt failed', detail: data.error.slice(0, maxDetail) };
    case 'job.status':
      return ofStatus(data);
    default:
      return null;
  }
}

/** Null for changes with an event of their own (creation, completion), and for statuses of a newer server. */
function ofStatus(data: Extract<RealtimeEvent, { name: 'job.status' }>['data']): TailEvent | null {
  const { oldStatus, newStatus: status } = data;
  const what = changes[status];
  if (oldStatus === '' || what === undefined) return null;
  return { ...subject(data), status, what, detail: null };
}

const subject = ({ jobId, queueName, timestamp }: { jobId: string; queueName: string; timestamp: string }) => ({
  jobId,
  queueName,
  at: timestamp,
});

/** Whether events can be compared with these filters. They carry no type, tag and time of creation. */
export const hasUntailedFilters = ({ type, tag, after, before, search }: JobsSearch): boolean =>
  Boolean(type ?? tag ?? after ?? before) || (search !== undefined && !isPlainText(search));

/** A function that says whether an event matches the filters of an address. */
export function tailFilter({ queue, search, status }: JobsSearch): (event: TailEvent) => boolean {
  const statuses = status?.split(',') ?? [];
  const text = search !== undefined && isPlainText(search) ? search.toLowerCase() : undefined;
  return (event) =>
    (queue === undefined || event.queueName === queue) &&
    (statuses.length === 0 || statuses.includes(event.status)) &&
    (text === undefined || event.jobId.startsWith(text) || event.queueName.toLowerCase().includes(text));
}
