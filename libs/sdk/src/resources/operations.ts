import type { CallOptions, HttpClient } from '../http/http-client.js';
import { sleep } from '../http/sleep.js';
import type { Body, List, ListQuery, ResponseBody, Row } from '../routes.js';

export type Operation = ResponseBody<'POST /api/v1/operations/{id}/cancel'>;
export type OperationDetails = ResponseBody<'GET /api/v1/operations/{id}'>;
export type OperationJob = Row<'GET /api/v1/operations/{id}/jobs'>;
/** What a dry run has found. */
export type OperationPreview = ResponseBody<'POST /api/v1/jobs/dlq/replays'>;
type CancellationBody = Omit<Body<'POST /api/v1/jobs/cancellations'>, 'dryRun'>;
type PriorityChangeBody = Omit<Body<'POST /api/v1/jobs/priority-changes'>, 'dryRun'>;
type ActivationBody = Omit<Body<'POST /api/v1/jobs/activations'>, 'dryRun'>;
type MoveBody = Omit<Body<'POST /api/v1/jobs/moves'>, 'dryRun'>;
type PayloadPatchBody = Omit<Body<'POST /api/v1/jobs/payload-patches'>, 'dryRun'>;
type DeletionBody = Omit<Body<'POST /api/v1/jobs/deletions'>, 'dryRun' | 'confirm'>;

const pollMs = 500;

/** Acts on many jobs that the server carries out in the background: replays, purges, cancellations, deletions. */
export class Operations {
  constructor(private readonly http: HttpClient) {}

  /** The newest first. */
  list(query?: ListQuery<'GET /api/v1/operations'>, options?: CallOptions) {
    return this.http.list('GET /api/v1/operations', { ...options, query });
  }

  /** With the first jobs that could not be replayed. */
  get(id: string, options?: CallOptions): Promise<OperationDetails> {
    return this.http.call('GET /api/v1/operations/{id}', { ...options, params: { id } });
  }

  /** The jobs that it has had, in the order of their creation; with `outcome: 'changed'` those that it has changed. */
  jobs(
    id: string,
    query?: ListQuery<'GET /api/v1/operations/{id}/jobs'>,
    options?: CallOptions,
  ): Promise<List<OperationJob>> {
    return this.http.list('GET /api/v1/operations/{id}/jobs', { ...options, params: { id }, query });
  }

  /** Waits until the operation has ended: completed, stopped by its rule, or cancelled. */
  async finished(id: string, options?: CallOptions): Promise<OperationDetails> {
    for (;;) {
      const operation = await this.get(id, options);
      if (operation.endedAt !== null) return operation;
      await sleep(pollMs, options?.signal);
    }
  }

  /** Takes effect after the step in progress. @throws ConflictError when it has ended */
  cancel(id: string, options?: CallOptions): Promise<Operation> {
    return this.http.call('POST /api/v1/operations/{id}/cancel', { ...options, params: { id } });
  }

  /** Begins to cancel the jobs of a queue that no worker holds, in the background. */
  async cancelJobs(body: CancellationBody, options?: CallOptions): Promise<Operation> {
    return (await this.http.call('POST /api/v1/jobs/cancellations', { ...options, body })) as unknown as Operation;
  }

  /** What `cancelJobs` would cancel. Changes nothing. */
  previewCancelJobs(body: CancellationBody, options?: CallOptions): Promise<OperationPreview> {
    const call = { idempotent: true, ...options, body: { ...body, dryRun: true } };
    return this.http.call('POST /api/v1/jobs/cancellations', call);
  }

  /** Begins to change the priority of the jobs of a queue that no worker holds, in the background. */
  async prioritizeJobs(body: PriorityChangeBody, options?: CallOptions): Promise<Operation> {
    return (await this.http.call('POST /api/v1/jobs/priority-changes', { ...options, body })) as unknown as Operation;
  }

  /** Which jobs `prioritizeJobs` would change. Changes nothing. */
  previewPrioritizeJobs(body: PriorityChangeBody, options?: CallOptions): Promise<OperationPreview> {
    const call = { idempotent: true, ...options, body: { ...body, dryRun: true } };
    return this.http.call('POST /api/v1/jobs/priority-changes', call);
  }

  /** Begins to make jobs claimable that wait for their time or their next attempt, in the background. */
  async runJobsNow(body: ActivationBody, options?: CallOptions): Promise<Operation> {
    return (await this.http.call('POST /api/v1/jobs/activations', { ...options, body })) as unknown as Operation;
  }

  /** Which jobs `runJobsNow` would make claimable. Changes nothing. */
  previewRunJobsNow(body: ActivationBody, options?: CallOptions): Promise<OperationPreview> {
    const call = { idempotent: true, ...options, body: { ...body, dryRun: true } };
    return this.http.call('POST /api/v1/jobs/activations', call);
  }

  /** Begins to move jobs that no worker holds to another queue, in the background. */
  async moveJobs(body: MoveBody, options?: CallOptions): Promise<Operation> {
    return (await this.http.call('POST /api/v1/jobs/moves', { ...options, body })) as unknown as Operation;
  }

  /** Which jobs `moveJobs` would move, and why some of them could not be. Changes nothing. */
  previewMoveJobs(body: MoveBody, options?: CallOptions): Promise<OperationPreview> {
    const call = { idempotent: true, ...options, body: { ...body, dryRun: true } };
    return this.http.call('POST /api/v1/jobs/moves', call);
  }

  /** Begins to patch the payloads of jobs that no worker holds (RFC 7396), in the background. */
  async patchPayloads(body: PayloadPatchBody, options?: CallOptions): Promise<Operation> {
    return (await this.http.call('POST /api/v1/jobs/payload-patches', { ...options, body })) as unknown as Operation;
  }

  /** Which jobs `patchPayloads` would change, with their payloads after it. Changes nothing. */
  previewPatchPayloads(body: PayloadPatchBody, options?: CallOptions): Promise<OperationPreview> {
    const call = { idempotent: true, ...options, body: { ...body, dryRun: true } };
    return this.http.call('POST /api/v1/jobs/payload-patches', call);
  }

  /** Begins to delete jobs that no worker holds, in the background. They cannot be brought back. */
  async deleteJobs(body: DeletionBody, options?: CallOptions): Promise<Operation> {
    const call = { ...options, body: { ...body, confirm: true } };
    return (await this.http.call('POST /api/v1/jobs/deletions', call)) as unknown as Operation;
  }

  /** Which jobs `deleteJobs` would delete. Changes nothing. */
  previewDeleteJobs(body: DeletionBody, options?: CallOptions): Promise<OperationPreview> {
    const call = { idempotent: true, ...options, body: { ...body, confirm: false, dryRun: true } };
    return this.http.call('POST /api/v1/jobs/deletions', call);
  }
}
