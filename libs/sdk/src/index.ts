export { Spooled, type SpooledOptions } from './spooled.js';
export type { LargeIntegers } from './http/json.js';
export type { CallOptions } from './http/http-client.js';
export type { RetryOptions } from './http/retry-policy.js';
export {
  AccessDeniedError,
  AuthenticationError,
  ConflictError,
  LeaseExpiredError,
  NetworkError,
  NotFoundError,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  SpooledError,
  ValidationError,
} from './http/errors.js';
export type { AnyRoute, ResponseBody, Body, List, ListQuery, Query, Row } from './routes.js';
export type {
  ClaimedJob,
  Job,
  JobEvent,
  JobExplanation,
  JobFilters,
  JobLogs,
  JobPage,
  JobStep,
  JobSummary,
  JobTimeline,
  NewJob,
} from './resources/jobs.js';
export type { ResendPreview } from './resources/outgoing-webhooks.js';
export type { KnownQueueSettings, QueueDeletionPreview, QueueExplanation, QueueSettings } from './resources/queues.js';
export type { AuditEntry } from './resources/audit.js';
export type { CauseMute, FailureCause } from './resources/dead-letters.js';
export type { Throttle, ThrottlePreview } from './resources/throttles.js';
export type { Operation, OperationDetails, OperationJob, OperationPreview } from './resources/operations.js';
export type { Organization } from './resources/organizations.js';
export type { OutgoingWebhook } from './resources/outgoing-webhooks.js';
export type { Schedule } from './resources/schedules.js';
export type { Batch, BatchesQuery, BatchJob, BatchJobsQuery } from './resources/batches.js';
export type { Workflow, WorkflowJob } from './resources/workflows.js';
export type { RealtimeEvent, RealtimeEventName } from './realtime/events.js';
export type { SubscribeOptions } from './realtime/realtime.js';
export type { Subscription } from './realtime/subscription.js';
export {
  githubSignature,
  standardHeaders,
  stripeSignature,
  verifyWebhook,
  type ReceivedWebhook,
} from './signatures.js';
export { type Handler, JobCancelled, type JobContext, PermanentError, type QueueHandlers } from './worker/handlers.js';
export { StepTimeoutError, type Steps, type WaitForOptions } from './worker/steps.js';
export type { JobLog } from './worker/run-log.js';
export type { LeasedJob, LogLine, LogStore, StepStore, StoredStep, WorkSource } from './worker/work-source.js';
export { Worker, type WorkerOptions } from './worker/worker.js';
export { App, type AppOptions, type WorkOptions } from './app/app.js';
export { connect, type ConnectOptions } from './app/connect.js';
export type { EndedJob, EnqueuedJob, GivenSignal } from './app/connection.js';
export { defineJob } from './app/define-job.js';
export type { Duration } from './app/duration.js';
export type { HandlerContext } from './app/handler-context.js';
export type {
  AnyHandledJob,
  EnqueueOptions,
  HandledJob,
  Job as JobDefinition,
  JobHandler,
  NewPayload,
  ScheduleOptions,
  WaitOptions,
} from './app/job.js';
export type { Received } from './app/received.js';
export { JobFailedError, JobTimeoutError } from './app/job-errors.js';
export type { BackoffOptions, JobOptions } from './app/job-settings.js';
export type { Logger } from './app/logger.js';
export type { Schema } from './app/schema.js';
