import type { CallOptions } from '../http/http-client.js';
import type { Body, ResponseBody } from '../routes.js';
import { OperationRoutes } from './operations.js';

export type FailureCause = ResponseBody<'GET /api/v1/jobs/dlq/causes'>['causes'][number];
export type CauseMute = ResponseBody<'GET /api/v1/jobs/dlq/mutes'>['mutes'][number];

/** Jobs that have used all attempts or failed permanently. */
export class DeadLetters extends OperationRoutes {
  /** The dead letters that all filters match, newest first. */
  readonly list = this.rows('GET /api/v1/jobs/dlq');
  /** Dead letters by queue, job type and normalized error, the largest group first. */
  readonly groups = this.rows('GET /api/v1/jobs/dlq/groups');
  /** Dead letters by normalized error, over queues and job types, those with the most dead letters first. */
  readonly causes = this.withQuery('GET /api/v1/jobs/dlq/causes');
  /** Makes a cause no problem until a time, in all queues, or changes that time. It stays listed and counted. */
  readonly mute = this.withIdAndBody('PUT /api/v1/jobs/dlq/causes/{id}/mute');
  /** Ends a mute before its time. */
  readonly unmute = this.withId('DELETE /api/v1/jobs/dlq/causes/{id}/mute');
  /** A group and its dead letters, the newest first. */
  readonly group = this.withIdAndQuery('GET /api/v1/jobs/dlq/groups/{id}');
  /** Begins to replay the dead letters that match, in the background. `Operations` shows the progress. */
  readonly replay = this.begins('POST /api/v1/jobs/dlq/replays');
  /** What `replay` would do: the number of jobs, and some of them with their payloads after the patch. Changes nothing. */
  readonly previewReplay = this.previews('POST /api/v1/jobs/dlq/replays');
  /** Begins to delete the dead letters that match, in the background. */
  readonly purgeAll = this.begins('POST /api/v1/jobs/dlq/purges', { confirm: true });
  /** What `purgeAll` would delete. Changes nothing. */
  readonly previewPurge = this.previews('POST /api/v1/jobs/dlq/purges', { confirm: false });

  /** The mutes that hold, the next to end first. */
  async mutes(options?: CallOptions): Promise<CauseMute[]> {
    return (await this.http.call('GET /api/v1/jobs/dlq/mutes', options)).mutes;
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
