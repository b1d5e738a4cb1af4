import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Answer, Body, Query } from '../routes.js';
import { DeadLetters } from './dead-letters.js';

export type NewJob = Body<'POST /api/v1/jobs'>;
export type Job = Answer<'GET /api/v1/jobs/{id}'>;
type JobPage = Exclude<Answer<'GET /api/v1/jobs'>, unknown[]>;
export type JobSummary = JobPage['data'][number];
export type ClaimedJob = Answer<'POST /api/v1/jobs/claim'>['jobs'][number];

/** Jobs, from both sides: who wants work done, and who does it. */
export class Jobs {
  readonly deadLetters: DeadLetters;

  constructor(private readonly http: HttpClient) {
    this.deadLetters = new DeadLetters(http);
  }

  /** Adds a job. With an idempotency key it is safe to repeat; `created` is false when the key was known. */
  create(job: NewJob, options?: CallOptions): Promise<Answer<'POST /api/v1/jobs'>> {
    return this.http.call('POST /api/v1/jobs', { ...options, body: job });
  }

  /** Adds 1 to 100 jobs of one queue, all or none. */
  createMany(jobs: Body<'POST /api/v1/jobs/bulk'>, options?: CallOptions): Promise<Answer<'POST /api/v1/jobs/bulk'>> {
    const repeatable = jobs.jobs.every(({ idempotencyKey }) => typeof idempotencyKey === 'string');
    return this.http.call('POST /api/v1/jobs/bulk', { repeatable, ...options, body: jobs });
  }

  /** Newest first. */
  async list(query?: Omit<Query<'GET /api/v1/jobs'>, 'cursor'>, options?: CallOptions): Promise<JobSummary[]> {
    // Without a cursor the answer is the bare list.
    return (await this.http.call('GET /api/v1/jobs', { ...options, query })) as JobSummary[];
  }

  /** One page by cursor: pass `nextCursor` of the last page, and nothing for the first. */
  async page(query?: Query<'GET /api/v1/jobs'>, options?: CallOptions): Promise<JobPage> {
    const call = { ...options, query: { ...query, cursor: query?.cursor ?? '' } };
    return (await this.http.call('GET /api/v1/jobs', call)) as JobPage;
  }

  get(id: string, options?: CallOptions): Promise<Job> {
    return this.http.call('GET /api/v1/jobs/{id}', { ...options, params: { id } });
  }

  /** Counts by status, of one queue or of all. */
  stats(queueName?: string, options?: CallOptions): Promise<Answer<'GET /api/v1/jobs/stats'>> {
    return this.http.call('GET /api/v1/jobs/stats', { ...options, query: { queueName } });
  }

  /** Statuses of up to 100 jobs; unknown ones are left out. */
  statuses(ids: string[], options?: CallOptions): Promise<Answer<'GET /api/v1/jobs/status'>> {
    return this.http.call('GET /api/v1/jobs/status', { ...options, query: { ids: ids.join(',') } });
  }

  /** @throws ConflictError unless the job is pending or scheduled */
  cancel(id: string, options?: CallOptions): Promise<void> {
    return this.http.call('DELETE /api/v1/jobs/{id}', { ...options, params: { id } });
  }

  /** Puts a failed or dead job back with a fresh budget of attempts. @throws ConflictError in other states */
  retry(id: string, options?: CallOptions): Promise<Answer<'POST /api/v1/jobs/{id}/retry'>> {
    return this.http.call('POST /api/v1/jobs/{id}/retry', { ...options, params: { id } });
  }

  /** From -100 to 100; only while the job waits, else NotFoundError. */
  setPriority(id: string, priority: number, options?: CallOptions): Promise<Answer<'PUT /api/v1/jobs/{id}/priority'>> {
    return this.http.call('PUT /api/v1/jobs/{id}/priority', { ...options, params: { id }, body: { priority } });
  }

  dependencies(id: string, options?: CallOptions): Promise<Answer<'GET /api/v1/jobs/{id}/dependencies'>> {
    return this.http.call('GET /api/v1/jobs/{id}/dependencies', { ...options, params: { id } });
  }

  /** Makes the job wait for others. What would close a circle is left out. */
  addDependencies(
    id: string,
    body: Body<'POST /api/v1/jobs/{id}/dependencies'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /api/v1/jobs/{id}/dependencies'>> {
    // Adding an edge again changes nothing.
    const call = { repeatable: true, ...options, params: { id }, body };
    return this.http.call('POST /api/v1/jobs/{id}/dependencies', call);
  }

  /**
   * Takes up to `limit` jobs under leases; with `waitSeconds`, waits so long for some where there are none. `Worker` does this
   * and all that follows.
   */
  async claim(body: Body<'POST /api/v1/jobs/claim'>, options?: CallOptions): Promise<ClaimedJob[]> {
    const timeoutMs = (options?.timeoutMs ?? this.http.settings.timeoutMs) + (body.waitSeconds ?? 0) * 1000;
    return (await this.http.call('POST /api/v1/jobs/claim', { ...options, timeoutMs, body })).jobs;
  }

  /** Ends a job well. @throws LeaseExpiredError, ConflictError when it has ended already */
  complete(
    id: string,
    body: Body<'POST /api/v1/jobs/{id}/complete'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /api/v1/jobs/{id}/complete'>> {
    return this.http.call('POST /api/v1/jobs/{id}/complete', { ...options, params: { id }, body });
  }

  /** Ends 1 to 100 jobs of a worker well. Each has its own outcome, in their order: what `complete` would throw is told there. */
  completeMany(
    body: Body<'POST /api/v1/jobs/complete/bulk'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /api/v1/jobs/complete/bulk'>> {
    return this.http.call('POST /api/v1/jobs/complete/bulk', { ...options, body });
  }

  /** Ends an attempt: it is tried again while its budget lasts, else it is a dead letter. @throws LeaseExpiredError */
  fail(
    id: string,
    body: Body<'POST /api/v1/jobs/{id}/fail'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /api/v1/jobs/{id}/fail'>> {
    return this.http.call('POST /api/v1/jobs/{id}/fail', { ...options, params: { id }, body });
  }

  /** Renews the lease. @throws LeaseExpiredError when it is too late */
  heartbeat(
    id: string,
    body: Body<'POST /api/v1/jobs/{id}/heartbeat'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /api/v1/jobs/{id}/heartbeat'>> {
    const call = { repeatable: true, ...options, params: { id }, body };
    return this.http.call('POST /api/v1/jobs/{id}/heartbeat', call);
  }

  /** Tells how far a job is, from 0 to 100. */
  progress(
    id: string,
    body: Body<'POST /api/v1/jobs/{id}/progress'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /api/v1/jobs/{id}/progress'>> {
    const call = { repeatable: true, ...options, params: { id }, body };
    return this.http.call('POST /api/v1/jobs/{id}/progress', call);
  }
}
