import { ConflictError, foreignResponse } from '../http/errors.js';
import type { CallOptions } from '../http/http-client.js';
import type { Body, List, Query, ResponseBody, Row } from '../routes.js';
import { DeadLetters } from './dead-letters.js';
import { repeatable, Resource } from './resource.js';

export type NewJob = Body<'POST /api/v1/jobs'>;
export type Job = ResponseBody<'GET /api/v1/jobs/{id}'>;
export type JobSummary = Row<'GET /api/v1/jobs'>;
export type JobPage = Exclude<ResponseBody<'GET /api/v1/jobs'>, unknown[]>;
type JobStatus = JobSummary['status'];
type AnyJobEvent = ResponseBody<'GET /api/v1/jobs/{id}/history'>[number];
/** `details` depends on the event, with names as in the API; `actor` is always there. */
export type JobEvent = AnyJobEvent & { details: Record<string, unknown> | null };
export type JobTimeline = ResponseBody<'GET /api/v1/jobs/{id}/timeline'>;
export type ClaimedJob = ResponseBody<'POST /api/v1/jobs/claim'>['jobs'][number];
export type JobLogs = ResponseBody<'GET /api/v1/jobs/{id}/logs'>;
export type JobStep = ResponseBody<'GET /api/v1/jobs/{id}/steps'>['steps'][number];
export type JobExplanation = ResponseBody<'GET /api/v1/jobs/{id}/explain'>;

/** Filters and paging of job lists; all filters must match. `status` is one or any of several. */
export type JobFilters = Omit<Query<'GET /api/v1/jobs'>, 'status'> & { status?: JobStatus | readonly JobStatus[] };

/** The route takes statuses joined by commas. */
const withStatuses = ({ status, ...query }: JobFilters = {}): Query<'GET /api/v1/jobs'> => {
  const statuses = typeof status === 'string' ? status : status?.join(',');
  return { ...query, status: statuses } as Query<'GET /api/v1/jobs'>;
};

/** Jobs, for producers and workers. */
export class Jobs extends Resource {
  readonly deadLetters = new DeadLetters(this.http);
  /** Enqueues a job. Idempotent with an idempotency key; `created` is false if the key exists. */
  readonly create = this.withBody('POST /api/v1/jobs');
  readonly get = this.withId('GET /api/v1/jobs/{id}');
  /** Why a job waits, or what it does: all reasons with their numbers, its place in the queue, and an estimate where one is possible. */
  readonly explain = this.withId('GET /api/v1/jobs/{id}/explain');
  /** The jobs that have run longest, of those that match `search`, with their workers, progress and the ends of their leases. */
  readonly running = this.withQuery('GET /api/v1/jobs/running');
  /** How the jobs of each type fared that were created in the last minutes: rates, failures, waits, run times, workers' versions. */
  readonly types = this.withQuery('GET /api/v1/job-types');
  /** Retries a failed job or dead letter with all its attempts. @throws ConflictError in other states */
  readonly retry = this.withId('POST /api/v1/jobs/{id}/retry');
  /** The job with its statuses, attempts and waits over time, its webhook deliveries, and the jobs before and after it. */
  readonly timeline = this.withId('GET /api/v1/jobs/{id}/timeline');
  readonly dependencies = this.withId('GET /api/v1/jobs/{id}/dependencies');
  /** Adds dependencies to a job. Those that exist change nothing; those that would create a cycle are omitted. */
  readonly addDependencies = this.withIdAndBody('POST /api/v1/jobs/{id}/dependencies', repeatable);
  /** Completes a job. @throws LeaseExpiredError, ConflictError when it has ended already */
  readonly complete = this.withIdAndBody('POST /api/v1/jobs/{id}/complete');
  /** Completes 1 to 100 jobs of a worker. Returns an outcome per job, in order, with the error that `complete` would throw. */
  readonly completeMany = this.withBody('POST /api/v1/jobs/complete/bulk');
  /** Fails the attempt: the job is retried while it has attempts left, otherwise it becomes a dead letter. @throws LeaseExpiredError */
  readonly fail = this.withIdAndBody('POST /api/v1/jobs/{id}/fail');
  /** Renews the lease. @throws LeaseExpiredError */
  readonly heartbeat = this.withIdAndBody('POST /api/v1/jobs/{id}/heartbeat', repeatable);
  /** Releases the job: it is claimable again at once, and the attempt does not count. @throws LeaseExpiredError */
  readonly release = this.withIdAndBody('POST /api/v1/jobs/{id}/release');
  /** Adds lines to the log of an attempt, each number once. What exceeds its bounds is counted. @throws LeaseExpiredError */
  readonly reportLogs = this.withIdAndBody('POST /api/v1/jobs/{id}/logs', repeatable);
  /**
   * Gives a job the value that `step.waitFor` waits for; one that comes before the wait is kept. Only the first signal of a name counts.
   * @throws ConflictError when the job or the wait has ended
   */
  readonly signal = this.withIdAndBody('POST /api/v1/jobs/{id}/signals', repeatable);
  /** Keeps the result of a finished step. @throws LeaseExpiredError */
  readonly recordStep = this.withIdAndBody('POST /api/v1/jobs/{id}/steps', repeatable);
  /** Puts a job aside until a time or a signal: it gives up its lease, and no attempt is used. @throws LeaseExpiredError */
  readonly wait = this.withIdAndBody('POST /api/v1/jobs/{id}/wait', repeatable);
  /** Reports the progress of a job, from 0 to 100. */
  readonly progress = this.withIdAndBody('POST /api/v1/jobs/{id}/progress', repeatable);

  /** Enqueues 1 to 100 jobs of one queue, all or none. */
  createMany(jobs: Body<'POST /api/v1/jobs/bulk'>, options?: CallOptions) {
    const idempotent = jobs.jobs.every(({ idempotencyKey }) => typeof idempotencyKey === 'string');
    return this.http.call('POST /api/v1/jobs/bulk', { idempotent, ...options, body: jobs });
  }

  /** The jobs that all filters match, newest first. */
  list(query?: Omit<JobFilters, 'cursor'>, options?: CallOptions): Promise<List<JobSummary>> {
    return this.http.list('GET /api/v1/jobs', { ...options, query: withStatuses(query) });
  }

  /** One page of jobs: pass no cursor for the first page, then `nextCursor` of the last one. */
  async page(query?: JobFilters, options?: CallOptions): Promise<JobPage> {
    const call = { ...options, query: { ...withStatuses(query), cursor: query?.cursor ?? '' } };
    return (await this.http.call('GET /api/v1/jobs', call)) as JobPage;
  }

  /** Number of jobs by status, of one queue or all. */
  stats(queueName?: string, options?: CallOptions) {
    return this.http.call('GET /api/v1/jobs/stats', { ...options, query: { queueName } });
  }

  /** Statuses of up to 100 jobs; unknown ids are omitted. */
  statuses(ids: string[], options?: CallOptions) {
    return this.http.call('GET /api/v1/jobs/status', { ...options, query: { ids: ids.join(',') } });
  }

  /** @throws ConflictError unless the job is pending or scheduled */
  cancel(id: string, options?: CallOptions): Promise<void> {
    const isDone = async (error: unknown) =>
      error instanceof ConflictError && (await this.get(id, options)).status === 'cancelled';
    return this.http.call('DELETE /api/v1/jobs/{id}', { ...options, params: { id }, isDone });
  }

  /**
   * Cancels a waiting job, and asks the worker of a running one to end it: its handler's signal is aborted. With `force` the job is
   * cancelled at once, and what its worker reports is refused. @throws ConflictError when the job has ended
   */
  requestCancellation(id: string, body: Body<'POST /api/v1/jobs/{id}/cancellation'> = {}, options?: CallOptions) {
    const call = { idempotent: true, ...options, params: { id }, body };
    return this.http.call('POST /api/v1/jobs/{id}/cancellation', call);
  }

  /** @param priority from -100 to 100. @throws NotFoundError unless the job is pending or scheduled */
  setPriority(id: string, priority: number, options?: CallOptions) {
    return this.http.call('PUT /api/v1/jobs/{id}/priority', { ...options, params: { id }, body: { priority } });
  }

  /** Every transition of a job with its actor, oldest first by default; up to 500 of them, 100 by default. */
  async history(
    id: string,
    query?: Query<'GET /api/v1/jobs/{id}/history'>,
    options?: CallOptions,
  ): Promise<JobEvent[]> {
    const call = { ...options, params: { id }, query };
    return (await this.http.call('GET /api/v1/jobs/{id}/history', call)) as JobEvent[];
  }

  /**
   * Claims up to `limit` jobs; with `waitSeconds`, waits up to that long for the first one. `Worker` calls this and the methods
   * that take a lease.
   */
  async claim(body: Body<'POST /api/v1/jobs/claim'>, options?: CallOptions): Promise<ClaimedJob[]> {
    const timeoutMs = (options?.timeoutMs ?? this.http.settings.timeoutMs) + (body.waitSeconds ?? 0) * 1000;
    const { jobs } = await this.http.call('POST /api/v1/jobs/claim', { ...options, timeoutMs, body });
    // A worker would say that it cannot read the length of undefined.
    if (!Array.isArray(jobs)) throw foreignResponse({ method: 'POST', path: '/api/v1/jobs/claim' }, 200, 'has no jobs');
    return jobs;
  }

  /**
   * A page of what the handlers of a job have logged, in order. Its `nextCursor` also leads to lines that are added later; `attempts` says
   * how many lines of each were not kept.
   */
  async logs(id: string, query?: Query<'GET /api/v1/jobs/{id}/logs'>, options?: CallOptions): Promise<JobLogs> {
    const page = await this.http.call('GET /api/v1/jobs/{id}/logs', { ...options, params: { id }, query });
    // A caller that reads pages until none is left would not stop.
    if (page.hasMore && page.nextCursor === (query?.cursor ?? null))
      throw foreignResponse({ method: 'GET', path: `/api/v1/jobs/${id}/logs` }, 200, 'is the page before');
    return page;
  }

  /** What the handlers of a job have finished, and what they wait for, in the order in which it began. */
  async steps(id: string, options?: CallOptions): Promise<JobStep[]> {
    return (await this.http.call('GET /api/v1/jobs/{id}/steps', { ...options, params: { id } })).steps;
  }

  /**
   * A URL with which somebody without a key may give the job this signal: by POST, with any JSON as its body. It acts as the key of this
   * client, and ends with that key. Without PUBLIC_URL of the server it begins with the client's `baseUrl`.
   * @throws AccessDeniedError for a key that may not work
   */
  async signalUrl(id: string, body: Body<'POST /api/v1/jobs/{id}/signal-urls'>, options?: CallOptions) {
    const call = { idempotent: true, ...options, params: { id }, body };
    const made = await this.http.call('POST /api/v1/jobs/{id}/signal-urls', call);
    return { ...made, url: made.url.startsWith('/') ? this.http.settings.baseUrl + made.url : made.url };
  }
}
