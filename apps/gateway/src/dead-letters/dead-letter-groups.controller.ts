import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { deadLetterGroupSchemas } from '@spooled/contracts';
import type { FastifyReply } from 'fastify';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { ListResponse } from '../http/list-response.js';
import { MayBeStale } from '../http/stale-read.js';
import { idParam } from '../http/path-params.js';
import { ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { DeadLetterGroupsService } from './dead-letter-groups.service.js';

/** Controller of the routes that show dead letters by cause. */
@ApiTags('dead letters')
@Requires('read_jobs')
@Controller('jobs/dlq')
export class DeadLetterGroupsController {
  constructor(private readonly groups: DeadLetterGroupsService) {}

  @Get('causes')
  @MayBeStale()
  @ResponseSchema(deadLetterGroupSchemas.deadLetterCauses)
  causes(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(deadLetterGroupSchemas.listCausesQuery)) query: deadLetterGroupSchemas.ListCausesQuery,
  ): Promise<deadLetterGroupSchemas.DeadLetterCauses> {
    return this.groups.causes(principal, query);
  }

  @Get('groups')
  @MayBeStale()
  @ListResponse(deadLetterGroupSchemas.deadLetterGroup)
  list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(deadLetterGroupSchemas.listGroupsQuery)) query: deadLetterGroupSchemas.ListGroupsQuery,
  ) {
    return this.groups.list(principal, query);
  }

  @Get('groups/:id')
  @MayBeStale()
  @ResponseSchema(deadLetterGroupSchemas.deadLettersOfGroup, 200, 'The newest first; header `X-Has-More`')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Group')) id: string,
    @Query(validated(deadLetterGroupSchemas.groupQuery)) query: deadLetterGroupSchemas.GroupQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { group, page } = await this.groups.get(principal, id, query);
    void reply.header('x-has-more', String(page.hasMore));
    return { group, jobs: page.rows };
  }
}
