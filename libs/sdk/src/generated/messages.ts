// Written by generate.mjs from libs/contracts/proto. Do not edit.

import type { Struct, Timestamp } from '../grpc/well-known.js';

export type JobStatus =
  | 'JOB_STATUS_UNSPECIFIED'
  | 'JOB_STATUS_PENDING'
  | 'JOB_STATUS_SCHEDULED'
  | 'JOB_STATUS_PROCESSING'
  | 'JOB_STATUS_COMPLETED'
  | 'JOB_STATUS_FAILED'
  | 'JOB_STATUS_DEADLETTER'
  | 'JOB_STATUS_CANCELLED';

export interface Job {
  id: string;
  organizationId: string;
  queueName: string;
  status: JobStatus;
  payload: Struct | null;
  result: Struct | null;
  retryCount: number;
  maxRetries: number;
  lastError: string;
  priority: number;
  timeoutSeconds: number;
  createdAt: Timestamp | null;
  scheduledAt: Timestamp | null;
  startedAt: Timestamp | null;
  completedAt: Timestamp | null;
  leaseExpiresAt: Timestamp | null;
  assignedWorkerId: string;
  idempotencyKey: string;
  leaseId: string;
}

export interface EnqueueRequest {
  queueName: string;
  payload: Struct | null;
  priority: number;
  maxRetries: number;
  timeoutSeconds: number;
  scheduledAt: Timestamp | null;
  idempotencyKey: string;
  tags: Record<string, string>;
}

export interface EnqueueResponse {
  jobId: string;
  created: boolean;
}

export interface DequeueRequest {
  queueName: string;
  workerId: string;
  leaseDurationSecs: number;
  batchSize: number;
}

export interface DequeueResponse {
  jobs: Job[];
}

export interface CompleteRequest {
  jobId: string;
  workerId: string;
  result: Struct | null;
  leaseId: string;
}

export interface CompleteResponse {
  success: boolean;
}

export interface FailRequest {
  jobId: string;
  workerId: string;
  error: string;
  retry: boolean;
  leaseId: string;
}

export interface FailResponse {
  success: boolean;
  willRetry: boolean;
  nextRetryDelaySecs: number;
}

export interface RenewLeaseRequest {
  jobId: string;
  workerId: string;
  extensionSecs: number;
  leaseId: string;
}

export interface RenewLeaseResponse {
  success: boolean;
  newExpiresAt: Timestamp | null;
}

export interface GetJobRequest {
  jobId: string;
}

export interface GetJobResponse {
  job: Job | null;
}

export interface GetQueueStatsRequest {
  queueName: string;
}

export interface GetQueueStatsResponse {
  queueName: string;
  pending: string;
  scheduled: string;
  processing: string;
  completed: string;
  failed: string;
  deadletter: string;
  total: string;
  maxAgeMs: string;
}

export interface StreamJobsRequest {
  queueName: string;
  workerId: string;
  leaseDurationSecs: number;
}

export interface ProcessRequest {
  dequeue?: DequeueRequest | null;
  complete?: CompleteRequest | null;
  fail?: FailRequest | null;
  renewLease?: RenewLeaseRequest | null;
}

export interface ProcessResponse {
  job?: Job | null;
  complete?: CompleteResponse | null;
  fail?: FailResponse | null;
  renewLease?: RenewLeaseResponse | null;
  error?: ErrorResponse | null;
}

export interface ErrorResponse {
  code: string;
  message: string;
}

export interface RegisterWorkerRequest {
  queueName: string;
  hostname: string;
  workerType: string;
  maxConcurrency: number;
  version: string;
  metadata: Record<string, string>;
}

export interface RegisterWorkerResponse {
  workerId: string;
  leaseDurationSecs: number;
  heartbeatIntervalSecs: number;
}

export interface HeartbeatRequest {
  workerId: string;
  currentJobs: number;
  status: string;
  metadata: Record<string, string>;
}

export interface HeartbeatResponse {
  acknowledged: boolean;
  shouldDrain: boolean;
}

export interface DeregisterRequest {
  workerId: string;
}

export interface DeregisterResponse {
  success: boolean;
}
