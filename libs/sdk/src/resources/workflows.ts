import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Answer, Body, Query } from '../routes.js';

export type Workflow = Answer<'GET /api/v1/workflows'>[number];
export type WorkflowJob = Answer<'GET /api/v1/workflows/{id}/jobs'>[number];

/** Jobs that wait for each other. */
export class Workflows {
  constructor(private readonly http: HttpClient) {}

  /** All of its jobs, or none. @throws ValidationError for circles and unknown keys */
  create(workflow: Body<'POST /api/v1/workflows'>, options?: CallOptions): Promise<Answer<'POST /api/v1/workflows'>> {
    return this.http.call('POST /api/v1/workflows', { ...options, body: workflow });
  }

  list(query?: Query<'GET /api/v1/workflows'>, options?: CallOptions): Promise<Workflow[]> {
    return this.http.call('GET /api/v1/workflows', { ...options, query });
  }

  get(id: string, options?: CallOptions): Promise<Answer<'GET /api/v1/workflows/{id}'>> {
    return this.http.call('GET /api/v1/workflows/{id}', { ...options, params: { id } });
  }

  /** Its waiting jobs are cancelled; those in work run out. */
  cancel(id: string, options?: CallOptions): Promise<Workflow> {
    return this.http.call('POST /api/v1/workflows/{id}/cancel', { ...options, params: { id } });
  }

  /** Starts what did not complete anew. @throws ValidationError unless it failed */
  retry(id: string, options?: CallOptions): Promise<Workflow> {
    return this.http.call('POST /api/v1/workflows/{id}/retry', { ...options, params: { id } });
  }

  jobs(id: string, options?: CallOptions): Promise<WorkflowJob[]> {
    return this.http.call('GET /api/v1/workflows/{id}/jobs', { ...options, params: { id } });
  }

  jobStatuses(id: string, options?: CallOptions): Promise<Answer<'GET /api/v1/workflows/{id}/jobs/status'>> {
    return this.http.call('GET /api/v1/workflows/{id}/jobs/status', { ...options, params: { id } });
  }

  job(id: string, jobId: string, options?: CallOptions): Promise<WorkflowJob> {
    const params = { id, job_id: jobId };
    return this.http.call('GET /api/v1/workflows/{id}/jobs/{job_id}', { ...options, params });
  }
}
