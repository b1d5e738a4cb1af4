/** What the bodies and results of commands consist of. */

import { type LogLevel, maxDocumentBytesPerStatement } from '@spooled/domain';

/** JSON as text. Callers' documents travel as the text they will be stored as: parsed and checked once, in the service that receives them. */
export type JsonText = string;
/** RFC 3339 in UTC. */
export type Timestamp = string;

/** The caps of the caller's plan that an insert must not overshoot; null = unlimited. Resolved by the gateway. */
export interface JobQuota {
  plan: string;
  upgradeTo: string | null;
  maxJobsPerDay: number | null;
  maxActiveJobs: number | null;
  maxQueues: number | null;
}

/** The cap that a worker must fit into when it registers, comes back or works again; null = none. */
export interface WorkerQuota {
  plan: string;
  upgradeTo: string | null;
  maxWorkers: number | null;
}

/** Queues that the caller's key may touch; null = all. */
export type QueueScope = string[] | null;

export interface NewJob {
  /** UUIDv7 made by the sender, so that a repeated command recognizes its own row. */
  id: string;
  queueName: string;
  payload: JsonText;
  /** `payload.job_type` when that is a string, else ''. Kept apart so that lists never read payloads. */
  jobType: string;
  priority: number;
  /** null = the queue's default, else the server's. */
  maxRetries: number | null;
  timeoutSeconds: number | null;
  scheduledAt: Timestamp | null;
  expiresAt: Timestamp | null;
  idempotencyKey: string | null;
  tags: JsonText | null;
  parentJobId: string | null;
  completionWebhook: string | null;
  completionWebhookSecret: string | null;
  /** `JobSettings` as JSON text; absent or null = those of the queue. */
  settings?: JsonText | null;
}

/** When the callback jobs of a batch are created. */
export const batchCallbacks = ['on_success', 'on_complete', 'on_death'] as const;
export type BatchCallback = (typeof batchCallbacks)[number];

/** An accepted inbound webhook. */
export interface InboundWebhook {
  /** Whose webhook it is: `custom`, `github`, `stripe` or `standard`. */
  provider: string;
  eventType: string;
}

export interface EnqueueResult {
  jobId: string;
  created: boolean;
}

export interface ClaimedJob {
  id: string;
  queueName: string;
  payload: JsonText;
  priority: number;
  retryCount: number;
  maxRetries: number;
  timeoutSeconds: number;
  leaseId: string;
  leaseExpiresAt: Timestamp;
  createdAt: Timestamp;
  scheduledAt: Timestamp | null;
  startedAt: Timestamp;
  idempotencyKey: string | null;
  /** W3C trace context of the request that enqueued the job. */
  traceparent: string | null;
}

/**
 * Whether a claim of up to `limit` jobs may have left jobs in the queue, because it was filled: it gets no more jobs once their payloads
 * have `maxBytes`.
 */
export function isFilled(
  jobs: readonly Pick<ClaimedJob, 'payload'>[],
  limit: number,
  maxBytes = maxDocumentBytesPerStatement,
): boolean {
  if (jobs.length >= limit) return true;
  // UTF-8 has at most three bytes per UTF-16 unit, so most claims need no exact count.
  const units = jobs.reduce((sum, { payload }) => sum + payload.length, 0);
  return units * 3 >= maxBytes && jobs.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0) >= maxBytes;
}

/** A job of a workflow and its dependencies within that workflow. */
export interface WorkflowJob {
  /** The caller's name for it within the workflow. */
  key: string;
  /** Its place in the caller's request. */
  index: number;
  job: NewJob;
  /** Ids of jobs of the same workflow. */
  dependsOn: string[];
  /** Whether all dependencies or any one must complete. */
  mode: DependencyMode;
}

export type DependencyMode = 'all' | 'any';

export interface NewWorkflow {
  /** UUIDv7 made by the sender, so that a repeated command recognizes its own row. */
  id: string;
  name: string;
  description: string | null;
  metadata: JsonText | null;
}

/** A worker's proof that it holds a job. Without `leaseId` the worker id alone identifies the lease. */
export interface LeaseProof {
  jobId: string;
  workerId: string;
  leaseId: string | null;
  queues: QueueScope;
}

/** A line of a job's log, as reported by its worker. */
export interface LogLine {
  /** Position in the attempt, from 1. */
  number: number;
  /** Milliseconds since it was written. */
  ageMs: number;
  level: LogLevel;
  message: string;
  fields: JsonText | null;
}

/** One completed job, as reported by its worker. */
export interface Completion {
  jobId: string;
  workerId: string;
  leaseId: string | null;
  result: JsonText | null;
}

/** A claim whose caller receives a different reply. */
export interface ClaimRef {
  /** The command's id, from which its lease ids are derived. */
  claimId: string;
  queueName: string;
  workerId: string;
  /** Number of the delivery that has this reply; a later one has its own, with jobs that remain its caller's. Absent = the sender has it. */
  delivery?: number;
}
