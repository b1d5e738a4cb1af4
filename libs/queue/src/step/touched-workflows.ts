import type { Transaction } from '@spooled/data-access';
import { settledWorkflows, type SettledWorkflows } from './answers.js';
import { updateWorkflowStatus } from './update-workflow-status.queries.js';

interface Touched {
  jobs: Set<string>;
  members: Set<string>;
  flows: Set<string>;
  cancel: Set<string>;
}

/** Workflows and batches whose jobs a transaction changed; they are updated last in the transaction. */
export class TouchedWorkflows {
  private readonly parts = new Map<string, Touched>();

  /** A job that ended or was requeued; its workflow or batch, if any, is looked up by `updateStatuses`. */
  job(organizationId: string, jobId: string): void {
    this.part(organizationId).jobs.add(jobId);
  }

  /** A job that ended or was deleted, and its workflow or batch. */
  member(organizationId: string, workflowId: string, jobId: string): void {
    this.workflow(organizationId, workflowId);
    this.part(organizationId).members.add(jobId);
  }

  workflow(organizationId: string, workflowId: string): void {
    this.part(organizationId).flows.add(workflowId);
  }

  /** Becomes `cancelled` unless it has ended. */
  cancel(organizationId: string, workflowId: string): void {
    this.part(organizationId).cancel.add(workflowId);
  }

  /**
   * Computes each workflow's status from its jobs, and counts those of batches. Must be the last statement of the transaction: workflow locks are
   * taken after all others, in one order, so that jobs of one workflow may end in many concurrent transactions. No
   * statement when nothing was touched.
   * @returns the workflows whose status has changed, the callback jobs of batches, and the webhook deliveries recorded for both
   */
  async updateStatuses(tx: Transaction): Promise<SettledWorkflows | null> {
    if (this.parts.size === 0) return null;
    const batch = [...this.parts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([org, { jobs, members, flows, cancel }]) => {
        return { org, jobs: [...jobs], members: [...members], flows: [...flows], cancel: [...cancel] };
      });
    const row = await tx.one(updateWorkflowStatus, { batch: JSON.stringify(batch) });
    return settledWorkflows.parse(row.settled);
  }

  private part(organizationId: string): Touched {
    let part = this.parts.get(organizationId);
    if (!part) {
      part = { jobs: new Set(), members: new Set(), flows: new Set(), cancel: new Set() };
      this.parts.set(organizationId, part);
    }
    return part;
  }
}
