/** Routes that the OpenAPI document does not hold yet. What it describes wins; a line here goes when it does. */
export interface UndescribedRoutes {
  'POST /api/v1/jobs/{id}/dependencies': {
    query: never;
    body: { dependsOn: string[]; dependencyMode?: 'all' | 'any' };
    answer: { jobId: string; dependenciesAdded: number; dependenciesMet: boolean };
  };
  'POST /api/v1/auth/login': { query: never; body: { apiKey: string }; answer: LoginGrant };
  'POST /api/v1/auth/refresh': { query: never; body: { refreshToken: string }; answer: AccessGrant };
  'POST /api/v1/auth/logout': { query: never; body: { refreshToken?: string | null }; answer: void };
  'GET /api/v1/auth/me': {
    query: never;
    body: never;
    answer: {
      organizationId: string;
      apiKeyId: string;
      queues: string[];
      issuedAt: string;
      expiresAt: string;
      organization: { id: string; name: string; slug: string; planTier: string; billingEmail: string | null } | null;
    };
  };
  'POST /api/v1/auth/validate': {
    query: never;
    body: { token: string };
    answer: {
      valid: boolean;
      error?: string;
      message: string;
      organizationId?: string;
      apiKeyId?: string;
      expiresAt?: string;
    };
  };
  'POST /api/v1/workflows': {
    query: never;
    body: { name: string; description?: string | null; metadata?: unknown; jobs: WorkflowJobInput[] };
    answer: { workflowId: string; jobIds: { key: string; jobId: string }[]; status: string };
  };
  'GET /api/v1/workflows': {
    query: { status?: WorkflowStatus; limit?: number; offset?: number };
    body: never;
    answer: Workflow[];
  };
  'GET /api/v1/workflows/{id}': { query: never; body: never; answer: WorkflowDetail };
  'POST /api/v1/workflows/{id}/cancel': { query: never; body: never; answer: Workflow };
  'POST /api/v1/workflows/{id}/retry': { query: never; body: never; answer: Workflow };
  'GET /api/v1/workflows/{id}/jobs': { query: never; body: never; answer: WorkflowJob[] };
  'GET /api/v1/workflows/{id}/jobs/status': {
    query: never;
    body: never;
    answer: { jobId: string; key: string; status: string; progress?: number | null; dependsOn?: string[] }[];
  };
  'GET /api/v1/workflows/{id}/jobs/{job_id}': { query: never; body: never; answer: WorkflowJob };
  'GET /api/v1/outgoing-webhooks': { query: never; body: never; answer: OutgoingWebhook[] };
  'POST /api/v1/outgoing-webhooks': {
    query: never;
    body: { name: string; url: string; events: WebhookEvent[]; secret?: string | null; enabled?: boolean };
    answer: OutgoingWebhook;
  };
  'GET /api/v1/outgoing-webhooks/{id}': { query: never; body: never; answer: OutgoingWebhook };
  'PUT /api/v1/outgoing-webhooks/{id}': {
    query: never;
    body: { name?: string; url?: string; events?: WebhookEvent[]; secret?: string | null; enabled?: boolean };
    answer: OutgoingWebhook;
  };
  'DELETE /api/v1/outgoing-webhooks/{id}': { query: never; body: never; answer: void };
  'POST /api/v1/outgoing-webhooks/{id}/test': {
    query: never;
    body: never;
    answer: { success: boolean; statusCode: number | null; responseTimeMs: number; error: string | null };
  };
  'GET /api/v1/outgoing-webhooks/{id}/deliveries': {
    query: { status?: 'pending' | 'success' | 'failed'; limit?: number; offset?: number };
    body: never;
    answer: WebhookDelivery[];
  };
  'POST /api/v1/outgoing-webhooks/{id}/retry/{delivery_id}': {
    query: never;
    body: never;
    answer: { success: boolean; message: string; deliveryId: string; status: string };
  };
  'POST /api/v1/webhooks/{org_id}/custom': {
    query: never;
    body: { queueName: string; payload: unknown; eventType?: string; idempotencyKey?: string; priority?: number };
    answer: { jobId: string; queueName: string; status: string; created: boolean };
  };
}

type WebhookEvent =
  | 'job.created'
  | 'job.started'
  | 'job.completed'
  | 'job.failed'
  | 'job.cancelled'
  | 'queue.paused'
  | 'queue.resumed'
  | 'worker.registered'
  | 'worker.deregistered'
  | 'schedule.triggered';

interface AccessGrant {
  accessToken: string;
  tokenType: 'Bearer';
  /** Seconds. */
  expiresIn: number;
}

interface LoginGrant extends AccessGrant {
  refreshToken: string;
  /** Seconds. */
  refreshExpiresIn: number;
}

type WorkflowStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';

interface WorkflowJobInput {
  /** Unique within the workflow. */
  key: string;
  queueName: string;
  payload: unknown;
  /** Keys of the jobs that must complete before this one starts. */
  dependsOn?: string[];
  dependencyMode?: 'all' | 'any';
  priority?: number;
  maxRetries?: number;
  timeoutSeconds?: number;
  expiresAt?: string;
}

interface Workflow {
  id: string;
  name: string;
  description: string | null;
  status: WorkflowStatus;
  totalJobs: number;
  completedJobs: number;
  failedJobs: number;
  progressPercent: number;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  metadata: unknown;
}

interface WorkflowDetail extends Workflow {
  organizationId: string;
  jobs: Record<string, unknown>[];
  dependencies: { parentJobId: string; childJobId: string; dependencyType: string }[];
  progress: { total: number; completed: number; failed: number; pending: number; processing: number };
}

interface WorkflowJob {
  id: string;
  workflowId: string;
  key: string;
  queueName: string;
  status: string;
  payload: unknown;
  result: unknown;
  error: string | null;
  dependsOn: string[];
  dependencyMode: string | null;
  priority: number;
  maxRetries: number;
  attempt: number;
  timeoutSeconds: number;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
}

interface OutgoingWebhook {
  id: string;
  organizationId: string;
  name: string;
  url: string;
  events: string[];
  enabled: boolean;
  failureCount: number;
  lastTriggeredAt: string | null;
  lastStatus: 'success' | 'failed' | 'auto_disabled' | null;
  createdAt: string;
  updatedAt: string;
}

interface WebhookDelivery {
  id: string;
  webhookId: string;
  event: string;
  payload: Record<string, unknown>;
  status: 'pending' | 'success' | 'failed';
  statusCode: number | null;
  responseBody: string | null;
  error: string | null;
  attempts: number;
  createdAt: string;
  deliveredAt: string | null;
}
