import { fromWire } from '../http/case.js';
import { NetworkError } from '../http/errors.js';
import { type LargeIntegers, parseJson } from '../http/json.js';

type JobStatus = 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';

interface WorkflowEventData {
  workflowId: string;
  name: string;
  status: string;
  totalJobs: number;
  completedJobs: number;
  failedJobs: number;
}

interface EventData {
  'job.status': { jobId: string; queueName: string; oldStatus: JobStatus | ''; newStatus: JobStatus };
  'job.created': { jobId: string; queueName: string; priority: number };
  'job.completed': { jobId: string; queueName: string; durationMs: number; result?: unknown };
  'job.failed': { jobId: string; queueName: string; error: string; retryCount: number };
  'job.progress': { jobId: string; queueName: string; workerId: string; progress: number; message: string | null };
  'job.cancel_requested': { jobId: string; queueName: string; workerId: string; reason: string | null };
  'queue.paused': { queueName: string; reason: string | null };
  'queue.resumed': { queueName: string };
  'queue.stats': { queueName: string; pending: number; processing: number; completed: number; failed: number };
  'worker.heartbeat': { workerId: string; status: string; currentJobId?: string | null };
  'worker.registered': { workerId: string; queueName: string };
  'worker.deregistered': { workerId: string };
  /** Its first job has ended, or it was retried. */
  'workflow.started': WorkflowEventData;
  'workflow.completed': WorkflowEventData;
  'workflow.failed': WorkflowEventData;
  'schedule.triggered': { scheduleId: string; jobId: string; queueName: string; source: 'schedule' | 'manual' };
  'system.health': { database: boolean; redis: boolean };
}

export type RealtimeEventName = keyof EventData;

/** A live event. Delivery is best effort; the REST routes return the authoritative state. */
export type RealtimeEvent = {
  [Name in RealtimeEventName]: { name: Name; data: EventData[Name] & { timestamp: string } };
}[RealtimeEventName];

const names = new Map<string, RealtimeEventName>([
  ['JobStatusChange', 'job.status'],
  ['JobCreated', 'job.created'],
  ['JobCompleted', 'job.completed'],
  ['JobFailed', 'job.failed'],
  ['JobProgress', 'job.progress'],
  ['JobCancelRequested', 'job.cancel_requested'],
  ['QueuePaused', 'queue.paused'],
  ['QueueResumed', 'queue.resumed'],
  ['QueueStats', 'queue.stats'],
  ['WorkerHeartbeat', 'worker.heartbeat'],
  ['WorkerRegistered', 'worker.registered'],
  ['WorkerDeregistered', 'worker.deregistered'],
  ['WorkflowStarted', 'workflow.started'],
  ['WorkflowCompleted', 'workflow.completed'],
  ['WorkflowFailed', 'workflow.failed'],
  ['ScheduleTriggered', 'schedule.triggered'],
  ['SystemHealth', 'system.health'],
]);

/** Parses an envelope. @returns undefined for pings and unknown events. @throws SpooledError for an invalid envelope */
export function readEvent(text: string, largeIntegers: LargeIntegers): RealtimeEvent | undefined {
  const { type, data } = parse(text, largeIntegers);
  const name = names.get(type);
  return name && ({ name, data: fromWire(data) } as RealtimeEvent);
}

function parse(text: string, largeIntegers: LargeIntegers): { type: string; data: unknown } {
  try {
    return parseJson(text, largeIntegers) as { type: string; data: unknown };
  } catch (error) {
    throw new NetworkError('The stream contains an invalid event', error);
  }
}
