import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { jobLogSchemas as schemas } from '@spooled/contracts';
import { Database, listJobLogs } from '@spooled/data-access';
import { Commands, type Principal, reportedLines, toLogsResponse } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags, idParam, ResponseSchema, TextResponse, validated } from '../http/routes.js';
import { proofOf, requireJob } from './work.service.js';

/** Log lines that handlers write, kept with the record of their job. */
@ApiTags('jobs')
@Controller('jobs')
export class JobLogsController {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
  ) {}

  /** @returns the response as JSON. @throws SpooledError 404 */
  @Get(':id/logs')
  @Requires('read_jobs')
  @TextResponse(schemas.jobLogs)
  list(
    @CurrentPrincipal() { organizationId, queues }: Principal,
    @Param('id', idParam('Job')) jobId: string,
    @Query(validated(schemas.jobLogsQuery)) query: schemas.JobLogsQuery,
  ): Promise<string> {
    return this.database.withTenant(organizationId, async (tx) => {
      await requireJob(tx, jobId, queues);
      return toLogsResponse(query, (page) => listJobLogs(tx, jobId, page));
    });
  }

  /** @throws SpooledError 404, 409 without a valid lease */
  @Post(':id/logs')
  @Requires('work')
  @ResponseSchema(schemas.reportLogsResult)
  async report(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) jobId: string,
    @Body(validated(schemas.reportLogsBody)) body: schemas.ReportLogsBody,
  ) {
    const report = { ...proofOf(principal, jobId, body), lines: reportedLines(body.lines) };
    return { success: true, ...(await this.commands.run('job.appendLogs', principal, report)) };
  }
}
