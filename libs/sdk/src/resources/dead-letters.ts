import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Answer, Body, Query } from '../routes.js';

/** Jobs whose attempts are used up, or that failed for good. */
export class DeadLetters {
  constructor(private readonly http: HttpClient) {}

  list(query?: Query<'GET /api/v1/jobs/dlq'>, options?: CallOptions): Promise<Answer<'GET /api/v1/jobs/dlq'>> {
    return this.http.call('GET /api/v1/jobs/dlq', { ...options, query });
  }

  /** Puts them back, the oldest first. @throws QuotaExceededError when not all of them fit; nothing is changed then */
  retry(
    body: Body<'POST /api/v1/jobs/dlq/retry'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /api/v1/jobs/dlq/retry'>> {
    return this.http.call('POST /api/v1/jobs/dlq/retry', { ...options, body });
  }

  /** Deletes them for good. */
  purge(
    filter: Omit<Body<'POST /api/v1/jobs/dlq/purge'>, 'confirm'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /api/v1/jobs/dlq/purge'>> {
    // Calling this method is the confirmation that the route asks for.
    return this.http.call('POST /api/v1/jobs/dlq/purge', { ...options, body: { ...filter, confirm: true } });
  }
}
