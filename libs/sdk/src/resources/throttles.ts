import type { CallOptions } from '../http/http-client.js';
import type { Body, ResponseBody } from '../routes.js';
import { Resource } from './resource.js';

export type Throttle = ResponseBody<'GET /api/v1/throttles'>['throttles'][number];
/** What a throttle would have admitted of late. */
export type ThrottlePreview = Extract<ResponseBody<'POST /api/v1/throttles'>, { dryRun: true }>;
type ThrottleBody = Omit<Body<'POST /api/v1/throttles'>, 'dryRun'>;

/** Limits of new jobs of a key, a queue or a tag, which end by themselves. */
export class Throttles extends Resource {
  /** Ends it before its time. */
  readonly release = this.withId('DELETE /api/v1/throttles/{id}');

  /** Those that hold, the newest first. */
  async list(options?: CallOptions): Promise<Throttle[]> {
    return (await this.http.call('GET /api/v1/throttles', options)).throttles;
  }

  async create(body: ThrottleBody, options?: CallOptions): Promise<Throttle> {
    return (await this.http.call('POST /api/v1/throttles', { ...options, body })) as unknown as Throttle;
  }

  /** What it would have admitted in the last ten minutes. Changes nothing. */
  async preview(body: ThrottleBody, options?: CallOptions): Promise<ThrottlePreview> {
    const call = { idempotent: true, ...options, body: { ...body, dryRun: true } };
    return (await this.http.call('POST /api/v1/throttles', call)) as unknown as ThrottlePreview;
  }
}
