import { jobLogSchemas } from '@spooled/contracts';
import { findJobStatuses, listJobLogs } from '@spooled/data-access';
import { notFound } from '@spooled/domain';
import type { JobLogs, LeasedJob, LogLine, LogStore, Query } from '@spooled/sdk';
import { toWire } from '@spooled/sdk/internal';
import { reportedLines, toLogsResponse } from '@spooled/service';
import { documentOf, parsed, sdkOf } from './documents.js';
import type { EmbeddedSource, SourceContext } from './embedded-source.js';
import { withSdkErrors } from './errors.js';

/** Logs of the jobs of this process. */
export class EmbeddedLogs implements LogStore {
  constructor(private readonly source: Pick<EmbeddedSource, 'proof' | 'run'>) {}

  append(job: LeasedJob, lines: LogLine[]): Promise<void> {
    const proof = this.source.proof(job);
    return withSdkErrors(async () => {
      const wire = lines.map(({ ageMs: age_ms, fields, ...line }) => ({
        ...line,
        age_ms,
        fields: documentOf(fields, 'fields'),
      }));
      const body = parsed(jobLogSchemas.reportLogsBody, { worker_id: proof.workerId, lines: wire });
      await this.source.run('job.appendLogs', { ...proof, lines: reportedLines(body.lines) });
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
    return sdkOf(text) as JobLogs;
  });
}
