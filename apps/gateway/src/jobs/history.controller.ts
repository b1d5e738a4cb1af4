import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { jobHistorySchemas as schemas } from '@spooled/contracts';
import type { Principal } from '@spooled/service';
import type { FastifyReply } from 'fastify';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { idParam } from '../http/path-params.js';
import { ResponseSchema } from '../http/response-schema.js';
import { MayBeStale } from '../http/stale-read.js';
import { validated } from '../http/validated.js';
import { HistoryService } from './history.service.js';

/** Controller of the history and the timeline of a job. */
@ApiTags('jobs')
@Requires('read_jobs')
@Controller('jobs')
export class HistoryController {
  constructor(private readonly history: HistoryService) {}

  @Get(':id/history')
  @MayBeStale()
  @ResponseSchema(schemas.jobHistory, 200, 'The events of the job; `X-Has-More` says whether more follow')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Query(validated(schemas.jobHistoryQuery)) query: schemas.JobHistoryQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<schemas.JobEvent[]> {
    const { events, hasMore } = await this.history.list(principal, id, query);
    void reply.header('x-has-more', String(hasMore));
    return events;
  }

  @Get(':id/timeline')
  @MayBeStale()
  @ResponseSchema(schemas.jobTimeline)
  timeline(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Query(validated(schemas.jobTimelineQuery)) _query: Record<string, never>,
  ): Promise<schemas.JobTimeline> {
    return this.history.timeline(principal, id);
  }
}
