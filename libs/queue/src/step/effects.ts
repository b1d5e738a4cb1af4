import { isTerminal } from '@spooled/domain';
import type { DeliveryRef, EventBatch, EventEnvelope, explainSchemas, LeaseRef } from '@spooled/contracts';
import type { Transaction, Wakeup } from '@spooled/data-access';
import type { DecidedDelivery, SettledWorkflows } from './answers.js';
import { LeaseChanges } from './lease-changes.js';
import { TouchedWorkflows } from './touched-workflows.js';

/** A phase of a job that ended in this transaction, shown in the trace of the request that created the job (BX-07). */
export interface JobSpan {
  name: 'queue wait' | 'attempt';
  /** W3C trace context kept in the job's record. */
  traceparent: string;
  organizationId: string;
  jobId: string;
  queueName: string;
  startTime: string;
  endTime: string;
  workerId: string;
  /** Why the attempt failed. */
  error?: string;
  /** Why the job waited, as far as its claim knows. */
  waitReasons?: WaitReason[];
}

/** As explanations of jobs name them. */
export type WaitReason = Extract<
  explainSchemas.JobReason['code'],
  'dependencies' | 'scheduled' | 'retry_backoff' | 'queue_paused' | 'concurrency_limit'
>;

/** What a caller did with a workflow. */
export interface WorkflowChange {
  organizationId: string;
  workflowId: string;
  change: 'created' | 'cancelled' | 'retried';
}

/** A worker is asked to end a job, or its lease has been ended for a cancellation. */
export interface CancelRequest extends LeaseRef {
  queueName: string;
  workerId: string;
  reason: string | null;
  at: string;
}

/** How long jobs waited before an attempt that began, or ran before they completed. Milliseconds. */
export type Durations = { organizationId: string; queueName: string; ms: { wait?: number; run?: number } }[];

/** Messages to send after a commit. All of them are best effort: losing one never loses a job. */
export interface Effects {
  events: EventBatch[];
  deliveries: DeliveryRef[];
  wakeups: Wakeup[];
  spans: JobSpan[];
  workflowChanges: WorkflowChange[];
  cancelRequests: LeaseRef[];
}

/** Collects the effects of one transaction: events grouped by organization, each queue woken once. */
export class EffectsBuilder {
  private readonly events = new Map<string, EventEnvelope[]>();
  private readonly queues = new Map<string, Wakeup>();
  private readonly deliveries: DeliveryRef[] = [];
  private readonly spans: JobSpan[] = [];
  private readonly workflowChanges: WorkflowChange[] = [];
  private readonly cancelRequests: LeaseRef[] = [];
  /** Counted after the commit. */
  readonly durations: Durations = [];
  /** Workflows to update as the last step of the transaction itself. */
  readonly workflows = new TouchedWorkflows();
  /** Changes to send to the lease store after the commit. */
  readonly leases = new LeaseChanges();

  /** @param wantsEvents false: nobody receives live events, so that callers need not make them, and they are dropped */
  constructor(readonly wantsEvents = true) {}

  event(organizationId: string, ...envelopes: EventEnvelope[]): void {
    if (!this.wantsEvents) return;
    const known = this.events.get(organizationId);
    if (known) known.push(...envelopes);
    else this.events.set(organizationId, envelopes);
  }

  statusChange(
    organizationId: string,
    job: { id: string; queue: string },
    change: { from: StatusName; to: StatusName; at: string },
  ): void {
    // Completions are frequent and report their workflow themselves.
    if ((isTerminal(change.to) && change.to !== 'completed') || isTerminal(change.from)) {
      this.workflows.job(organizationId, job.id);
    }
    this.event(organizationId, {
      type: 'JobStatusChange',
      data: {
        job_id: job.id,
        queue_name: job.queue,
        old_status: change.from,
        new_status: change.to,
        status: change.to,
        timestamp: change.at,
      },
    });
  }

  workflowChange(organizationId: string, workflowId: string, change: WorkflowChange['change']): void {
    this.workflowChanges.push({ organizationId, workflowId, change });
  }

  /** The worker learns of it at once where it is connected to a stream, and otherwise by its next renewal. */
  cancelRequested({ organizationId, jobId, leaseId, queueName, workerId, reason, at }: CancelRequest): void {
    this.cancelRequests.push({ organizationId, jobId, leaseId });
    const data = { job_id: jobId, queue_name: queueName, worker_id: workerId, reason, timestamp: at };
    this.event(organizationId, { type: 'JobCancelRequested', data });
  }

  wake(organizationId: string, queueName: string): void {
    this.queues.set(`${organizationId} ${queueName}`, { organizationId, queueName });
  }

  deliver(decided: DecidedDelivery[]): void {
    for (const { id, organization } of decided) this.deliveries.push({ id, organizationId: organization });
  }

  /** Updates the workflows and batches that the transaction has touched, as its last step, and collects their events and webhook deliveries. */
  async updateWorkflows(tx: Transaction): Promise<void> {
    const settled = await this.workflows.updateStatuses(tx);
    if (!settled) return;
    this.deliver(settled.deliveries);
    for (const change of settled.changes) this.event(change.org, ...workflowEvents(change, settled.moment));
    for (const { organization, id: job_id, queue: queue_name, priority } of settled.callbacks) {
      this.event(organization, {
        type: 'JobCreated',
        data: { job_id, queue_name, priority, timestamp: settled.moment },
      });
      this.wake(organization, queue_name);
    }
  }

  /** Jobs created without a trace have none to add to. */
  span(span: Omit<JobSpan, 'traceparent'> & { traceparent: string | null }): void {
    const { traceparent } = span;
    if (traceparent !== null) this.spans.push({ ...span, traceparent });
  }

  /** Hands the effects over after the commit, if there are any. */
  publish(to: { onEffects(effects: Effects): void }): void {
    const effects = this.build();
    if (!isEmpty(effects)) to.onEffects(effects);
  }

  build(): Effects {
    return {
      events: [...this.events].map(([organizationId, events]) => ({ organizationId, events })),
      deliveries: this.deliveries,
      wakeups: [...this.queues.values()],
      spans: this.spans,
      workflowChanges: this.workflowChanges,
      cancelRequests: this.cancelRequests,
    };
  }
}

/** A workflow that ends with its first job starts and ends at once. */
function workflowEvents(change: SettledWorkflows['changes'][number], timestamp: string): EventEnvelope[] {
  const { id: workflow_id, org: _, old_status, status, ...rest } = change;
  const data = { workflow_id, ...rest, timestamp };
  const events: EventEnvelope[] = [];
  if (old_status === 'pending' || status === 'running') {
    events.push({ type: 'WorkflowStarted', data: { ...data, status: 'running' } });
  }
  if (status !== 'running') {
    events.push({ type: status === 'completed' ? 'WorkflowCompleted' : 'WorkflowFailed', data: { ...data, status } });
  }
  return events;
}

type StatusName = Extract<EventEnvelope, { type: 'JobStatusChange' }>['data']['new_status'];

export const isEmpty = (effects: Effects): boolean =>
  Object.values(effects).every((messages: unknown[]) => messages.length === 0);
