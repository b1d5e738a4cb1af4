import { Injectable } from '@nestjs/common';
import type { jobHistorySchemas } from '@spooled/contracts';
import {
  Database,
  findJobForTimeline,
  listJobDeliveries,
  listJobHistory,
  listPauses,
  listRelatives,
} from '@spooled/data-access';
import { notFound } from '@spooled/domain';
import type { Principal } from '@spooled/service';
import { toJobEvent } from './history-responses.js';
import { toTimeline } from './timeline-response.js';

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
        findJobForTimeline(tx, id, queues),
        listJobHistory(tx, id, queues, newest),
        listJobDeliveries(tx, id, most.deliveries),
        listRelatives(tx, id, queues, most.relatives),
      ]);
      if (!job || !history) throw notFound('Job');
      const pauses = await listPauses(tx, job.queue_name, job.created_at);
      return toTimeline({ job, history, deliveries, relatives, pauses }, principal);
    });
  }
}
