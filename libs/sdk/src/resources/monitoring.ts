import type { CallOptions } from '../http/http-client.js';
import { Resource } from './resource.js';

/** Measurements over time, and what they mean for the organization. */
export class Monitoring extends Resource {
  /** Rates, depths and ages of a queue, or of all queues, in steps of 10 seconds to an hour. */
  readonly series = this.withQuery('GET /api/v1/series');
  /** What may explain a change of the figures: first registrations of worker versions, pauses of queues, operations on jobs. */
  readonly seriesMarks = this.withQuery('GET /api/v1/series/marks');
  /** What is stalled, fails or gets worse: one problem for each cause, the most harmful first. */
  readonly problems = this.withoutInput('GET /api/v1/problems');

  /** How each queue and all together were at a moment of the last 60 minutes. */
  seriesAt(at: string, options?: CallOptions) {
    return this.http.call('GET /api/v1/series/queues', { ...options, query: { at } });
  }
}
