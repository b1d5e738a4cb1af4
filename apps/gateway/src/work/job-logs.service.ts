import { Injectable } from '@nestjs/common';
import { type CommandResult, type jobLogSchemas } from '@spooled/contracts';
import { Database, findJobStatuses, listJobLogs } from '@spooled/data-access';
import { notFound } from '@spooled/domain';
import { Commands, type Principal, reportedLines, toLogsResponse } from '@spooled/service';
import { proofOf } from './work.service.js';

/** Log lines that handlers write, kept with the record of their job. */
@Injectable()
export class JobLogsService {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
  ) {}

  /** @returns the response as JSON. @throws SpooledError 404 */
  list({ organizationId, queues }: Principal, jobId: string, query: jobLogSchemas.JobLogsQuery): Promise<string> {
    return this.database.withTenant(organizationId, async (tx) => {
      if ((await tx.run(findJobStatuses, { ids: [jobId], queues })).length === 0) throw notFound('Job');
      return toLogsResponse(query, (page) => listJobLogs(tx, jobId, page));
    });
  }

  /** @throws SpooledError 404, 409 without a valid lease */
  report(
    principal: Principal,
    jobId: string,
    body: jobLogSchemas.ReportLogsBody,
  ): Promise<CommandResult<'job.appendLogs'>> {
    const report = { ...proofOf(principal, jobId, body), lines: reportedLines(body.lines) };
    return this.commands.run('job.appendLogs', principal, report);
  }
}
