import { jobStepSchemas, textOrNull } from '@spooled/contracts';
import { type JobStepRow, listJobSteps } from '@spooled/data-access';
import type { JobStep, LeasedJob, StepStore, StoredStep } from '@spooled/sdk';
import { parseJson } from '@spooled/sdk/internal';
import { documentOf, parsed } from './documents.js';
import type { EmbeddedSource, SourceContext } from './embedded-source.js';
import { withSdkErrors } from './errors.js';

/** Steps of the jobs of this process. */
export class EmbeddedSteps implements StepStore {
  constructor(
    private readonly context: SourceContext,
    private readonly source: Pick<EmbeddedSource, 'proof' | 'run' | 'retryUntilAcknowledged'>,
  ) {}

  list({ id }: LeasedJob): Promise<StoredStep[]> {
    return stepsOf(this.context, id);
  }

  async record(job: LeasedJob, step: string, result: unknown): Promise<void> {
    const { source } = this;
    const body = await withSdkErrors(() => {
      const document = documentOf(result, 'result');
      parsed(jobStepSchemas.recordStepBody, { worker_id: source.proof(job).workerId, step, result: document });
      return { ...source.proof(job), step, result: textOrNull(document) };
    });
    await source.retryUntilAcknowledged(() => source.run('job.recordStep', body));
  }

  async wait(job: LeasedJob, step: string, waitFor: 'sleep' | 'signal', waitMs: number): Promise<boolean> {
    const { source } = this;
    const body = await withSdkErrors(() => {
      const wire = { worker_id: source.proof(job).workerId, step, wait_for: waitFor, wait_ms: waitMs };
      parsed(jobStepSchemas.waitBody, wire);
      return { ...source.proof(job), step, waitFor, waitMs };
    });
    return (await source.retryUntilAcknowledged(() => source.run('job.wait', body)))?.isOver ?? false;
  }
}

/** The steps of a job, as the SDK returns them. */
export function stepsOf({ db, tenant }: SourceContext, jobId: string): Promise<JobStep[]> {
  return withSdkErrors(async () => {
    const rows = await db.withTenant(tenant.id, (tx) => listJobSteps(tx, jobId, null));
    return rows.map(toStored);
  });
}

const toStored = ({ name: step, kind, is_done: isDone, created_at, finished_at, deadline, result }: JobStepRow) => ({
  ...{ step, kind, isDone, createdAt: created_at, finishedAt: finished_at, deadline },
  result: result === null ? null : parseJson(result, 'bigint'),
});
