import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Body, ListQuery } from '../routes.js';

/** Registered workers. Registration is for monitoring; claiming does not require it. */
export class Workers {
  constructor(private readonly http: HttpClient) {}

  /** Registers a worker. Idempotent with a `workerId`. */
  register(worker: Body<'POST /api/v1/workers/register'>, options?: CallOptions) {
    const idempotent = typeof worker.workerId === 'string';
    return this.http.call('POST /api/v1/workers/register', { idempotent, ...options, body: worker });
  }

  list(query?: ListQuery<'GET /api/v1/workers'>, options?: CallOptions) {
    return this.http.list('GET /api/v1/workers', { ...options, query });
  }

  get(id: string, options?: CallOptions) {
    return this.http.call('GET /api/v1/workers/{id}', { ...options, params: { id } });
  }

  /** The jobs that a worker holds, with the ends of their leases. */
  jobs(id: string, options?: CallOptions) {
    return this.http.call('GET /api/v1/workers/{id}/jobs', { ...options, params: { id } });
  }

  /** The versions of the workers that are present, with how far they are drained. */
  versions(options?: CallOptions) {
    return this.http.call('GET /api/v1/worker-versions', { ...options });
  }

  /** Tells the workers of a version to drain; null: those that registered none. @throws NotFoundError if there are none */
  drainVersion(version: string | null, options?: CallOptions) {
    return this.http.call('POST /api/v1/worker-versions/drain', { ...options, body: { version } });
  }

  /** Ends the drain of the workers of a version. @throws NotFoundError if none is drained, QuotaExceededError */
  resumeVersion(version: string | null, options?: CallOptions) {
    return this.http.call('POST /api/v1/worker-versions/resume', { ...options, body: { version } });
  }

  /** Ends the drain of a worker. @throws QuotaExceededError */
  resume(id: string, options?: CallOptions) {
    return this.http.call('POST /api/v1/workers/{id}/resume', { idempotent: true, ...options, params: { id } });
  }

  /** Tells a worker to drain: it gets no more jobs until it is resumed or registers again. @throws ConflictError for an offline worker */
  drain(id: string, options?: CallOptions) {
    return this.http.call('POST /api/v1/workers/{id}/drain', { idempotent: true, ...options, params: { id } });
  }

  /** The answer says whether the worker should take no more jobs. */
  heartbeat(id: string, body: Body<'POST /api/v1/workers/{id}/heartbeat'>, options?: CallOptions) {
    return this.http.call('POST /api/v1/workers/{id}/heartbeat', {
      idempotent: true,
      ...options,
      params: { id },
      body,
    });
  }

  /** Marks a worker offline. Its leases run on: it can still end its jobs, and others get them when the leases end. */
  deregister(id: string, options?: CallOptions): Promise<void> {
    const call = { idempotent: true, ...options, params: { id } };
    return this.http.call('POST /api/v1/workers/{id}/deregister', call);
  }
}
