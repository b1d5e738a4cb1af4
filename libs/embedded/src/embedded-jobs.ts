import { type ActorText, type CommandResult, jobSchemas, jobStepSchemas, textOrNull } from '@spooled/contracts';
import {
  countActiveJobs,
  findJob,
  findJobStatuses,
  type JobListFilter,
  listJobs,
  repeatableRead,
} from '@spooled/data-access';
import { jobQuota, notFound, SpooledError as DomainError, storableText } from '@spooled/domain';
import type { Body, Job, JobLogs, JobStep, NewJob, Query, ResponseBody } from '@spooled/sdk';
import { type DatabaseClient, type EnqueuedJob, requireKnown, toWire } from '@spooled/sdk/internal';
import { enqueueIn, hasCaps } from '@spooled/queue';
import {
  jobDefaults,
  newCommand,
  type NewJobRules,
  newJobs,
  newJobsOfBulk,
  type PreparedJob,
  toJobResponse,
} from '@spooled/service';
import { z } from 'zod';
import { inApplicationTransaction } from './application-transaction.js';
import { checkPayloads } from './contracts.js';
import { documentOf, parsed, requireId, sdkOf } from './documents.js';
import type { SourceContext } from './embedded-source.js';
import { logsOf } from './embedded-logs.js';
import { stepsOf } from './embedded-steps.js';
import { toSdkError, withSdkErrors } from './errors.js';

/** Jobs that were enqueued, as the SDK returns them. */
export type EnqueuedJobs = ResponseBody<'POST /api/v1/jobs/bulk'>;

/** Jobs of one queue with what they have in common. */
export interface NewJobs {
  queueName: string;
  /** At most 1,000. */
  jobs: Omit<NewJob, 'queueName'>[];
  defaultPriority?: number | null;
  defaultMaxRetries?: number | null;
  defaultTimeoutSeconds?: number | null;
}

type CancellationRequest = Body<'POST /api/v1/jobs/{id}/cancellation'>;
type LogsQuery = Query<'GET /api/v1/jobs/{id}/logs'>;
type CancellationAnswer = ResponseBody<'POST /api/v1/jobs/{id}/cancellation'>;

type Enqueued = CommandResult<'job.enqueue'>['jobs'][number];

interface QueueFilter {
  /** Null = any. */
  statuses: Job['status'][] | null;
  /** `job_type` of their payloads; null = any. */
  type: string | null;
  limit: number;
}

/** As many as one transaction of group commit holds. */
const maxJobs = 1_000;
/** @internal */
export const manyJobs = jobSchemas.bulkJobsBody.extend({
  jobs: z
    .array(jobSchemas.bulkJobItem)
    .min(1, 'must hold at least one job')
    .max(maxJobs, `must hold at most ${maxJobs} jobs`),
});

const optionNames = { tx: true };

/** Producers' operations, as `Spooled.jobs` of the SDK has them. All throw its errors. */
export class EmbeddedJobs {
  /** @internal */
  constructor(
    private readonly context: SourceContext,
    private readonly actor: ActorText,
  ) {}

  /**
   * Enqueues a job; resolves after the commit. Idempotent with an idempotency key.
   *
   * With `tx`, an open transaction on the same database, the job exists if and only if that transaction commits: a connected client of
   * node-postgres, or the transaction of postgres.js, Drizzle, Prisma, Knex, TypeORM or Kysely. Its role must be a member of
   * `spooled_app`. Await the call before the next statement. If the plan has caps, other producers of the organization wait until the
   * transaction ends. Workers find the job at their next poll; `wake` after the commit lets those of this process find it at once.
   * @throws ValidationError, QuotaExceededError (the transaction remains usable), ServerError while PostgreSQL is away
   * @throws Error if `tx` is not connected, has no open transaction, another database, or a role without the right; TypeError if it is of
   *   no such library; other errors of PostgreSQL in `tx` as its library reports them
   */
  async create(job: NewJob, options: { tx?: DatabaseClient } = {}): Promise<EnqueuedJob> {
    requireKnown(options, optionNames);
    const { tx } = options;
    if (tx !== undefined) return this.createIn(tx, job);
    return withSdkErrors(async () => toEnqueued(await this.enqueue(this.prepare(job))));
  }

  /** Enqueues 1 to 1,000 jobs of one queue, all or none. `succeeded[i]` belongs to job i. @throws as `create` */
  createMany(jobs: NewJobs): Promise<EnqueuedJobs> {
    return withSdkErrors(async () => {
      return enqueuedJobs(await this.enqueue(newJobsOfBulk(parsed(manyJobs, wireOfMany(jobs)), this.rules)));
    });
  }

  /** @throws NotFoundError */
  get(id: string): Promise<Job> {
    return withSdkErrors(async () => {
      const job = await this.context.db.withTenant(this.context.tenant.id, (tx) =>
        findJob(tx, requireId('Job', id), null),
      );
      if (!job) throw notFound('Job');
      return sdkOf(toJobResponse(job, { role: 'admin' })) as Job;
    });
  }

  /** Statuses of these jobs by id, without those that do not exist. @internal */
  statuses(ids: string[]): Promise<Map<string, Job['status']>> {
    return withSdkErrors(async () => {
      const rows = await this.context.db.withTenant(this.context.tenant.id, (tx) =>
        tx.run(findJobStatuses, { ids, queues: null }),
      );
      return new Map(rows.map(({ id, status }) => [id, status]));
    });
  }

  /** Jobs of a queue, the oldest first. @internal For tests. */
  list(queue: string, { statuses, type, limit }: QueueFilter): Promise<Job[]> {
    return withSdkErrors(async () => {
      const filter: JobListFilter = {
        ...{ queues: [queue], statuses, jobType: type, limit, offset: 0, orderBy: 'created_at', direction: 'asc' },
        ...{ tag: null, text: null, createdAfter: null, createdBefore: null, terms: null },
        ...{ after: null, afterSorted: null },
      };
      const { db, tenant } = this.context;
      const { rows } = await db.withTenant(tenant.id, (tx) => listJobs(tx, filter), repeatableRead);
      return Promise.all(rows.map(({ id }) => this.get(id)));
    });
  }

  /** Number of jobs of these queues that run or could run now. @internal For tests. */
  countActive(queues: string[]): Promise<number> {
    const { db, tenant } = this.context;
    return withSdkErrors(() =>
      db.withTenant(tenant.id, async (tx) => (await tx.one(countActiveJobs, { queues })).active),
    );
  }

  /** @throws NotFoundError, ConflictError unless the job is pending or scheduled */
  cancel(id: string): Promise<void> {
    return withSdkErrors(async () => {
      await this.context.engine.run('job.cancel', this.actor, { jobId: requireId('Job', id), queues: null });
    });
  }

  /**
   * Cancels a waiting job, and asks the worker of a running one to end it: its handler's signal is aborted. With `force` the job is
   * cancelled at once, and what its worker reports is refused. @throws NotFoundError, ConflictError when the job has ended
   */
  requestCancellation(id: string, options: CancellationRequest = {}): Promise<CancellationAnswer> {
    return withSdkErrors(async () => {
      const { reason, force, grace_seconds } = parsed(jobSchemas.jobCancellationBody, toWire(options));
      const body = {
        ...{ jobId: requireId('Job', id), queues: null },
        ...{ reason: reason ? storableText(reason) : null, force: force ?? false, graceSeconds: grace_seconds ?? null },
      };
      const { status, requestedAt } = await this.context.engine.run('job.requestCancellation', this.actor, body);
      return { jobId: id, status, cancelRequestedAt: requestedAt };
    });
  }

  /** Retries a failed job or dead letter with all its attempts. @throws ConflictError in other states, QuotaExceededError */
  retry(id: string): Promise<Job> {
    return withSdkErrors(async () => {
      const quota = jobQuota(this.context.tenant.limits);
      await this.context.engine.run('job.retry', this.actor, { jobId: requireId('Job', id), queues: null, quota });
      return this.get(id);
    });
  }

  /** A page of what the handlers of a job have logged, as `Spooled.jobs.logs`. @throws NotFoundError */
  async logs(id: string, query?: LogsQuery): Promise<JobLogs> {
    return withSdkErrors(() => logsOf(this.context, requireId('Job', id), query));
  }

  /** What the handlers of a job have finished, and what they wait for. @throws NotFoundError */
  async steps(id: string): Promise<JobStep[]> {
    await this.get(id);
    return stepsOf(this.context, id.toLowerCase());
  }

  /**
   * Gives a job the value that `step.waitFor` waits for; one that comes before the wait is kept. Only the first signal of a name counts.
   * @throws NotFoundError, ConflictError when the job or the wait has ended, ValidationError
   */
  signal(id: string, signal: { step: string; payload?: unknown }): Promise<{ accepted: boolean; resumed: boolean }> {
    return withSdkErrors(() => {
      const payload = documentOf(signal.payload, 'payload');
      const { step } = parsed(jobStepSchemas.signalBody, { ...signal, payload });
      const body = { jobId: requireId('Job', id), step, payload: textOrNull(payload), queues: null };
      return this.context.engine.run('job.signal', this.actor, body);
    });
  }

  private async createIn(client: DatabaseClient, job: NewJob): Promise<EnqueuedJob> {
    try {
      const prepared = this.prepare(job);
      await checkPayloads(this.context, prepared);
      const caller = { organizationId: this.context.tenant.id, actor: this.actor };
      // The caller's transaction has no time limit of ours.
      const command = newCommand('job.enqueue', caller, this.bodyOf(prepared), { ttlMs: 0 });
      // Caps are counts of what others have committed.
      const needs = { needsReadCommitted: hasCaps(command.body.quota) };
      const { result } = await inApplicationTransaction(client, this.context, (tx) => enqueueIn(tx, command), needs);
      return toEnqueued(result.jobs);
    } catch (error) {
      throw error instanceof DomainError ? toSdkError(error) : error;
    }
  }

  private prepare(job: NewJob): PreparedJob[] {
    return newJobs([parsed(jobSchemas.createJobBody, wireOf(job))], this.rules);
  }

  private async enqueue(prepared: PreparedJob[]): Promise<Enqueued[]> {
    await checkPayloads(this.context, prepared);
    return (await this.context.engine.run('job.enqueue', this.actor, this.bodyOf(prepared))).jobs;
  }

  private bodyOf(prepared: PreparedJob[]) {
    return { jobs: prepared.map(({ job }) => job), ...termsOf(this.context) };
  }

  private get rules(): NewJobRules {
    return rulesOf(this.context);
  }
}

/** @internal */
export const rulesOf = ({ settings, tenant }: SourceContext): NewJobRules => ({
  policy: settings.policy,
  maxBytes: settings.QUEUE_MAX_PAYLOAD_SIZE_BYTES,
  limits: tenant.limits,
});

/** What commands that create jobs hold beside these. @internal */
export function termsOf({ settings, tenant }: SourceContext) {
  return { quota: jobQuota(tenant.limits), defaults: jobDefaults(settings) };
}

/** @internal */
export function enqueuedJobs(jobs: Enqueued[]): EnqueuedJobs {
  const succeeded = jobs.map(({ jobId, created }, index) => ({ index, jobId, created }));
  const total = succeeded.length;
  return { succeeded, failed: [], total, successCount: total, failureCount: 0 };
}

/** The only one of these jobs. */
function toEnqueued(jobs: Enqueued[]): EnqueuedJob {
  const { jobId: id, created } = jobs[0]!;
  return { id, created };
}

/** A job with the names of the API, and its documents as they will be stored. @internal */
export function wireOf(job: object, path = ''): object {
  if (typeof job !== 'object' || job === null) return job;
  const body = toWire(job) as Record<string, unknown>;
  body.payload = documentOf(body.payload, `${path}payload`);
  if (body.tags !== undefined) body.tags = documentOf(body.tags, `${path}tags`);
  return body;
}

/** @internal */
export const wireOfMany = ({ jobs, ...common }: NewJobs): object => ({
  ...(toWire(common) as object),
  jobs: Array.isArray(jobs) ? jobs.map((job, i) => wireOf(job, `jobs[${i}].`)) : jobs,
});
