import { jobLogSchemas } from '@spooled/contracts';
import { findJobStatuses, listJobLogs } from '@spooled/data-access';
import { notFound } from '@spooled/domain';
import type { JobLogs, LeasedJob, LogLine, LogStore, Query } from '@spooled/sdk';
import { fromWire, parseJson, toWire } from '@spooled/sdk/internal';
import { reportedLines, toLogsResponse } from '@spooled/service';
import { documentOf, parsed } from './documents.js';
import type { SourceContext } from './embedded-source.js';
import type { StepCommands } from './embedded-steps.js';
import { withSdkErrors } from './errors.js';

/** Logs of the jobs of this process. */
export class EmbeddedLogs implements LogStore {
  constructor(
    private readonly context: SourceContext,
    private readonly commands: Pick<StepCommands, 'actor' | 'proof'>,
  ) {}

  append(job: LeasedJob, lines: LogLine[]): Promise<void> {
    const { actor, proof } = this.commands;
    return withSdkErrors(async () => {
      const wire = lines.map(({ ageMs: age_ms, fields, ...line }) => ({
        ...line,
        age_ms,
        fields: documentOf(fields, 'fields'),
      }));
      const body = parsed(jobLogSchemas.reportLogsBody, { worker_id: proof(job).workerId, lines: wire });
      await this.context.engine.run('job.appendLogs', actor(), { ...proof(job), lines: reportedLines(body.lines) });
    });
  }
}

type LogsQuery = Query<'GET /api/v1/jobs/{id}/logs'>;

/** A page of the log of a job, as the SDK returns it. @throws NotFoundError */
export function logsOf({ db, tenant }: SourceContext, jobId: string, query: LogsQuery = {}): Promise<JobLogs> {
  return withSdkErrors(async () => {
    const page = parsed(jobLogSchemas.jobLogsQuery, toWire(query));
    const text = await db.withTenant(tenant.id, async (tx) => {
      if ((await tx.run(findJobStatuses, { ids: [jobId], queues: null })).length === 0) throw notFound('Job');
      return toLogsResponse(page, (wanted) => listJobLogs(tx, jobId, wanted));
    });
    return fromWire(parseJson(text, 'bigint')) as JobLogs;
  });
}
