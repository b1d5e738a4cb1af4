// What runs in a browser: REST and server-sent events over fetch, without gRPC, WebSocket, worker and Node.js.
import { Credentials } from './http/credentials.js';
import { HttpClient } from './http/http-client.js';
import { type RetryOptions, retryPolicyOf } from './http/retry-policy.js';

export { fromWire } from './http/case.js';
export {
  AccessDeniedError,
  AuthenticationError,
  ConflictError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  ServerError,
  SpooledError,
  ValidationError,
} from './http/errors.js';
export type { HttpClient } from './http/http-client.js';
export { parseJson, writeJson } from './http/json.js';
export type { RealtimeEvent, RealtimeEventName } from './realtime/events.js';
export { keepConnected } from './realtime/keep-connected.js';
export { sseStream } from './realtime/sse-stream.js';
export { Admin } from './resources/admin.js';
export { ApiKeys } from './resources/api-keys.js';
export { Audit, type AuditEntry } from './resources/audit.js';
export { HealthChecks } from './resources/health.js';
export {
  type Job,
  type JobExplanation,
  type JobFilters,
  type JobPage,
  Jobs,
  type JobSummary,
} from './resources/jobs.js';
export { type JobLogs, type JobTimeline, type NewJob } from './resources/jobs.js';
export { Monitoring } from './resources/monitoring.js';
export { type Throttle, type ThrottlePreview, Throttles } from './resources/throttles.js';
export {
  type Operation,
  type OperationDetails,
  type OperationJob,
  type OperationPreview,
  Operations,
} from './resources/operations.js';
export { Organizations } from './resources/organizations.js';
export { OutgoingWebhooks, type ResendPreview } from './resources/outgoing-webhooks.js';
export { type QueueExplanation, Queues } from './resources/queues.js';
export { Schedules } from './resources/schedules.js';
export { Workers } from './resources/workers.js';
export { type Batch, type BatchJob, type BatchJobsQuery, Batches } from './resources/batches.js';
export { Workflows } from './resources/workflows.js';
export type { AnyRoute, Body, List, ListQuery, Query, ResponseBody, Row } from './routes.js';

export interface BrowserOptions {
  /** Default: the origin of the page. */
  baseUrl?: string;
  /** Sent with every request, such as a header that tells who calls. */
  headers?: Record<string, string>;
  /** Timeout of one attempt in milliseconds. @default 30000 */
  timeoutMs?: number;
  retry?: RetryOptions;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** A client for pages of the server itself, which identifies the user by a cookie of the same origin. */
export function createBrowserClient({
  baseUrl = '',
  headers,
  timeoutMs,
  retry,
  fetch: send = (input, init) => fetch(input, init),
}: BrowserOptions = {}): HttpClient {
  return new HttpClient({
    baseUrl,
    credentials: new Credentials(undefined, undefined, undefined),
    timeoutMs: timeoutMs ?? 30_000,
    retry: retryPolicyOf(retry),
    fetch: (input, init) =>
      send(input, { ...init, credentials: 'same-origin', headers: { ...(init?.headers as object), ...headers } }),
    largeIntegers: 'bigint',
  });
}
