import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { Query } from '../routes.js';

/** Measurements over time, and what they mean for the organization. */
export class Monitoring {
  constructor(private readonly http: HttpClient) {}

  /** Rates, depths and ages of a queue, or of all queues, in steps of 10 seconds to an hour. */
  series(query?: Query<'GET /api/v1/series'>, options?: CallOptions) {
    return this.http.call('GET /api/v1/series', { ...options, query });
  }

  /** What may explain a change of the figures: first registrations of worker versions, pauses of queues, operations on jobs. */
  seriesMarks(query?: Query<'GET /api/v1/series/marks'>, options?: CallOptions) {
    return this.http.call('GET /api/v1/series/marks', { ...options, query });
  }

  /** How each queue and all together were at a moment of the last 60 minutes. */
  seriesAt(at: string, options?: CallOptions) {
    return this.http.call('GET /api/v1/series/queues', { ...options, query: { at } });
  }

  /** What is stalled, fails or gets worse: one problem for each cause, the most harmful first. */
  problems(options?: CallOptions) {
    return this.http.call('GET /api/v1/problems', options);
  }
}
