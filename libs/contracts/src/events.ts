import type { JobStatus } from '@spooled/domain';
import type { JsonText, Timestamp } from './command-values.js';
import { rawJson } from './json-document.js';

/** Jobs as counted by the change of status. */
type WorkflowEventData = {
  workflow_id: string;
  name: string;
  status: string;
  total_jobs: number;
  completed_jobs: number;
  failed_jobs: number;
  timestamp: Timestamp;
};

/** The data of each live event, by the name that stands in `type` on the wire (realtime contract). */
export interface EventData {
  JobStatusChange: {
    job_id: string;
    queue_name: string;
    old_status: JobStatus | '';
    new_status: JobStatus;
    /** Equal to `new_status`; the Go SDK reads this name. */
    status: JobStatus;
    timestamp: Timestamp;
  };
  JobCreated: { job_id: string; queue_name: string; priority: number; timestamp: Timestamp };
  JobCompleted: {
    job_id: string;
    queue_name: string;
    duration_ms: number;
    /** A JSON document on the wire. */
    result?: JsonText;
    timestamp: Timestamp;
  };
  JobFailed: { job_id: string; queue_name: string; error: string; retry_count: number; timestamp: Timestamp };
  /** Of ours: published SDKs pass it through or drop it. `progress` in percent. */
  JobProgress: {
    job_id: string;
    queue_name: string;
    worker_id: string;
    progress: number;
    message: string | null;
    timestamp: Timestamp;
  };
  /** Of ours: the worker of a running job was asked to end it. */
  JobCancelRequested: {
    job_id: string;
    queue_name: string;
    worker_id: string;
    reason: string | null;
    timestamp: Timestamp;
  };
  QueuePaused: { queue_name: string; reason: string | null; timestamp: Timestamp };
  QueueResumed: { queue_name: string; timestamp: Timestamp };
  QueueStats: {
    queue_name: string;
    pending: number;
    processing: number;
    completed: number;
    failed: number;
    timestamp: Timestamp;
  };
  WorkerHeartbeat: { worker_id: string; status: string; current_job_id?: string; timestamp: Timestamp };
  WorkerRegistered: { worker_id: string; queue_name: string; timestamp: Timestamp };
  WorkerDeregistered: { worker_id: string; timestamp: Timestamp };
  /** Its first job has ended, or it was retried. */
  WorkflowStarted: WorkflowEventData;
  WorkflowCompleted: WorkflowEventData;
  WorkflowFailed: WorkflowEventData;
  ScheduleTriggered: {
    schedule_id: string;
    job_id: string;
    queue_name: string;
    source: 'schedule' | 'manual';
    timestamp: Timestamp;
  };
  SystemHealth: { database: boolean; redis: boolean; timestamp: Timestamp };
  Ping: { timestamp: Timestamp };
  Error: { message: string; timestamp: Timestamp };
}

export type EventType = keyof EventData;
export type EventEnvelope = { [T in EventType]: { type: T; data: EventData[T] } }[EventType];

/** An event as it goes over the wire. The result of a job is copied, so that its numbers keep their digits (BX-13). */
export function eventText(envelope: EventEnvelope): string {
  if (envelope.type !== 'JobCompleted' || envelope.data.result === undefined) return JSON.stringify(envelope);
  const { result, ...plain } = envelope.data;
  return rawJson({ type: envelope.type }, { data: rawJson(plain, { result }) });
}

/** The dotted names used by filters and as the `event:` line of server-sent events. */
export const dottedNames: Record<EventType, string> = {
  JobStatusChange: 'job.status',
  JobCreated: 'job.created',
  JobCompleted: 'job.completed',
  JobFailed: 'job.failed',
  JobProgress: 'job.progress',
  JobCancelRequested: 'job.cancel_requested',
  QueuePaused: 'queue.paused',
  QueueResumed: 'queue.resumed',
  QueueStats: 'queue.stats',
  WorkerHeartbeat: 'worker.heartbeat',
  WorkerRegistered: 'worker.registered',
  WorkerDeregistered: 'worker.deregistered',
  WorkflowStarted: 'workflow.started',
  WorkflowCompleted: 'workflow.completed',
  WorkflowFailed: 'workflow.failed',
  ScheduleTriggered: 'schedule.triggered',
  SystemHealth: 'system.health',
  Ping: 'ping',
  Error: 'error',
};

/** Events of one organization from one committed batch, in the order in which they happened. */
export interface EventBatch {
  organizationId: string;
  events: EventEnvelope[];
}

export type { JsonText };
