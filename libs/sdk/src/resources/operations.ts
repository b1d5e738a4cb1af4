import type { CallOptions } from '../http/http-client.js';
import { sleep } from '../http/sleep.js';
import type { AnyRoute, Body, ResponseBody, Row } from '../routes.js';
import { Resource } from './resource.js';

export type Operation = ResponseBody<'POST /api/v1/operations/{id}/cancel'>;
export type OperationDetails = ResponseBody<'GET /api/v1/operations/{id}'>;
export type OperationJob = Row<'GET /api/v1/operations/{id}/jobs'>;
/** What a dry run has found. */
export type OperationPreview = ResponseBody<'POST /api/v1/jobs/dlq/replays'>;

const pollMs = 500;

/** Routes that begin an operation, or preview it by a dry run. */
export abstract class OperationRoutes extends Resource {
  /** @param confirmation what the route requires: calling the method confirms it */
  protected begins<R extends AnyRoute>(route: R, confirmation?: { confirm: true }) {
    return async (body: Omit<Body<R>, 'dryRun' | 'confirm'>, options?: CallOptions): Promise<Operation> => {
      const call = { ...options, body: { ...body, ...confirmation } as Body<R> };
      return (await this.http.call(route, call)) as unknown as Operation;
    };
  }

  protected previews<R extends AnyRoute>(route: R, confirmation?: { confirm: false }) {
    return async (body: Omit<Body<R>, 'dryRun' | 'confirm'>, options?: CallOptions): Promise<OperationPreview> => {
      const dryRun = { ...body, ...confirmation, dryRun: true } as unknown as Body<R>;
      return (await this.http.call(route, { idempotent: true, ...options, body: dryRun })) as OperationPreview;
    };
  }
}

/** Acts on many jobs that the server carries out in the background: replays, purges, cancellations, deletions. */
export class Operations extends OperationRoutes {
  /** The newest first. */
  readonly list = this.rows('GET /api/v1/operations');
  /** With the first jobs that could not be replayed. */
  readonly get = this.withId('GET /api/v1/operations/{id}');
  /** The jobs that it has had, in the order of their creation; with `outcome: 'changed'` those that it has changed. */
  readonly jobs = this.rowsOfId('GET /api/v1/operations/{id}/jobs');
  /** Takes effect after the step in progress. @throws ConflictError when it has ended */
  readonly cancel = this.withId('POST /api/v1/operations/{id}/cancel');
  /** Begins to cancel the jobs of a queue that no worker holds, in the background. */
  readonly cancelJobs = this.begins('POST /api/v1/jobs/cancellations');
  /** What `cancelJobs` would cancel. Changes nothing. */
  readonly previewCancelJobs = this.previews('POST /api/v1/jobs/cancellations');
  /** Begins to change the priority of the jobs of a queue that no worker holds, in the background. */
  readonly prioritizeJobs = this.begins('POST /api/v1/jobs/priority-changes');
  /** Which jobs `prioritizeJobs` would change. Changes nothing. */
  readonly previewPrioritizeJobs = this.previews('POST /api/v1/jobs/priority-changes');
  /** Begins to make jobs claimable that wait for their time or their next attempt, in the background. */
  readonly runJobsNow = this.begins('POST /api/v1/jobs/activations');
  /** Which jobs `runJobsNow` would make claimable. Changes nothing. */
  readonly previewRunJobsNow = this.previews('POST /api/v1/jobs/activations');
  /** Begins to move jobs that no worker holds to another queue, in the background. */
  readonly moveJobs = this.begins('POST /api/v1/jobs/moves');
  /** Which jobs `moveJobs` would move, and why some of them could not be. Changes nothing. */
  readonly previewMoveJobs = this.previews('POST /api/v1/jobs/moves');
  /** Begins to patch the payloads of jobs that no worker holds (RFC 7396), in the background. */
  readonly patchPayloads = this.begins('POST /api/v1/jobs/payload-patches');
  /** Which jobs `patchPayloads` would change, with their payloads after it. Changes nothing. */
  readonly previewPatchPayloads = this.previews('POST /api/v1/jobs/payload-patches');
  /** Begins to delete jobs that no worker holds, in the background. They cannot be brought back. */
  readonly deleteJobs = this.begins('POST /api/v1/jobs/deletions', { confirm: true });
  /** Which jobs `deleteJobs` would delete. Changes nothing. */
  readonly previewDeleteJobs = this.previews('POST /api/v1/jobs/deletions', { confirm: false });

  /** Waits until the operation has ended: completed, stopped by its rule, or cancelled. */
  async finished(id: string, options?: CallOptions): Promise<OperationDetails> {
    for (;;) {
      const operation = await this.get(id, options);
      if (operation.endedAt !== null) return operation;
      await sleep(pollMs, options?.signal);
    }
  }
}
