import type { CallOptions } from '../http/http-client.js';
import type { Body, List, ListQuery, ResponseBody, Row } from '../routes.js';
import { repeatable, Resource } from './resource.js';

export type Batch = ResponseBody<'GET /api/v1/batches/{id}'>;
export type BatchJob = Row<'GET /api/v1/batches/{id}/jobs'>;
type BatchStatus = Batch['status'];
export type BatchesQuery = Omit<ListQuery<'GET /api/v1/batches'>, 'status'> & { status?: BatchStatus };
/** Continue a long list with `after: list.nextCursor`; an offset reads all rows before the page. */
export type BatchJobsQuery = Omit<ListQuery<'GET /api/v1/batches/{id}/jobs'>, 'status'> & {
  status?: 'unfinished' | 'succeeded' | 'failed' | 'cancelled';
};

/** Batches: jobs that are counted together, with callback jobs for their end. */
export class Batches extends Resource {
  /** Adds 1 to 100 jobs of one queue, all or none. @throws ConflictError for a batch that is not open or has no room */
  readonly add = this.withIdAndBody('POST /api/v1/batches/{id}/jobs');
  /** Lets the batch complete when its jobs have ended; nothing can be added afterwards. Idempotent. */
  readonly close = this.withId('POST /api/v1/batches/{id}/close', repeatable);
  /** Closes the batch and cancels its waiting jobs in the background; running ones continue. @throws ConflictError once it has completed */
  readonly cancel = this.withId('POST /api/v1/batches/{id}/cancel', repeatable);
  readonly get = this.withId('GET /api/v1/batches/{id}');

  /** Creates an open batch without jobs. */
  create(batch: Body<'POST /api/v1/batches'> = {}, options?: CallOptions): Promise<Batch> {
    return this.http.call('POST /api/v1/batches', { ...options, body: batch });
  }

  /** Newest first. */
  list(query?: BatchesQuery, options?: CallOptions): Promise<List<Batch>> {
    return this.http.list('GET /api/v1/batches', { ...options, query });
  }

  /** Jobs of the batch with their results, in the order of their creation, at most 1000 at a time. */
  jobs(id: string, query?: BatchJobsQuery, options?: CallOptions): Promise<List<BatchJob>> {
    return this.http.list('GET /api/v1/batches/{id}/jobs', { ...options, params: { id }, query });
  }
}
