import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { jobHistorySchemas as schemas, parseActor } from '@spooled/contracts';
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
import type { FastifyReply } from 'fastify';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags, idParam, ResponseSchema, validated } from '../http/routes.js';
import { MayBeStale } from '../http/stale-read.js';
import { toJobEvent } from './history-responses.js';
import { leftOut } from './job-responses.js';
import { attemptsOf, changesOf, statesOf, waitsOf } from './timeline.js';

/** Of each kind in one timeline; the rest is counted. */
const most = { events: 500, deliveries: 100, relatives: 100 };

/** What happened to a job (BX-14). */
@ApiTags('jobs')
@Requires('read_jobs')
@Controller('jobs')
export class HistoryController {
  constructor(private readonly database: Database) {}

  /** One page of the events of a job. @throws SpooledError 404 */
  @Get(':id/history')
  @MayBeStale()
  @ResponseSchema(schemas.jobHistory, 200, 'The events of the job; `X-Has-More` says whether more follow')
  async list(
    @CurrentPrincipal() { organizationId, queues }: Principal,
    @Param('id', idParam('Job')) id: string,
    @Query(validated(schemas.jobHistoryQuery)) { order_dir: direction, limit, offset }: schemas.JobHistoryQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<schemas.JobEvent[]> {
    const page = { direction, limit, offset };
    const found = await this.database.withTenant(organizationId, (tx) => listJobHistory(tx, id, queues, page));
    if (!found) throw notFound('Job');
    void reply.header('x-has-more', String(offset + limit < found.total));
    return found.events.map((row) => toJobEvent(id, row));
  }

  /** Everything that is known about a job, in one document. @throws SpooledError 404 */
  @Get(':id/timeline')
  @MayBeStale()
  @ResponseSchema(schemas.jobTimeline)
  timeline(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Query(validated(schemas.jobTimelineQuery)) _query: Record<string, never>,
  ): Promise<schemas.JobTimeline> {
    const { organizationId, queues } = principal;
    return this.database.withTenant(organizationId, async (tx) => {
      const newest = { direction: 'desc', limit: most.events, offset: 0 } as const;
      const [job, history, deliveries, relatives] = await Promise.all([
        tx.first(findJobForTimeline, { id, queues }),
        listJobHistory(tx, id, queues, newest),
        tx.run(listJobDeliveries, { id, limit: most.deliveries }),
        tx.run(listRelatives, { id, queues, limit: most.relatives }),
      ]);
      if (!job || !history) throw notFound('Job');
      const pauses = await listPauses(tx, job.queue_name, job.created_at);
      return toTimeline({ job, history, deliveries, relatives, pauses }, principal);
    });
  }
}

type Timeline = schemas.JobTimeline;

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
