import { type jobHistorySchemas, parseActor } from '@spooled/contracts';
import type { JobDeliveryRow, JobHistory, PausePeriod, RelativeRow, TimelineJobRow } from '@spooled/data-access';
import { shownReceiver, type Viewer } from '@spooled/service';
import { toJobEvent } from './history-responses.js';
import { leftOut } from './job-responses.js';
import { attemptsOf, changesOf, statesOf, waitsOf } from './timeline.js';

type Timeline = jobHistorySchemas.JobTimeline;

interface TimelineRows {
  job: TimelineJobRow;
  /** Newest event first. */
  history: JobHistory;
  /** Newest first. */
  deliveries: JobDeliveryRow[];
  relatives: RelativeRow[];
  /** Of the queue, since the job was created. */
  pauses: PausePeriod[];
}

/** The timeline of a job; lists are in the order of time. */
export function toTimeline({ job, history, deliveries, relatives, pauses }: TimelineRows, viewer: Viewer): Timeline {
  const { now, traceparent, created_by: createdBy, dependencies_met: met, ...summary } = job;
  const events = history.events.map((row) => toJobEvent(job.id, row)).reverse();
  const input = { events, now, blocked: met === false, pauses };
  const up = relatives.filter(({ direction }) => direction === 'up');
  const down = relatives.filter(({ direction }) => direction === 'down');
  return {
    job: { ...summary, created_by: parseActor(createdBy) },
    traceparent,
    generated_at: now,
    states: statesOf(input),
    attempts: attemptsOf(input),
    waits: waitsOf(input),
    changes: changesOf(input),
    deliveries: deliveries.map((row) => toDelivery(row, viewer)).reverse(),
    parents: up.map(toRelative),
    children: down.map(toRelative),
    omitted: {
      events: history.total - events.length,
      deliveries: leftOut(deliveries),
      parents: leftOut(up),
      children: leftOut(down),
    },
  };
}

const toRelative = ({ job_id, queue_name, status }: RelativeRow) => ({ job_id, queue_name, status });

const toDelivery = ({ total: _, status, ...row }: JobDeliveryRow, viewer: Viewer): Timeline['deliveries'][number] => ({
  ...row,
  url: shownReceiver(viewer, row.url),
  kind: row.webhook_id === null ? 'completion_webhook' : 'webhook',
  status: status as Timeline['deliveries'][number]['status'],
});
