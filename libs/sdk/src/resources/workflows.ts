import type { CallOptions } from '../http/http-client.js';
import type { List, Row } from '../routes.js';
import { Resource } from './resource.js';

export type Workflow = Row<'GET /api/v1/workflows'>;
export type WorkflowJob = Row<'GET /api/v1/workflows/{id}/jobs'>;

/** Workflows: jobs that depend on each other. */
export class Workflows extends Resource {
  /** Creates all jobs of a workflow or none. @throws ValidationError for cycles and unknown keys */
  readonly create = this.withBody('POST /api/v1/workflows');
  readonly list = this.rows('GET /api/v1/workflows');
  readonly get = this.withId('GET /api/v1/workflows/{id}');
  /** Cancels a workflow: waiting jobs are cancelled, running jobs continue. */
  readonly cancel = this.withId('POST /api/v1/workflows/{id}/cancel');

  /**
   * Retries the jobs that did not complete. With `fromJob` (key or id) it retries that job and its dependents.
   * @throws ValidationError for a status that does not allow it, ConflictError for a job that cannot run again now
   */
  retry(id: string, { fromJob, ...options }: CallOptions & { fromJob?: string } = {}): Promise<Workflow> {
    const body = fromJob === undefined ? {} : { fromJob };
    return this.http.call('POST /api/v1/workflows/{id}/retry', { ...options, params: { id }, body });
  }

  /** Previews `retry` from this job: the jobs that would run again, or the reason for a refusal. Changes nothing. */
  rerun(id: string, jobId: string, options?: CallOptions) {
    const params = { id, job_id: jobId };
    return this.http.call('GET /api/v1/workflows/{id}/jobs/{job_id}/rerun', { ...options, params });
  }

  jobs(id: string, options?: CallOptions): Promise<List<WorkflowJob>> {
    return this.http.list('GET /api/v1/workflows/{id}/jobs', { ...options, params: { id } });
  }

  jobStatuses(id: string, options?: CallOptions) {
    return this.http.list('GET /api/v1/workflows/{id}/jobs/status', { ...options, params: { id } });
  }

  job(id: string, jobId: string, options?: CallOptions): Promise<WorkflowJob> {
    const params = { id, job_id: jobId };
    return this.http.call('GET /api/v1/workflows/{id}/jobs/{job_id}', { ...options, params });
  }
}
