import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { jobLogSchemas as schemas } from '@spooled/contracts';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { idParam } from '../http/path-params.js';
import { ResponseSchema, TextResponse } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { JobLogsService } from './job-logs.service.js';

/** Controller of the log lines of jobs. */
@ApiTags('jobs')
@Controller('jobs')
export class JobLogsController {
  constructor(private readonly logs: JobLogsService) {}

  @Get(':id/logs')
  @Requires('read_jobs')
  @TextResponse(schemas.jobLogs)
  list(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Query(validated(schemas.jobLogsQuery)) query: schemas.JobLogsQuery,
  ): Promise<string> {
    return this.logs.list(principal, id, query);
  }

  @Post(':id/logs')
  @Requires('work')
  @ResponseSchema(schemas.reportLogsResult)
  async report(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(schemas.reportLogsBody)) body: schemas.ReportLogsBody,
  ) {
    return { success: true, ...(await this.logs.report(principal, id, body)) };
  }
}
