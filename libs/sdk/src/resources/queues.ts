import type { CallOptions } from '../http/http-client.js';
import type { Body, Query, ResponseBody } from '../routes.js';
import type { Operation } from './operations.js';
import { PayloadContracts } from './payload-contracts.js';
import { Resource } from './resource.js';

/** What a dry run of the deletion of a queue has found. */
export type QueueDeletionPreview = ResponseBody<'POST /api/v1/queues/{name}/deletions'>;
export type QueueExplanation = ResponseBody<'GET /api/v1/queues/{name}/explain'>;

/** The settings of a queue that the server uses, under their names in the API; null removes one. */
export interface KnownQueueSettings {
  push?: boolean | null;
  callback_url?: string | null;
  callback_headers?: Record<string, string> | null;
  callback_secret?: string | null;
  callback_timeout_seconds?: number | null;
  concurrency?: number | null;
  retry_strategy?: 'exponential' | 'linear' | 'fixed' | null;
  retry_delay_ms?: number | null;
  backoff_multiplier?: number | null;
  max_retry_delay_ms?: number | null;
  retry_jitter_ms?: number | null;
  retry_jitter_ratio?: number | null;
  cause_report_jobs?: number | null;
  cause_report_minutes?: number | null;
}

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
/** Settings are stored as they are, so these names would have no effect. */
type NotInCamelCase = { [Name in Exclude<Camel<keyof KnownQueueSettings>, keyof KnownQueueSettings>]?: never };

/** Settings of a queue: those that the server uses, and the application's own. */
export type QueueSettings = KnownQueueSettings & NotInCamelCase & Record<string, unknown>;

type QueueConfiguration = Omit<Body<'PUT /api/v1/queues/{name}/config'>, 'settings'> & {
  settings?: QueueSettings | null;
};

/** Queues: settings, statistics, pause and resume. */
export class Queues extends Resource {
  /** What the payloads of a queue must look like. */
  readonly payloadContract = new PayloadContracts(this.http);
  readonly list = this.rows('GET /api/v1/queues');
  readonly get = this.withId('GET /api/v1/queues/{name}');
  readonly stats = this.withId('GET /api/v1/queues/{name}/stats');
  /** Why a queue does not move, or how it does: its problems with what can be done about them, its jobs, rates and workers. */
  readonly explain = this.withId('GET /api/v1/queues/{name}/explain');
  /** The list of queues, each with its explanation: one request for a page. */
  readonly explanations = this.rows('GET /api/v1/queue-explanations');
  /** Producers of a queue in the last minutes, by key, type and tag. */
  readonly producers = this.withIdAndQuery('GET /api/v1/queues/{name}/producers');
  readonly resume = this.withId('POST /api/v1/queues/{name}/resume');

  /** Updates a queue's settings, or creates them; absent members stay unchanged. */
  configure(name: string, settings: QueueConfiguration, options?: CallOptions) {
    return this.http.call('PUT /api/v1/queues/{name}/config', { ...options, params: { name }, body: settings });
  }

  /** How many replicas of its workers a queue needs now, and what decided that. */
  desiredReplicas(name: string, query: Query<'GET /api/v1/queues/{name}/desired-replicas'>, options?: CallOptions) {
    return this.http.call('GET /api/v1/queues/{name}/desired-replicas', { ...options, params: { name }, query });
  }

  /** Pauses a queue: claims return no jobs until it is resumed, by a call or automatically at `expiresAt` or after `durationSeconds`. */
  pause(name: string, pause: string | Body<'POST /api/v1/queues/{name}/pause'> = {}, options?: CallOptions) {
    const body = typeof pause === 'string' ? { reason: pause } : pause;
    return this.http.call('POST /api/v1/queues/{name}/pause', { ...options, params: { name }, body });
  }

  /** Begins to delete a queue, its settings and the jobs that it has now, in the background; cancelling the operation until then undoes it. */
  async beginDeletion(
    name: string,
    body: Omit<Body<'POST /api/v1/queues/{name}/deletions'>, 'dryRun'> = {},
    options?: CallOptions,
  ): Promise<Operation> {
    const call = { ...options, params: { name }, body };
    return (await this.http.call('POST /api/v1/queues/{name}/deletions', call)) as unknown as Operation;
  }

  /** What `beginDeletion` would delete. Changes nothing. */
  previewDeletion(name: string, options?: CallOptions): Promise<QueueDeletionPreview> {
    const call = { idempotent: true, ...options, params: { name }, body: { dryRun: true } };
    return this.http.call('POST /api/v1/queues/{name}/deletions', call);
  }

  /** Deletes at once. @throws ConflictError while it has jobs, unless `deleteJobs` */
  async delete(name: string, { deleteJobs, ...options }: CallOptions & { deleteJobs?: boolean } = {}): Promise<void> {
    const call = { ...options, params: { name }, query: { deleteJobs } };
    await this.http.call('DELETE /api/v1/queues/{name}', call);
  }
}
