import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Answer, Body } from '../routes.js';

/** Who works on jobs. Registration is for people who look; claiming does not need it. */
export class Workers {
  constructor(private readonly http: HttpClient) {}

  /** With a `workerId` it is safe to repeat. */
  register(
    worker: Body<'POST /api/v1/workers/register'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /api/v1/workers/register'>> {
    const repeatable = typeof worker.workerId === 'string';
    return this.http.call('POST /api/v1/workers/register', { repeatable, ...options, body: worker });
  }

  list(options?: CallOptions): Promise<Answer<'GET /api/v1/workers'>> {
    return this.http.call('GET /api/v1/workers', options);
  }

  get(id: string, options?: CallOptions): Promise<Answer<'GET /api/v1/workers/{id}'>> {
    return this.http.call('GET /api/v1/workers/{id}', { ...options, params: { id } });
  }

  async heartbeat(id: string, body: Body<'POST /api/v1/workers/{id}/heartbeat'>, options?: CallOptions): Promise<void> {
    const call = { repeatable: true, ...options, params: { id }, body };
    await this.http.call('POST /api/v1/workers/{id}/heartbeat', call);
  }

  /** Says goodbye: jobs that it holds go back at once, at no cost. */
  deregister(id: string, options?: CallOptions): Promise<void> {
    const call = { repeatable: true, ...options, params: { id } };
    return this.http.call('POST /api/v1/workers/{id}/deregister', call);
  }
}
