import { Injectable } from '@nestjs/common';
import { type jobHistorySchemas, parseActor } from '@spooled/contracts';
import {
  Database,
  findJobForTimeline,
  type JobDeliveryRow,
  type JobHistory,
  listJobDeliveries,
  listJobHistory,
  listPauses,
  listRelatives,
  type PausePeriod,
  type RelativeRow,
  type TimelineJobRow,
} from '@spooled/data-access';
import { notFound } from '@spooled/domain';
import { type Principal, shownReceiver, type Viewer } from '@spooled/service';
import { toJobEvent } from './history-responses.js';
import { leftOut } from './job-responses.js';
import { attemptsOf, changesOf, statesOf, waitsOf } from './timeline.js';

export interface HistoryPage {
  events: jobHistorySchemas.JobEvent[];
  hasMore: boolean;
}

/** Of each kind in one timeline; the rest is counted. */
const most = { events: 500, deliveries: 100, relatives: 100 };

/** What happened to a job (BX-14). */
@Injectable()
export class HistoryService {
  constructor(private readonly database: Database) {}

  /** One page of the events of a job. @throws SpooledError 404 */
  async list(
    { organizationId, queues }: Principal,
    id: string,
    { order_dir: direction, limit, offset }: jobHistorySchemas.JobHistoryQuery,
  ): Promise<HistoryPage> {
    const page = { direction, limit, offset };
    const found = await this.database.withTenant(organizationId, (tx) => listJobHistory(tx, id, queues, page));
    if (!found) throw notFound('Job');
    return { events: found.events.map((row) => toJobEvent(id, row)), hasMore: offset + limit < found.total };
  }

  /** Everything that is known about a job, in one document. @throws SpooledError 404 */
  timeline(principal: Principal, id: string): Promise<jobHistorySchemas.JobTimeline> {
    const { organizationId, queues } = principal;
    return this.database.withTenant(organizationId, async (tx) => {
      const newest = { direction: 'desc', limit: most.events, offset: 0 } as const;
      const [job, history, deliveries, relatives] = await Promise.all([
        tx.first(findJobForTimeline, { id, queues }),
        listJobHistory(tx, id, queues, newest),
        tx.run(listJobDeliveries, { id, limit: most.deliveries }),
        listRelatives(tx, id, queues, most.relatives),
      ]);
      if (!job || !history) throw notFound('Job');
      const pauses = await listPauses(tx, job.queue_name, job.created_at);
      return toTimeline({ job, history, deliveries, relatives, pauses }, principal);
    });
  }
}

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
function toTimeline({ job, history, deliveries, relatives, pauses }: TimelineRows, viewer: Viewer): Timeline {
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
