import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Body, ListQuery, Query, ResponseBody } from '../routes.js';
import type { Operation, OperationPreview } from './operations.js';

type ReplayBody = Body<'POST /api/v1/jobs/dlq/replays'>;
type PurgeBody = Body<'POST /api/v1/jobs/dlq/purges'>;
export type FailureCause = ResponseBody<'GET /api/v1/jobs/dlq/causes'>['causes'][number];
export type CauseMute = ResponseBody<'GET /api/v1/jobs/dlq/mutes'>['mutes'][number];

/** Jobs that have used all attempts or failed permanently. */
export class DeadLetters {
  constructor(private readonly http: HttpClient) {}

  /** The dead letters that all filters match, newest first. */
  list(query?: ListQuery<'GET /api/v1/jobs/dlq'>, options?: CallOptions) {
    return this.http.list('GET /api/v1/jobs/dlq', { ...options, query });
  }

  /** Dead letters by queue, job type and normalized error, the largest group first. */
  groups(query?: ListQuery<'GET /api/v1/jobs/dlq/groups'>, options?: CallOptions) {
    return this.http.list('GET /api/v1/jobs/dlq/groups', { ...options, query });
  }

  /** Dead letters by normalized error, over queues and job types, those with the most dead letters first. */
  causes(query?: Query<'GET /api/v1/jobs/dlq/causes'>, options?: CallOptions) {
    return this.http.call('GET /api/v1/jobs/dlq/causes', { ...options, query });
  }

  /** Makes a cause no problem until a time, in all queues, or changes that time. It stays listed and counted. */
  mute(id: string, body: Body<'PUT /api/v1/jobs/dlq/causes/{id}/mute'>, options?: CallOptions): Promise<CauseMute> {
    return this.http.call('PUT /api/v1/jobs/dlq/causes/{id}/mute', { ...options, params: { id }, body });
  }

  /** Ends a mute before its time. */
  unmute(id: string, options?: CallOptions): Promise<void> {
    return this.http.call('DELETE /api/v1/jobs/dlq/causes/{id}/mute', { ...options, params: { id } });
  }

  /** The mutes that hold, the next to end first. */
  async mutes(options?: CallOptions): Promise<CauseMute[]> {
    return (await this.http.call('GET /api/v1/jobs/dlq/mutes', options)).mutes;
  }

  /** A group and its dead letters, the newest first. */
  group(id: string, query?: Query<'GET /api/v1/jobs/dlq/groups/{id}'>, options?: CallOptions) {
    return this.http.call('GET /api/v1/jobs/dlq/groups/{id}', { ...options, params: { id }, query });
  }

  /** Begins to replay the dead letters that match, in the background. `Operations` shows the progress. */
  async replay(body: Omit<ReplayBody, 'dryRun'>, options?: CallOptions): Promise<Operation> {
    return (await this.http.call('POST /api/v1/jobs/dlq/replays', { ...options, body })) as unknown as Operation;
  }

  /** What `replay` would do: the number of jobs, and some of them with their payloads after the patch. Changes nothing. */
  previewReplay(body: Omit<ReplayBody, 'dryRun'>, options?: CallOptions): Promise<OperationPreview> {
    const call = { idempotent: true, ...options, body: { ...body, dryRun: true } };
    return this.http.call('POST /api/v1/jobs/dlq/replays', call);
  }

  /** Begins to delete the dead letters that match, in the background. */
  async purgeAll(body: Omit<PurgeBody, 'dryRun' | 'confirm'>, options?: CallOptions): Promise<Operation> {
    // Calling this method is the confirmation that the route requires.
    const call = { ...options, body: { ...body, confirm: true } };
    return (await this.http.call('POST /api/v1/jobs/dlq/purges', call)) as unknown as Operation;
  }

  /** What `purgeAll` would delete. Changes nothing. */
  previewPurge(body: Omit<PurgeBody, 'dryRun' | 'confirm'>, options?: CallOptions): Promise<OperationPreview> {
    const call = { idempotent: true, ...options, body: { ...body, dryRun: true, confirm: false } };
    return this.http.call('POST /api/v1/jobs/dlq/purges', call);
  }

  /** Retries dead letters, oldest first, all or none. @throws QuotaExceededError when the plan does not allow all of them */
  retry(body: Body<'POST /api/v1/jobs/dlq/retry'> = {}, options?: CallOptions) {
    return this.http.call('POST /api/v1/jobs/dlq/retry', { ...options, body });
  }

  /** Deletes dead letters permanently. */
  purge(filter: Omit<Body<'POST /api/v1/jobs/dlq/purge'>, 'confirm'>, options?: CallOptions) {
    // Calling this method is the confirmation that the route requires.
    return this.http.call('POST /api/v1/jobs/dlq/purge', { ...options, body: { ...filter, confirm: true } });
  }
}
