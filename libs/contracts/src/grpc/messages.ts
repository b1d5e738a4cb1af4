/**
 * The messages of the proto files as protobufjs reads and writes them: names as in the files, 64-bit integers as text, enums by
 * name, and every field present, absent messages as null.
 */

export interface Value {
  nullValue?: 'NULL_VALUE' | 0;
  numberValue?: number;
  stringValue?: string;
  boolValue?: boolean;
  structValue?: Struct;
  listValue?: { values: Value[] };
}

export interface Struct {
  fields: Record<string, Value>;
}

export interface Timestamp {
  /** Seconds since 1970; text where it was read. */
  seconds: string | number;
  nanos: number;
}

export interface Job {
  id: string;
  organization_id: string;
  queue_name: string;
  /** Such as `JOB_STATUS_PENDING`. */
  status: string;
  payload: Struct | null;
  result: Struct | null;
  retry_count: number;
  max_retries: number;
  last_error: string;
  priority: number;
  timeout_seconds: number;
  created_at: Timestamp | null;
  scheduled_at: Timestamp | null;
  started_at: Timestamp | null;
  completed_at: Timestamp | null;
  lease_expires_at: Timestamp | null;
  assigned_worker_id: string;
  idempotency_key: string;
  lease_id: string;
}

export interface EnqueueRequest {
  queue_name: string;
  payload: Struct | null;
  priority: number;
  max_retries: number;
  timeout_seconds: number;
  scheduled_at: Timestamp | null;
  idempotency_key: string;
  tags: Record<string, string>;
}

export interface EnqueueResponse {
  job_id: string;
  created: boolean;
}

export interface DequeueRequest {
  queue_name: string;
  worker_id: string;
  lease_duration_secs: number;
  batch_size: number;
}

export interface DequeueResponse {
  jobs: Job[];
}

export interface CompleteRequest {
  job_id: string;
  worker_id: string;
  result: Struct | null;
  lease_id: string;
}

export interface CompleteResponse {
  success: boolean;
}

export interface FailRequest {
  job_id: string;
  worker_id: string;
  error: string;
  retry: boolean;
  lease_id: string;
}

export interface FailResponse {
  success: boolean;
  will_retry: boolean;
  next_retry_delay_secs: number;
}

export interface RenewLeaseRequest {
  job_id: string;
  worker_id: string;
  extension_secs: number;
  lease_id: string;
}

export interface RenewLeaseResponse {
  success: boolean;
  new_expires_at: Timestamp | null;
}

export interface GetJobRequest {
  job_id: string;
}

export interface GetJobResponse {
  job: Job | null;
}

export interface GetQueueStatsRequest {
  queue_name: string;
}

export interface GetQueueStatsResponse {
  queue_name: string;
  pending: number;
  scheduled: number;
  processing: number;
  completed: number;
  failed: number;
  deadletter: number;
  total: number;
  max_age_ms: number;
}

export interface StreamJobsRequest {
  queue_name: string;
  worker_id: string;
  lease_duration_secs: number;
}

/** At most one member is set; all are absent in a request that names nothing. */
export interface ProcessRequest {
  dequeue?: DequeueRequest;
  complete?: CompleteRequest;
  fail?: FailRequest;
  renew_lease?: RenewLeaseRequest;
}

export interface ProcessResponse {
  job?: Job;
  complete?: CompleteResponse;
  fail?: FailResponse;
  renew_lease?: RenewLeaseResponse;
  error?: ErrorResponse;
}

export interface ErrorResponse {
  code: string;
  message: string;
}

export interface RegisterWorkerRequest {
  queue_name: string;
  hostname: string;
  worker_type: string;
  max_concurrency: number;
  version: string;
  metadata: Record<string, string>;
}

export interface RegisterWorkerResponse {
  worker_id: string;
  lease_duration_secs: number;
  heartbeat_interval_secs: number;
}

export interface HeartbeatRequest {
  worker_id: string;
  current_jobs: number;
  status: string;
  metadata: Record<string, string>;
}

export interface HeartbeatResponse {
  acknowledged: boolean;
  should_drain: boolean;
}

export interface DeregisterRequest {
  worker_id: string;
}

export interface DeregisterResponse {
  success: boolean;
}
