import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Body, List, ListQuery, ResponseBody, Row } from '../routes.js';

/** Jobs that have used all attempts or failed permanently. */
export class DeadLetters {
  constructor(private readonly http: HttpClient) {}

  /** The dead letters that all filters match, newest first. */
  list(query?: ListQuery<'GET /api/v1/jobs/dlq'>, options?: CallOptions): Promise<List<Row<'GET /api/v1/jobs/dlq'>>> {
    return this.http.list('GET /api/v1/jobs/dlq', { ...options, query });
  }

  /** Retries dead letters, oldest first, all or none. @throws QuotaExceededError when the plan does not allow all of them */
  retry(
    body: Body<'POST /api/v1/jobs/dlq/retry'> = {},
    options?: CallOptions,
  ): Promise<ResponseBody<'POST /api/v1/jobs/dlq/retry'>> {
    return this.http.call('POST /api/v1/jobs/dlq/retry', { ...options, body });
  }

  /** Deletes dead letters permanently. */
  purge(
    filter: Omit<Body<'POST /api/v1/jobs/dlq/purge'>, 'confirm'>,
    options?: CallOptions,
  ): Promise<ResponseBody<'POST /api/v1/jobs/dlq/purge'>> {
    // Calling this method is the confirmation that the route requires.
    return this.http.call('POST /api/v1/jobs/dlq/purge', { ...options, body: { ...filter, confirm: true } });
  }
}
