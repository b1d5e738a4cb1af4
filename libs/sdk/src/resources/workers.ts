import type { CallOptions } from '../http/http-client.js';
import type { Body } from '../routes.js';
import { repeatable, Resource } from './resource.js';

/** Registered workers. Registration is for monitoring; claiming does not require it. */
export class Workers extends Resource {
  readonly list = this.rows('GET /api/v1/workers');
  readonly get = this.withId('GET /api/v1/workers/{id}');
  /** The jobs that a worker holds, with the ends of their leases. */
  readonly jobs = this.withId('GET /api/v1/workers/{id}/jobs');
  /** The versions of the workers that are present, with how far they are drained. */
  readonly versions = this.withoutInput('GET /api/v1/worker-versions');
  /** Ends the drain of a worker. @throws QuotaExceededError */
  readonly resume = this.withId('POST /api/v1/workers/{id}/resume', repeatable);
  /** Tells a worker to drain: it gets no more jobs until it is resumed or registers again. @throws ConflictError for an offline worker */
  readonly drain = this.withId('POST /api/v1/workers/{id}/drain', repeatable);
  /** The answer says whether the worker should take no more jobs. */
  readonly heartbeat = this.withIdAndBody('POST /api/v1/workers/{id}/heartbeat', repeatable);
  /** Marks a worker offline. Its leases run on: it can still end its jobs, and others get them when the leases end. */
  readonly deregister = this.withId('POST /api/v1/workers/{id}/deregister', repeatable);

  /** Registers a worker. Idempotent with a `workerId`. */
  register(worker: Body<'POST /api/v1/workers/register'>, options?: CallOptions) {
    const idempotent = typeof worker.workerId === 'string';
    return this.http.call('POST /api/v1/workers/register', { idempotent, ...options, body: worker });
  }

  /** Tells the workers of a version to drain; null: those that registered none. @throws NotFoundError if there are none */
  drainVersion(version: string | null, options?: CallOptions) {
    return this.http.call('POST /api/v1/worker-versions/drain', { ...options, body: { version } });
  }

  /** Ends the drain of the workers of a version. @throws NotFoundError if none is drained, QuotaExceededError */
  resumeVersion(version: string | null, options?: CallOptions) {
    return this.http.call('POST /api/v1/worker-versions/resume', { ...options, body: { version } });
  }
}
