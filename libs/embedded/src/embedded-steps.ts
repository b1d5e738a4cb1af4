import { jobStepSchemas, type LeaseProof, textOrNull } from '@spooled/contracts';
import { type JobStepRow, listJobSteps } from '@spooled/data-access';
import type { JobStep, LeasedJob, StepStore, StoredStep } from '@spooled/sdk';
import { parseJson } from '@spooled/sdk/internal';
import { documentOf, parsed } from './documents.js';
import type { SourceContext } from './embedded-source.js';
import { withSdkErrors } from './errors.js';

/** How a source runs the commands of its steps. */
export interface StepCommands {
  actor(): string;
  proof(job: LeasedJob): LeaseProof;
  /** Repeats what PostgreSQL does not answer. */
  retried<T>(command: () => Promise<T>): Promise<T | undefined>;
}

/** Steps of the jobs of this process. */
export class EmbeddedSteps implements StepStore {
  constructor(
    private readonly context: SourceContext,
    private readonly commands: StepCommands,
  ) {}

  list({ id }: LeasedJob): Promise<StoredStep[]> {
    return stepsOf(this.context, id);
  }

  async record(job: LeasedJob, step: string, result: unknown): Promise<void> {
    const { actor, proof, retried } = this.commands;
    const body = await withSdkErrors(() => {
      const document = documentOf(result, 'result');
      parsed(jobStepSchemas.recordStepBody, { worker_id: proof(job).workerId, step, result: document });
      return { ...proof(job), step, result: textOrNull(document) };
    });
    await retried(() => this.context.engine.run('job.recordStep', actor(), body));
  }

  async wait(job: LeasedJob, step: string, waitFor: 'sleep' | 'signal', waitMs: number): Promise<boolean> {
    const { actor, proof, retried } = this.commands;
    const body = await withSdkErrors(() => {
      const wire = { worker_id: proof(job).workerId, step, wait_for: waitFor, wait_ms: waitMs };
      parsed(jobStepSchemas.waitBody, wire);
      return { ...proof(job), step, waitFor, waitMs };
    });
    return (await retried(() => this.context.engine.run('job.wait', actor(), body)))?.isOver ?? false;
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
