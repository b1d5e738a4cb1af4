import type { ErrorShape } from '@spooled/domain';
import type { ActorText } from './actor.js';
import type {
  BatchCallback,
  ClaimRef,
  ClaimedJob,
  Completion,
  DependencyMode,
  EnqueueResult,
  InboundWebhook,
  JobQuota,
  JsonText,
  LeaseProof,
  LogLine,
  NewJob,
  NewWorkflow,
  QueueScope,
  Timestamp,
  WorkerQuota,
  WorkflowJob,
} from './command-values.js';

/**
 * Every command with its body and its result. `issuedAt` is the database time at which a destructive command was accepted (null = any):
 * rows created later are not touched, however late the command runs.
 * Adding a command: docs/architecture.md.
 */
export interface CommandMap {
  /** All jobs or none: an exceeded quota rejects the whole command. */
  'job.enqueue': {
    body: {
      jobs: NewJob[];
      quota: JobQuota;
      defaults: { maxRetries: number; timeoutSeconds: number };
      /** The webhook that the only job comes from, for the log of inbound webhooks. */
      inbound?: InboundWebhook;
      /** Within `batch.add`. */
      batchId?: string;
    };
    result: { jobs: EnqueueResult[] };
  };
  'job.claim': {
    /** The claim ends with the job whose payload reaches `maxBytes`; absent = `maxDocumentBytesPerStatement`, which is also the most. */
    body: { queueName: string; workerId: string; limit: number; leaseSeconds: number; maxBytes?: number };
    /** `adopted`: an earlier run of the same claim had granted these leases. */
    result: { jobs: ClaimedJob[]; adopted?: true };
  };
  'job.complete': {
    body: LeaseProof & { result: JsonText | null };
    /** From the start of the attempt to its end; null when the command found its own work done. */
    result: { durationMs: number | null };
  };
  /** Many completions in one message, each independent of the others. Outcome i belongs to job i. */
  'job.completeMany': {
    body: { jobs: Completion[]; queues: QueueScope };
    result: { outcomes: Outcome<'job.complete'>[] };
  };
  /** `minDelayMs`: a retry waits at least as long, whatever its backoff. */
  'job.fail': {
    body: LeaseProof & { error: string; retry: boolean; minDelayMs?: number };
    /** `cancelled`: the job was asked to end, so its failure has cancelled it. */
    result: { willRetry: boolean; nextRetryDelaySecs: number; cancelled?: true };
  };
  'job.renew': {
    body: LeaseProof & { leaseSeconds: number };
    /** `cancelRequested`: the worker should end the job, and report it as failed. */
    result: { leaseExpiresAt: Timestamp; cancelRequested?: true };
  };
  /** `progress` in percent. `workerId` null: the worker that holds the job. */
  'job.progress': {
    body: Omit<LeaseProof, 'workerId'> & { workerId: string | null; progress: number; message: string | null };
    result: { reportedAt: Timestamp };
  };
  /** Adds lines to the log of the attempt. Those whose numbers were reported before are ignored, those beyond its bounds only counted. */
  'job.appendLogs': {
    body: LeaseProof & { lines: LogLine[] };
    result: { kept: number; omitted: number };
  };
  /** Keeps the result of a finished step across attempts; the first result of a name stays. */
  'job.recordStep': {
    body: LeaseProof & { step: string; result: JsonText | null };
    result: { recordedAt: Timestamp };
  };
  /**
   * Puts a job aside until a time (`sleep`) or a signal, at the latest for `waitMs`: it gives its lease up and uses no attempt. `isOver`: the
   * wait has ended already, and the lease continues.
   */
  'job.wait': {
    body: LeaseProof & { step: string; waitFor: 'sleep' | 'signal'; waitMs: number };
    result: { isOver: boolean };
  };
  /**
   * Gives a job the value that it waits for or will wait for. `accepted` false: an earlier signal counts. `knownAt`: when the sender got to
   * know the wait; a job that has completed since then and runs again refuses it.
   */
  'job.signal': {
    body: { jobId: string; step: string; payload: JsonText | null; queues: QueueScope; knownAt?: Timestamp };
    result: { accepted: boolean; resumed: boolean };
  };
  /**
   * Returns jobs to pending without using up an attempt, if these leases still hold them. `claims` stand for all jobs that were
   * granted to them; a claim named here can no longer run. `delivered`: the worker had received the jobs, so their history shows the release.
   * `delayMs`: the job is claimable only then.
   */
  'job.release': {
    body: { leases: { jobId: string; leaseId: string; delayMs?: number }[]; claims?: ClaimRef[]; delivered?: boolean };
    result: { releasedJobs: number };
  };
  'job.cancel': { body: { jobId: string; queues: QueueScope }; result: { oldStatus: string } };
  /** As `job.cancel`, also for a running job: its worker is asked to end it, or with `force` its lease ends now. */
  'job.requestCancellation': {
    body: { jobId: string; queues: QueueScope; reason: string | null; force: boolean; graceSeconds: number | null };
    result: { status: 'processing' | 'cancelled'; requestedAt: Timestamp | null };
  };
  'job.retry': { body: { jobId: string; queues: QueueScope; quota: JobQuota }; result: { jobId: string } };
  /** Adds dependencies to a job that is not leased (SP-49). `mode` null = as it is, at first `all`. */
  'job.addDependencies': {
    body: { jobId: string; dependsOn: string[]; mode: DependencyMode | null; queues: QueueScope };
    result: { added: string[]; met: boolean };
  };
  'job.prioritize': {
    body: { jobId: string; priority: number; queues: QueueScope };
    result: { oldPriority: number; newPriority: number };
  };
  'deadletter.retry': {
    body: {
      jobIds: string[] | null;
      queueName: string | null;
      limit: number;
      quota: JobQuota;
      /** Above this number of workflows their steps stay dead letters; null = any number. */
      maxWorkflows: number | null;
    };
    /** `skippedIds`: steps that stayed. */
    result: { jobIds: string[]; skippedIds: string[] };
  };
  'deadletter.purge': {
    body: {
      jobIds: string[] | null;
      queueName: string | null;
      olderThan: Timestamp | null;
      limit: number;
      issuedAt: Timestamp | null;
    };
    result: { purged: number };
  };
  /** Removes a queue's jobs and its registration; rejected with 409 while it has live jobs unless `deleteJobs`. */
  'queue.delete': {
    body: { queueName: string; deleteJobs: boolean; issuedAt: Timestamp | null };
    result: { deletedJobs: number };
  };
  /** Runs a schedule now, even if paused; its regular run times do not change. */
  'schedule.trigger': {
    body: { scheduleId: string; jobId: string; queues: QueueScope; quota: JobQuota };
    result: { jobId: string; triggeredAt: Timestamp };
  };
  /** All jobs or none. */
  'workflow.create': {
    body: {
      workflow: NewWorkflow;
      jobs: WorkflowJob[];
      quota: JobQuota;
      maxWorkflows: number | null;
      defaults: { maxRetries: number; timeoutSeconds: number };
    };
    result: { workflowId: string };
  };
  'workflow.cancel': { body: { workflowId: string; queues: QueueScope }; result: { cancelledJobs: number } };
  'workflow.retry': {
    /** `fromJob`: the id or key of a job, from which on all run again; absent = those that did not complete. */
    body: { workflowId: string; queues: QueueScope; quota: JobQuota; fromJob?: string | null };
    result: { requeuedJobs: number };
  };
  /** `callbacks`: jobs to create when the batch's jobs have ended; their ids are not used. */
  'batch.create': {
    body: {
      batch: { id: string; name: string | null; metadata: JsonText | null };
      callbacks: Partial<Record<BatchCallback, NewJob>>;
      /** Of the creator: what decides who sees a batch that has neither callbacks nor jobs. */
      queues: QueueScope;
      quota: JobQuota;
      maxOpenBatches: number | null;
      defaults: { maxRetries: number; timeoutSeconds: number };
    };
    result: { batchId: string };
  };
  /** All jobs or none. A job that existed under its idempotency key does not join the batch. */
  'batch.add': {
    body: {
      batchId: string;
      jobs: NewJob[];
      maxJobs: number;
      quota: JobQuota;
      queues: QueueScope;
      defaults: { maxRetries: number; timeoutSeconds: number };
    };
    result: { jobs: EnqueueResult[] };
  };
  /** Nothing can be added afterwards. */
  'batch.close': { body: { batchId: string; queues: QueueScope }; result: { closed: boolean } };
  /** Closes the batch and cancels its waiting jobs in the background. */
  'batch.cancel': { body: { batchId: string; queues: QueueScope }; result: { cancelled: boolean } };
  'worker.register': {
    body: {
      workerId: string;
      queueName: string;
      hostname: string;
      workerType: string | null;
      maxConcurrency: number;
      metadata: JsonText | null;
      version: string | null;
      queues: QueueScope;
    } & WorkerQuota;
    result: { workerId: string };
  };
  'worker.heartbeat': {
    body: {
      workerId: string;
      currentJobs: number;
      /** null = as before, where an offline worker becomes healthy. */
      status: string | null;
      metadata: JsonText | null;
      queues: QueueScope;
    } & WorkerQuota;
    result: { status: string };
  };
  /** Tells a worker to drain: it gets no more jobs until it is resumed or registers again. */
  'worker.drain': { body: { workerId: string; queues: QueueScope }; result: { workerId: string } };
  /** Ends the drain of a worker. */
  'worker.resume': {
    body: { workerId: string; queues: QueueScope } & WorkerQuota;
    result: { workerId: string };
  };
  /** Marks a worker offline; its leases run on. */
  'worker.deregister': {
    body: { workerId: string; queues: QueueScope; issuedAt: Timestamp | null };
    result: { workerId: string };
  };
}

/** From where a command was given. */
export interface CommandOrigin {
  address: string | null;
  userAgent: string | null;
}

export type CommandKind = keyof CommandMap;
export type CommandBody<K extends CommandKind> = CommandMap[K]['body'];
export type CommandResult<K extends CommandKind> = CommandMap[K]['result'];

/**
 * The action that the audit log records for each kind; null if the history of the job shows it, or the list of workers. Recorded are those
 * that change settings, may change several jobs, or keep a worker from them; of a single job, only acts that reach others.
 */
export const auditActions = {
  'job.enqueue': null,
  'job.claim': null,
  'job.complete': null,
  'job.completeMany': null,
  'job.fail': null,
  'job.renew': null,
  'job.progress': null,
  'job.appendLogs': null,
  'job.recordStep': null,
  'job.wait': null,
  'job.signal': null,
  'job.release': null,
  'job.cancel': 'job.cancelled',
  'job.requestCancellation': 'job.cancellation_requested',
  'job.retry': 'job.retried',
  'job.addDependencies': null,
  'job.prioritize': null,
  'deadletter.retry': 'deadletter.retried',
  'deadletter.purge': 'deadletter.purged',
  'queue.delete': 'queue.deleted',
  'schedule.trigger': null,
  'workflow.create': null,
  'workflow.cancel': 'workflow.cancelled',
  'workflow.retry': 'workflow.retried',
  'batch.create': 'batch.created',
  'batch.add': null,
  'batch.close': 'batch.closed',
  'batch.cancel': 'batch.cancelled',
  'worker.register': null,
  'worker.heartbeat': null,
  'worker.drain': 'worker.drained',
  'worker.resume': 'worker.resumed',
  'worker.deregister': null,
} satisfies Record<CommandKind, string | null>;

/** Every kind; a kind that is missing does not compile. The engine checks its handlers against this list at boot. */
export const commandKinds = Object.keys(auditActions) as CommandKind[];

/** Commands that the audit log records. */
export const auditedKinds: ReadonlySet<CommandKind> = new Set(
  commandKinds.filter((kind) => auditActions[kind] !== null),
);

export interface CommandOf<K extends CommandKind> {
  /** UUIDv7, made by the caller; also the seed of a claim's lease ids. */
  id: string;
  kind: K;
  organizationId: string;
  /** Milliseconds after which the sender stops waiting; a command past it is dropped, never run late. */
  ttlMs: number;
  traceparent: string | null;
  /** Where it came from, of commands that the audit log records. */
  origin?: CommandOrigin;
  /** Who gave the command (`parseActor`); null when its sender did not say, as releases before this member did. */
  actor: ActorText | null;
  body: CommandBody<K>;
  /** Set by the transport when an earlier delivery may already have run. */
  redelivered?: boolean;
  /**
   * Number of this delivery, from 1; `takeoverDelivery` when the sender runs the command itself; absent when it was never sent.
   * A run fences off all runs with a lower number.
   */
  delivery?: number;
}

/** Higher than any delivery number of a transport: the sender runs the command itself. Fits PostgreSQL's smallint. */
export const takeoverDelivery = 32_767;

/** Any command; discriminated by `kind`. */
export type Command = { [K in CommandKind]: CommandOf<K> }[CommandKind];

export type Outcome<K extends CommandKind = CommandKind> =
  | { ok: true; value: CommandResult<K> }
  | { ok: false; error: ErrorShape };
