// Written by generate.mjs from docs/openapi.json. Do not edit.

export type Health = {
  status: 'healthy' | 'degraded' | 'unhealthy';
  database: boolean;
  cache: boolean;
  version: string;
  uptimeSeconds: number;
};
export type Liveness = { status: 'alive' };
export type LoginGrant = {
  accessToken: string;
  tokenType: 'Bearer';
  expiresIn: number;
  refreshToken: string;
  refreshExpiresIn: number;
};
export type AccessGrant = { accessToken: string; tokenType: 'Bearer'; expiresIn: number };
export type Me = {
  organizationId: string;
  apiKeyId: string;
  queues: string[];
  role: 'admin' | 'operator' | 'worker' | 'viewer';
  issuedAt: string;
  expiresAt: string;
  organization: { id: string; name: string; slug: string; planTier: string; billingEmail: string | null } | null;
};
export type TokenCheck = {
  valid: boolean;
  error?: string;
  message: string;
  claims?: {
    sub: string;
    orgId: string;
    apiKeyId: string;
    queues: string[];
    tokenType: 'access' | 'refresh';
    sid: string;
    jti: string;
    iat: number;
    nbf: number;
    exp: number;
    email?: string;
    person?: { subject: string; name: string };
    organizations?: string[];
    console?: true;
    organizationId: string;
  };
  organizationId?: string;
  apiKeyId?: string;
  expiresAt?: string;
};
export type CreatedOrganization = {
  organization: Organization;
  apiKey: { id: string; key: string; name: string; createdAt: string };
};
export type Organization = {
  id: string;
  name: string;
  slug: string;
  planTier: string;
  billingEmail: string | null;
  settings: Record<string, unknown>;
  customLimits: Record<string, unknown> | null;
  stripeCustomerId: string | null;
  stripeSubscriptionId: string | null;
  stripeSubscriptionStatus: string | null;
  stripeCurrentPeriodEnd: string | null;
  stripeCancelAtPeriodEnd: boolean | null;
  createdAt: string;
  updatedAt: string;
};
export type SlugCheck = { slug: string; available: boolean; valid: boolean; error?: string; suggestion?: string };
export type GeneratedSlug = { slug: string };
export type WebhookToken = { webhookToken: string; token: string; webhookUrl: string };
export type OrganizationSummary = { id: string; name: string; slug: string; planTier: string; createdAt: string };
export type UsageInfo = {
  plan: string;
  planDisplayName: string;
  limits: PlanLimits;
  usage: {
    jobsToday: UsageItem;
    activeJobs: UsageItem;
    queues: UsageItem;
    workers: UsageItem;
    apiKeys: UsageItem;
    schedules: UsageItem;
    workflows: UsageItem;
    openBatches: UsageItem;
    webhooks: UsageItem;
  };
  warnings: { resource: string; message: string; severity: 'warning' | 'critical' }[];
};
export type PlanLimits = {
  tier: string;
  displayName: string;
  maxJobsPerDay: number | null;
  maxActiveJobs: number | null;
  maxQueues: number | null;
  maxWorkers: number | null;
  maxApiKeys: number | null;
  maxSchedules: number | null;
  maxWorkflows: number | null;
  maxOpenBatches: number | null;
  maxWebhooks: number | null;
  maxPushCalls: number | null;
  maxPayloadSizeBytes: number;
  rateLimitRequestsPerSecond: number;
  rateLimitBurst: number;
  jobRetentionDays: number;
  historyRetentionDays: number;
  deadLetterRetentionDays: number;
};
export type UsageItem = { current: number; limit: number | null; percentage: number | null; isDisabled: boolean };
export type Member = {
  id: string;
  userId: string;
  email: string;
  name: string;
  role: 'owner' | 'member';
  joinedAt: string;
};
export type ApiKey = {
  id: string;
  organizationId: string;
  keyPrefix: string;
  name: string;
  queues: string[];
  rateLimit: number | null;
  role: 'admin' | 'operator' | 'worker' | 'viewer';
  isActive: boolean;
  createdAt: string;
  lastUsed: string | null;
  expiresAt: string | null;
};
export type CreatedApiKey = {
  id: string;
  key: string;
  name: string;
  queues: string[];
  role: 'admin' | 'operator' | 'worker' | 'viewer';
  createdAt: string;
  expiresAt: string | null;
};
export type BillingStatus = {
  planTier: string;
  hasStripeCustomer: boolean;
  stripeSubscriptionId: string | null;
  stripeSubscriptionStatus: string | null;
  stripeCurrentPeriodEnd: string | null;
  stripeCancelAtPeriodEnd: boolean | null;
};
export type Problem = { code: string; message: string; details?: Record<string, string>; error?: string };
export type OrganizationPage = {
  organizations: {
    id: string;
    name: string;
    slug: string;
    planTier: string;
    billingEmail: string | null;
    createdAt: string;
    updatedAt: string;
    usage: { jobsToday: number; activeJobs: number; queues: number; workers: number; apiKeys: number };
  }[];
  total: number;
  limit: number;
  offset: number;
};
export type AdminCreatedOrganization = {
  id: string;
  name: string;
  slug: string;
  planTier: string;
  billingEmail: string | null;
  settings: Record<string, unknown>;
  customLimits: Record<string, unknown> | null;
  stripeCustomerId: string | null;
  stripeSubscriptionId: string | null;
  stripeSubscriptionStatus: string | null;
  stripeCurrentPeriodEnd: string | null;
  stripeCancelAtPeriodEnd: boolean | null;
  createdAt: string;
  updatedAt: string;
  organization: Organization;
  apiKey: { id: string; key: string; name: string; createdAt: string };
};
export type OrganizationDetail = {
  id: string;
  name: string;
  slug: string;
  planTier: string;
  billingEmail: string | null;
  settings: Record<string, unknown>;
  customLimits: Record<string, unknown> | null;
  stripeCustomerId: string | null;
  stripeSubscriptionId: string | null;
  stripeSubscriptionStatus: string | null;
  stripeCurrentPeriodEnd: string | null;
  stripeCancelAtPeriodEnd: boolean | null;
  createdAt: string;
  updatedAt: string;
  usageInfo: UsageInfo;
  apiKeysCount: number;
  totalJobs: number;
};
export type AdminCreatedApiKey = {
  id: string;
  key: string;
  name: string;
  role: 'admin' | 'operator' | 'worker' | 'viewer';
  createdAt: string;
  expiresAt: string | null;
};
export type SystemStats = {
  organizations: {
    total: number;
    byPlan: { plan: string; count: number }[];
    createdToday: number;
    createdThisWeek: number;
  };
  jobs: { totalActive: number; pending: number; processing: number; completed24h: number; failed24h: number };
  workers: { total: number; healthy: number; degraded: number };
  system: { apiVersion: 'v1'; uptimeSeconds: number };
  totalOrganizations: number;
  activeOrganizations: number;
  totalJobs: number;
  totalQueues: number;
  totalWorkers: number;
  totalApiKeys: number;
  jobsToday: number;
  jobsByStatus: Record<string, number>;
  organizationsByPlan: Record<string, number>;
};
export type Plan = {
  tier: string;
  displayName: string;
  maxJobsPerDay: number | null;
  maxActiveJobs: number | null;
  maxQueues: number | null;
  maxWorkers: number | null;
  maxApiKeys: number | null;
  maxSchedules: number | null;
  maxWorkflows: number | null;
  maxOpenBatches: number | null;
  maxWebhooks: number | null;
  maxPushCalls: number | null;
  maxPayloadSizeBytes: number;
  rateLimitRequestsPerSecond: number;
  rateLimitBurst: number;
  jobRetentionDays: number;
  historyRetentionDays: number;
  deadLetterRetentionDays: number;
  description: string;
  limits: PlanLimits;
};
export type IsolationCheck = {
  id: string;
  startedAt: string;
  finishedAt: string;
  version: string;
  passed: boolean;
  tablesChecked: number;
  findings: { table: string | null; problem: string }[];
  tablesNotChecked: string[];
};
export type ConsoleSession = {
  id: string;
  kind: 'organization' | 'administrator';
  organization: { id: string; name: string; slug: string; planTier: string } | null;
  apiKey: { id: string; name: string; queues: string[] } | null;
  person: { subject: string; name: string } | null;
  organizations: { id: string; name: string; slug: string }[];
  role: 'admin' | 'operator' | 'worker' | 'viewer';
  expiresAt: string;
  version: string;
  traceUrl: string | null;
  refreshMs: number;
};
export type ConsoleLoginLink = { code: string; path: string; expiresAt: string };
export type ConsoleLoginPreview = {
  organization: { name: string; slug: string };
  apiKey: { name: string };
  role: 'admin' | 'operator' | 'worker' | 'viewer';
  expiresAt: string;
};
export type ConsoleSignInOptions = { provider: string | null };
export type ConsoleSignInStart = { url: string };
export type Actor = {
  kind: 'key' | 'person' | 'session' | 'worker' | 'system' | 'admin' | 'webhook' | 'schedule';
  id: string | null;
  name: string | null;
};
export type AddedDependencies = {
  jobId: string;
  success: true;
  dependenciesAdded: number;
  added: number;
  addedCount: number;
  dependenciesMet: boolean;
  dependencies: { jobId: string; dependsOnJobId: string; dependencyType: 'success' }[];
};
export type JobEvent = {
  id: string;
  jobId: string;
  eventType: string;
  workerId: string | null;
  details: { actor: Actor | null } | null;
  createdAt: string;
};
export type JobTimeline = {
  job: {
    id: string;
    queueName: string;
    jobType: string;
    status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
    priority: number;
    retryCount: number;
    maxRetries: number;
    lastError: string | null;
    createdBy: Actor | null;
    createdAt: string;
    scheduledAt: string | null;
    startedAt: string | null;
    completedAt: string | null;
    expiresAt: string | null;
    parentJobId: string | null;
    workflowId: string | null;
    batchId: string | null;
  };
  traceparent: string | null;
  generatedAt: string;
  states: {
    state: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
    from: string;
    to: string | null;
    durationMs: number | null;
    eventType: string;
    actor: Actor | null;
    reason: string | null;
  }[];
  attempts: {
    attempt: number;
    workerId: string;
    leaseId: string | null;
    startedAt: string;
    endedAt: string | null;
    durationMs: number;
    outcome: 'running' | 'completed' | 'failed' | 'lease_expired' | 'released' | 'cancelled' | 'waiting';
    error: string | null;
    nextAttemptAt: string | null;
  }[];
  waits: {
    reason: 'scheduled' | 'dependencies' | 'retry_backoff' | 'queue_paused' | 'queued' | 'step';
    from: string;
    to: string | null;
    durationMs: number | null;
  }[];
  changes: {
    eventType: string;
    at: string;
    actor: Actor | null;
    reason: string | null;
    details: Record<string, unknown>;
  }[];
  deliveries: {
    id: string;
    kind: 'webhook' | 'completion_webhook';
    webhookId: string | null;
    event: string;
    url: string | null;
    status: 'pending' | 'success' | 'failed';
    attempts: number;
    statusCode: number | null;
    error: string | null;
    createdAt: string;
    deliveredAt: string | null;
  }[];
  parents: {
    jobId: string;
    queueName: string;
    status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
  }[];
  children: {
    jobId: string;
    queueName: string;
    status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
  }[];
  omitted: { events: number; deliveries: number; parents: number; children: number };
};
export type Backoff = {
  strategy?: 'exponential' | 'linear' | 'fixed' | null;
  delayMs?: number | null;
  multiplier?: number | null;
  maxDelayMs?: number | null;
  jitterMs?: number | null;
  jitterRatio?: number | null;
};
export type JobCancellation = { jobId: string; status: 'processing' | 'cancelled'; cancelRequestedAt: string | null };
export type JobLogs = {
  lines: {
    attempt: number;
    leaseId: string;
    number: number;
    at: string;
    level: 'debug' | 'info' | 'warn' | 'error';
    message: string;
    fields: unknown;
  }[];
  attempts: { attempt: number; leaseId: string; kept: number; omitted: number }[];
  nextCursor: string | null;
  hasMore: boolean;
};
export type CreatedSchedule = { id: string; name: string; cronExpression: string; nextRunAt: string | null };
export type Schedule = {
  id: string;
  organizationId: string;
  name: string;
  description: string | null;
  cronExpression: string;
  timezone: string;
  queueName: string;
  payloadTemplate: unknown;
  priority: number;
  maxRetries: number;
  timeoutSeconds: number;
  isActive: boolean;
  lastRunAt: string | null;
  nextRunAt: string | null;
  runCount: number;
  tags: unknown | null;
  metadata: unknown | null;
  callbackUrl: string | null;
  callbackHeaderNames: string[];
  callbackTimeoutSeconds: number | null;
  backoff: {
    strategy?: string;
    delayMs?: number;
    multiplier?: number;
    maxDelayMs?: number;
    jitterMs?: number;
    jitterRatio?: number;
  } | null;
  createdAt: string;
  updatedAt: string;
};
export type TriggeredSchedule = { jobId: string; triggeredAt: string; scheduledAt: string };
export type ScheduleRun = {
  id: string;
  scheduleId: string;
  jobId: string | null;
  status: 'pending' | 'running' | 'completed' | 'failed';
  errorMessage: string | null;
  startedAt: string;
  completedAt: string | null;
  jobStatus: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled' | null;
  source: 'schedule' | 'manual';
};
export type WebhookDelivery = {
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
  nextAttemptAt: string | null;
  held: boolean;
};
export type WebhookDeliveryDetails = {
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
  nextAttemptAt: string | null;
  held: boolean;
  attemptHistory: {
    attempt: number;
    endedAt: string;
    latencyMs: number;
    statusCode: number | null;
    responseHeaders: Record<string, string>;
    responseBody: string | null;
    error: string | null;
    errorCode: string | null;
    nextAttemptAt: string | null;
  }[];
};
export type OutgoingWebhook = {
  id: string;
  organizationId: string;
  name: string;
  url: string;
  events: string[];
  format: 'json' | 'standard' | 'cloudevents' | 'slack' | 'discord' | 'teams';
  enabled: boolean;
  failureCount: number;
  lastTriggeredAt: string | null;
  lastStatus: 'success' | 'failed' | 'auto_disabled' | null;
  retrySeconds: number | null;
  failingSince: string | null;
  disablesAt: string | null;
  rotationEndsAt: string | null;
  heldSince: string | null;
  nextProbeAt: string | null;
  droppedCount: number;
  droppedAt: string | null;
  createdAt: string;
  updatedAt: string;
};
export type RotatedWebhook = {
  id: string;
  organizationId: string;
  name: string;
  url: string;
  events: string[];
  format: 'json' | 'standard' | 'cloudevents' | 'slack' | 'discord' | 'teams';
  enabled: boolean;
  failureCount: number;
  lastTriggeredAt: string | null;
  lastStatus: 'success' | 'failed' | 'auto_disabled' | null;
  retrySeconds: number | null;
  failingSince: string | null;
  disablesAt: string | null;
  rotationEndsAt: string | null;
  heldSince: string | null;
  nextProbeAt: string | null;
  droppedCount: number;
  droppedAt: string | null;
  createdAt: string;
  updatedAt: string;
  secret: string | null;
};
export type InboundDelivery = {
  id: string;
  provider: string;
  eventType: string;
  matchedQueue: string | null;
  jobId: string | null;
  status: 'created' | 'duplicate' | 'refused';
  code: string | null;
  reason: string | null;
  address: string | null;
  calls: number;
  createdAt: string;
};
export type CreatedWorkflow = { workflowId: string; jobIds: { key: string; jobId: string }[]; status: 'pending' };
export type Workflow = {
  id: string;
  name: string;
  description: string | null;
  status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  totalJobs: number;
  completedJobs: number;
  failedJobs: number;
  progressPercent: number;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  metadata: unknown | null;
};
export type WorkflowDetail = {
  id: string;
  name: string;
  description: string | null;
  status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  totalJobs: number;
  completedJobs: number;
  failedJobs: number;
  progressPercent: number;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  metadata: unknown | null;
  organizationId: string;
  jobs: DetailedWorkflowJob[];
  dependencies: { parentJobId: string; childJobId: string; dependencyType: 'success' }[];
  dependenciesOmitted?: true;
  progress: { total: number; completed: number; failed: number; pending: number; processing: number };
};
export type DetailedWorkflowJob = {
  id: string;
  organizationId: string;
  workflowId: string;
  key: string;
  queue: string;
  queueName: string;
  jobType: string;
  payload: unknown;
  result: unknown | null;
  status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
  priority: number;
  attempt: number;
  maxRetries: number;
  backoffType: 'exponential';
  timeoutMs: number;
  createdAt: string;
  scheduledAt: string | null;
  startedAt: string | null;
  completedAt: string | null;
  failedAt: string | null;
  nextRetryAt: string | null;
  error: { type: string; message: string; stack: null } | null;
  metadata: unknown | null;
  parentJobId: string | null;
  dependsOn: string[];
  dependencyMode: 'all' | 'any';
  documentsOmitted?: true;
};
export type WorkflowJob = {
  id: string;
  workflowId: string;
  key: string;
  queueName: string;
  status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
  payload: unknown;
  result: unknown | null;
  error: string | null;
  dependsOn: string[];
  dependencyMode: 'all' | 'any';
  priority: number;
  maxRetries: number;
  attempt: number;
  timeoutSeconds: number;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  documentsOmitted?: true;
};
export type WorkflowRerun = { jobIds: string[]; problem: string | null };
export type Batch = {
  id: string;
  name: string | null;
  status: 'open' | 'closed' | 'completed' | 'cancelled';
  totalJobs: number;
  pendingJobs: number;
  runningJobs: number;
  succeededJobs: number;
  failedJobs: number;
  cancelledJobs: number;
  queueNames: string[];
  callbacks: ('on_success' | 'on_complete' | 'on_death')[];
  callbackJobIds: { onSuccess: string | null; onComplete: string | null; onDeath: string | null };
  metadata: unknown | null;
  createdAt: string;
  closedAt: string | null;
  completedAt: string | null;
};
export type BatchJob = {
  id: string;
  queueName: string;
  jobType: string;
  status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
  attempt: number;
  result: unknown | null;
  error: string | null;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  documentsOmitted?: true;
};
export type MetricsSummary = {
  jobs: {
    totalCreated: number;
    totalCompleted: number;
    totalFailed: number;
    avgWaitTimeMs: number;
    avgProcessingMs: number;
  };
  workers: { totalRegistered: number; totalActive: number; totalIdle: number };
  queues: { totalQueues: number; totalPaused: number; totalPending: number; totalProcessing: number };
  system: { uptimeSeconds: number; requestsPerSec: number; errorRate: number; avgLatencyMs: number };
};

/** Every described route by method and path. Names are in camelCase, as the client converts them. */
export interface Routes {
  'GET /health': {
    query: never;
    body: never;
    response: Health;
  };
  'GET /health/live': {
    query: never;
    body: never;
    response: Liveness;
  };
  'GET /health/ready': {
    query: never;
    body: never;
    response: Health;
  };
  'POST /api/v1/auth/login': {
    query: never;
    body: { apiKey: string };
    response: LoginGrant;
  };
  'POST /api/v1/auth/refresh': {
    query: never;
    body: { refreshToken: string };
    response: AccessGrant;
  };
  'POST /api/v1/auth/logout': {
    query: never;
    body: { refreshToken?: string | null };
    response: void;
  };
  'GET /api/v1/auth/me': {
    query: never;
    body: never;
    response: Me;
  };
  'POST /api/v1/auth/validate': {
    query: never;
    body: { token: string };
    response: TokenCheck;
  };
  'POST /api/v1/organizations': {
    query: never;
    body: { name: string; slug: string; billingEmail?: string | null };
    response: CreatedOrganization;
  };
  'GET /api/v1/organizations': {
    query: { limit?: number; offset?: number; cursor?: string };
    body: never;
    response: OrganizationSummary[] | { data: OrganizationSummary[]; nextCursor: string | null; hasMore: boolean };
  };
  'GET /api/v1/organizations/check-slug': {
    query: { slug?: string };
    body: never;
    response: SlugCheck;
  };
  'GET /api/v1/organizations/check-slug/{slug}': {
    query: never;
    body: never;
    response: SlugCheck;
  };
  'POST /api/v1/organizations/generate-slug': {
    query: never;
    body: { name: string };
    response: GeneratedSlug;
  };
  'GET /api/v1/organizations/webhook-token': {
    query: never;
    body: never;
    response: WebhookToken;
  };
  'GET /api/v1/organizations/{id}/webhook-token': {
    query: never;
    body: never;
    response: WebhookToken;
  };
  'POST /api/v1/organizations/webhook-token/regenerate': {
    query: never;
    body: never;
    response: WebhookToken;
  };
  'POST /api/v1/organizations/{id}/webhook-token/regenerate': {
    query: never;
    body: never;
    response: WebhookToken;
  };
  'POST /api/v1/organizations/webhook-token/clear': {
    query: never;
    body: never;
    response: void;
  };
  'POST /api/v1/organizations/{id}/webhook-token/clear': {
    query: never;
    body: never;
    response: void;
  };
  'GET /api/v1/organizations/usage': {
    query: never;
    body: never;
    response: UsageInfo;
  };
  'GET /api/v1/organizations/{id}/usage': {
    query: never;
    body: never;
    response: UsageInfo;
  };
  'GET /api/v1/organizations/{id}': {
    query: never;
    body: never;
    response: Organization;
  };
  'PUT /api/v1/organizations/{id}': {
    query: never;
    body: { name?: string | null; billingEmail?: string | null; settings?: Record<string, unknown> | null };
    response: Organization;
  };
  'DELETE /api/v1/organizations/{id}': {
    query: never;
    body: never;
    response: void;
  };
  'GET /api/v1/organizations/{id}/members': {
    query: { limit?: number; offset?: number; cursor?: string };
    body: never;
    response: Member[] | { data: Member[]; nextCursor: string | null; hasMore: boolean };
  };
  'GET /api/v1/api-keys': {
    query: { limit?: number; offset?: number; cursor?: string };
    body: never;
    response: ApiKey[] | { data: ApiKey[]; nextCursor: string | null; hasMore: boolean };
  };
  'POST /api/v1/api-keys': {
    query: never;
    body: {
      name: string;
      queues?: string[] | null;
      rateLimit?: number | null;
      role?: 'admin' | 'operator' | 'worker' | 'viewer' | null;
      expiresAt?: string | null;
      permissions?: unknown;
    };
    response: CreatedApiKey;
  };
  'GET /api/v1/api-keys/{id}': {
    query: never;
    body: never;
    response: ApiKey;
  };
  'PUT /api/v1/api-keys/{id}': {
    query: never;
    body: {
      name?: string | null;
      queues?: string[] | null;
      rateLimit?: number | null;
      role?: 'admin' | 'operator' | 'worker' | 'viewer' | null;
      isActive?: boolean | null;
    };
    response: ApiKey;
  };
  'DELETE /api/v1/api-keys/{id}': {
    query: never;
    body: never;
    response: void;
  };
  'GET /api/v1/billing/status': {
    query: never;
    body: never;
    response: BillingStatus;
  };
  'POST /api/v1/billing/portal': {
    query: never;
    body: { returnUrl?: string | null };
    response: void;
  };
  'GET /api/v1/auth/check-email': {
    query: { email?: string };
    body: never;
    response: { exists: boolean; available: boolean; signupEnabled: boolean };
  };
  'GET /api/v1/auth/email/check': {
    query: { email?: string };
    body: never;
    response: { exists: boolean; available: boolean; signupEnabled: boolean };
  };
  'POST /api/v1/auth/email/check': {
    query: never;
    body: { email: string };
    response: { exists: boolean; available: boolean; signupEnabled: boolean };
  };
  'POST /api/v1/auth/email/start': {
    query: never;
    body: { email: string };
    response: void;
  };
  'GET /api/v1/admin/organizations': {
    query: {
      planTier?: 'free' | 'starter' | 'pro' | 'enterprise' | 'deleted';
      search?: string;
      limit?: number;
      offset?: number;
      cursor?: string;
      sortBy?: 'created_at' | 'updated_at' | 'name' | 'slug' | 'plan_tier';
      sortOrder?: 'asc' | 'desc';
    };
    body: never;
    response:
      | OrganizationPage
      | {
          data: {
            id: string;
            name: string;
            slug: string;
            planTier: string;
            billingEmail: string | null;
            createdAt: string;
            updatedAt: string;
            usage: { jobsToday: number; activeJobs: number; queues: number; workers: number; apiKeys: number };
          }[];
          nextCursor: string | null;
          hasMore: boolean;
        };
  };
  'POST /api/v1/admin/organizations': {
    query: never;
    body: {
      name: string;
      slug: string;
      billingEmail?: string | null;
      planTier?: 'free' | 'starter' | 'pro' | 'enterprise' | null;
      settings?: Record<string, unknown> | null;
      customLimits?: Record<string, unknown> | null;
    };
    response: AdminCreatedOrganization;
  };
  'GET /api/v1/admin/organizations/{id}': {
    query: never;
    body: never;
    response: OrganizationDetail;
  };
  'PATCH /api/v1/admin/organizations/{id}': {
    query: never;
    body: {
      name?: string | null;
      billingEmail?: string | null;
      settings?: Record<string, unknown> | null;
      planTier?: 'free' | 'starter' | 'pro' | 'enterprise' | null;
      customLimits?: Record<string, unknown> | null;
      stripeCustomerId?: string | null;
      stripeSubscriptionId?: string | null;
      stripeSubscriptionStatus?: string | null;
      stripeCurrentPeriodEnd?: string | null;
      stripeCancelAtPeriodEnd?: boolean | null;
    };
    response: Organization;
  };
  'PUT /api/v1/admin/organizations/{id}': {
    query: never;
    body: {
      name?: string | null;
      billingEmail?: string | null;
      settings?: Record<string, unknown> | null;
      planTier?: 'free' | 'starter' | 'pro' | 'enterprise' | null;
      customLimits?: Record<string, unknown> | null;
      stripeCustomerId?: string | null;
      stripeSubscriptionId?: string | null;
      stripeSubscriptionStatus?: string | null;
      stripeCurrentPeriodEnd?: string | null;
      stripeCancelAtPeriodEnd?: boolean | null;
    };
    response: Organization;
  };
  'DELETE /api/v1/admin/organizations/{id}': {
    query: { hardDelete?: boolean; hard?: boolean };
    body: never;
    response: void;
  };
  'POST /api/v1/admin/organizations/{id}/api-keys': {
    query: never;
    body: {
      name: string;
      queues?: string[] | null;
      rateLimit?: number | null;
      role?: 'admin' | 'operator' | 'worker' | 'viewer' | null;
      expiresAt?: string | null;
      permissions?: unknown;
    };
    response: AdminCreatedApiKey;
  };
  'POST /api/v1/admin/organizations/{id}/reset-usage': {
    query: never;
    body: never;
    response: void;
  };
  'GET /api/v1/admin/stats': {
    query: never;
    body: never;
    response: SystemStats;
  };
  'GET /api/v1/admin/plans': {
    query: never;
    body: never;
    response: Plan[];
  };
  'GET /api/v1/admin/services': {
    query: never;
    body: never;
    response: {
      services: {
        service: string;
        alive: number;
        versions: string[];
        processes: {
          id: string;
          host: string;
          version: string;
          startedAt: string;
          lastSeen: string;
          isAlive: boolean;
        }[];
      }[];
      dependencies: { database: boolean; redis: boolean | null };
      latestIsolationCheck: { passed: boolean; finishedAt: string } | null;
    };
  };
  'GET /api/v1/admin/tenants/top': {
    query: { by?: 'created' | 'completed' | 'failed' | 'depth'; minutes?: number; limit?: number };
    body: never;
    response: {
      by: 'created' | 'completed' | 'failed' | 'depth';
      minutes: number;
      tenants: {
        organizationId: string;
        name: string;
        planTier: string;
        createdPerSecond: number;
        completedPerSecond: number;
        failedPerSecond: number;
        pending: number;
        processing: number;
      }[];
    };
  };
  'GET /api/v1/admin/capacity': {
    query: never;
    body: never;
    response: {
      limits: {
        name: string;
        used: number;
        limit: number | null;
        share: number | null;
        unit: 'connections' | 'transactions' | 'bytes';
      }[];
      jobs: { createdPerSecond: number | null; completedPerSecond: number | null; seconds: number };
      notChecked: string[];
      checkedAt: string;
    };
  };
  'GET /api/v1/admin/isolation-checks': {
    query: { limit?: number; offset?: number; cursor?: string };
    body: never;
    response: IsolationCheck[] | { data: IsolationCheck[]; nextCursor: string | null; hasMore: boolean };
  };
  'POST /api/v1/admin/isolation-checks': {
    query: never;
    body: never;
    response: IsolationCheck;
  };
  'POST /api/v1/console/session': {
    query: never;
    body: { apiKey?: string; adminKey?: string; code?: string; callback?: string };
    response: ConsoleSession;
  };
  'GET /api/v1/console/session': {
    query: never;
    body: never;
    response: ConsoleSession;
  };
  'DELETE /api/v1/console/session': {
    query: never;
    body: never;
    response: void;
  };
  'POST /api/v1/console/login-links': {
    query: never;
    body: never;
    response: ConsoleLoginLink;
  };
  'POST /api/v1/console/login-links/preview': {
    query: never;
    body: { code: string };
    response: ConsoleLoginPreview;
  };
  'GET /api/v1/console/sign-in': {
    query: never;
    body: never;
    response: ConsoleSignInOptions;
  };
  'POST /api/v1/console/sign-in': {
    query: never;
    body: { organization?: string };
    response: ConsoleSignInStart;
  };
  'GET /api/v1/audit': {
    query: {
      action?: string;
      actorKind?: 'key' | 'person' | 'session' | 'worker' | 'system' | 'admin' | 'webhook' | 'schedule';
      actorId?: string;
      targetKind?: string;
      targetId?: string;
      since?: string;
      until?: string;
      limit?: number;
      offset?: number;
      cursor?: string;
      after?: string;
    };
    body: never;
    response:
      | {
          id: string;
          organizationId: string;
          at: string;
          action: string;
          actor: Actor | null;
          targetKind: string;
          targetId: string | null;
          address: string | null;
          userAgent: string | null;
          before: unknown | null;
          after: unknown | null;
        }[]
      | {
          data: {
            id: string;
            organizationId: string;
            at: string;
            action: string;
            actor: Actor | null;
            targetKind: string;
            targetId: string | null;
            address: string | null;
            userAgent: string | null;
            before: unknown | null;
            after: unknown | null;
          }[];
          nextCursor: string | null;
          hasMore: boolean;
        };
  };
  'GET /api/v1/admin/audit': {
    query: {
      action?: string;
      actorKind?: 'key' | 'person' | 'session' | 'worker' | 'system' | 'admin' | 'webhook' | 'schedule';
      actorId?: string;
      targetKind?: string;
      targetId?: string;
      since?: string;
      until?: string;
      limit?: number;
      offset?: number;
      cursor?: string;
      after?: string;
      organizationId?: string;
    };
    body: never;
    response:
      | {
          id: string;
          organizationId: string;
          at: string;
          action: string;
          actor: Actor | null;
          targetKind: string;
          targetId: string | null;
          address: string | null;
          userAgent: string | null;
          before: unknown | null;
          after: unknown | null;
        }[]
      | {
          data: {
            id: string;
            organizationId: string;
            at: string;
            action: string;
            actor: Actor | null;
            targetKind: string;
            targetId: string | null;
            address: string | null;
            userAgent: string | null;
            before: unknown | null;
            after: unknown | null;
          }[];
          nextCursor: string | null;
          hasMore: boolean;
        };
  };
  'POST /api/v1/jobs/{id}/dependencies': {
    query: never;
    body: {
      dependsOn?: string[] | null;
      dependsOnJobIds?: string[] | null;
      dependencyJobIds?: string[] | null;
      dependencyMode?: 'all' | 'any' | null;
      dependencyType?: 'all' | 'any';
    };
    response: AddedDependencies;
  };
  'GET /api/v1/jobs/{id}/dependencies': {
    query: never;
    body: never;
    response: {
      jobId: string;
      status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
      dependencyMode: 'all' | 'any';
      dependenciesMet: boolean;
      dependencies: {
        jobId: string;
        queueName: string;
        status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
        dependencyType: 'success';
        completed: boolean;
      }[];
      dependents: {
        jobId: string;
        queueName: string;
        status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
        dependencyType: 'success';
        completed: boolean;
      }[];
      omitted: { dependencies: number; dependents: number };
    };
  };
  'GET /api/v1/jobs/{id}/history': {
    query: { orderDir?: 'asc' | 'desc'; limit?: number; offset?: number };
    body: never;
    response: JobEvent[];
  };
  'GET /api/v1/jobs/{id}/timeline': {
    query: never;
    body: never;
    response: JobTimeline;
  };
  'POST /api/v1/jobs': {
    query: never;
    body: {
      queueName: string;
      payload: unknown;
      priority?: number | null;
      maxRetries?: number | null;
      timeoutSeconds?: number | null;
      scheduledAt?: string | null;
      expiresAt?: string | null;
      idempotencyKey?: string | null;
      tags?: unknown;
      parentJobId?: string | null;
      completionWebhook?: string | null;
      completionWebhookSecret?: string | null;
      callbackUrl?: string | null;
      callbackHeaders?: Record<string, string> | null;
      callbackSecret?: string | null;
      callbackTimeoutSeconds?: number | null;
      backoff?: Backoff | null;
    };
    response: { id: string; created: boolean };
  };
  'GET /api/v1/jobs': {
    query: {
      queueName?: string;
      queue?: string;
      search?: string;
      q?: string;
      jobType?: string;
      tag?: string;
      createdAfter?: string;
      createdBefore?: string;
      orderBy?: 'created_at' | 'updated_at' | 'scheduled_at' | 'priority' | 'status';
      orderDir?: 'asc' | 'desc';
      limit?: number;
      offset?: number;
      cursor?: string;
      after?: string;
      status?: string;
    };
    body: never;
    response:
      | {
          id: string;
          queueName: string;
          status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
          priority: number;
          attempt: number;
          retryCount: number;
          maxRetries: number;
          jobType: string;
          lastError: string | null;
          createdAt: string;
          scheduledAt: string | null;
          startedAt: string | null;
          completedAt: string | null;
        }[]
      | {
          data: {
            id: string;
            queueName: string;
            status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
            priority: number;
            attempt: number;
            retryCount: number;
            maxRetries: number;
            jobType: string;
            lastError: string | null;
            createdAt: string;
            scheduledAt: string | null;
            startedAt: string | null;
            completedAt: string | null;
          }[];
          nextCursor: string | null;
          hasMore: boolean;
        };
  };
  'POST /api/v1/jobs/bulk': {
    query: never;
    body: {
      queueName: string;
      jobs: {
        payload: unknown;
        priority?: number | null;
        maxRetries?: number | null;
        timeoutSeconds?: number | null;
        scheduledAt?: string | null;
        expiresAt?: string | null;
        idempotencyKey?: string | null;
        tags?: unknown;
        parentJobId?: string | null;
        completionWebhook?: string | null;
        completionWebhookSecret?: string | null;
        callbackUrl?: string | null;
        callbackHeaders?: Record<string, string> | null;
        callbackSecret?: string | null;
        callbackTimeoutSeconds?: number | null;
        backoff?: Backoff | null;
      }[];
      defaultPriority?: number | null;
      defaultMaxRetries?: number | null;
      defaultTimeoutSeconds?: number | null;
    };
    response: {
      succeeded: { index: number; jobId: string; created: boolean }[];
      failed: { index: number; error: string }[];
      total: number;
      successCount: number;
      failureCount: number;
    };
  };
  'GET /api/v1/jobs/stats': {
    query: { queueName?: string; queue?: string };
    body: never;
    response: {
      pending: number;
      scheduled: number;
      processing: number;
      completed: number;
      failed: number;
      deadletter: number;
      cancelled: number;
      total: number;
    };
  };
  'GET /api/v1/jobs/status': {
    query: { ids?: string };
    body: never;
    response: {
      id: string;
      status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
      queueName: string;
      retryCount: number;
      attempt: number;
      maxRetries: number;
      createdAt: string;
      completedAt: string | null;
    }[];
  };
  'GET /api/v1/jobs/{id}': {
    query: never;
    body: never;
    response: {
      id: string;
      organizationId: string;
      queueName: string;
      status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
      payload: unknown;
      result: unknown | null;
      retryCount: number;
      maxRetries: number;
      lastError: string | null;
      createdAt: string;
      scheduledAt: string | null;
      startedAt: string | null;
      completedAt: string | null;
      expiresAt: string | null;
      priority: number;
      tags: unknown | null;
      timeoutSeconds: number;
      parentJobId: string | null;
      completionWebhook: string | null;
      assignedWorkerId: string | null;
      leaseId: string | null;
      leaseExpiresAt: string | null;
      idempotencyKey: string | null;
      updatedAt: string;
      workflowId: string | null;
      batchId: string | null;
      dependencyMode: 'all' | 'any' | null;
      dependenciesMet: boolean | null;
      progress: number | null;
      progressMessage: string | null;
      progressAt: string | null;
      cancelRequestedAt: string | null;
      callbackUrl: string | null;
      callbackHeaderNames: string[];
      callbackTimeoutSeconds: number | null;
      backoff: {
        strategy?: string;
        delayMs?: number;
        multiplier?: number;
        maxDelayMs?: number;
        jitterMs?: number;
        jitterRatio?: number;
      } | null;
    };
  };
  'DELETE /api/v1/jobs/{id}': {
    query: never;
    body: never;
    response: void;
  };
  'POST /api/v1/jobs/{id}/cancellation': {
    query: never;
    body: { reason?: string | null; force?: boolean | null; graceSeconds?: number | null };
    response: JobCancellation;
  };
  'POST /api/v1/jobs/{id}/retry': {
    query: never;
    body: never;
    response: {
      id: string;
      organizationId: string;
      queueName: string;
      status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
      payload: unknown;
      result: unknown | null;
      retryCount: number;
      maxRetries: number;
      lastError: string | null;
      createdAt: string;
      scheduledAt: string | null;
      startedAt: string | null;
      completedAt: string | null;
      expiresAt: string | null;
      priority: number;
      tags: unknown | null;
      timeoutSeconds: number;
      parentJobId: string | null;
      completionWebhook: string | null;
      assignedWorkerId: string | null;
      leaseId: string | null;
      leaseExpiresAt: string | null;
      idempotencyKey: string | null;
      updatedAt: string;
      workflowId: string | null;
      batchId: string | null;
      dependencyMode: 'all' | 'any' | null;
      dependenciesMet: boolean | null;
      progress: number | null;
      progressMessage: string | null;
      progressAt: string | null;
      cancelRequestedAt: string | null;
      callbackUrl: string | null;
      callbackHeaderNames: string[];
      callbackTimeoutSeconds: number | null;
      backoff: {
        strategy?: string;
        delayMs?: number;
        multiplier?: number;
        maxDelayMs?: number;
        jitterMs?: number;
        jitterRatio?: number;
      } | null;
    };
  };
  'PUT /api/v1/jobs/{id}/priority': {
    query: never;
    body: { priority: number };
    response: { jobId: string; oldPriority: number; newPriority: number };
  };
  'GET /api/v1/jobs/dlq': {
    query: {
      queueName?: string;
      queue?: string;
      search?: string;
      q?: string;
      jobType?: string;
      tag?: string;
      createdAfter?: string;
      createdBefore?: string;
      orderBy?: 'created_at' | 'updated_at' | 'scheduled_at' | 'priority' | 'status';
      orderDir?: 'asc' | 'desc';
      limit?: number;
      offset?: number;
      cursor?: string;
      after?: string;
    };
    body: never;
    response:
      | {
          id: string;
          queueName: string;
          status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
          priority: number;
          attempt: number;
          retryCount: number;
          maxRetries: number;
          jobType: string;
          lastError: string | null;
          createdAt: string;
          scheduledAt: string | null;
          startedAt: string | null;
          completedAt: string | null;
        }[]
      | {
          data: {
            id: string;
            queueName: string;
            status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
            priority: number;
            attempt: number;
            retryCount: number;
            maxRetries: number;
            jobType: string;
            lastError: string | null;
            createdAt: string;
            scheduledAt: string | null;
            startedAt: string | null;
            completedAt: string | null;
          }[];
          nextCursor: string | null;
          hasMore: boolean;
        };
  };
  'POST /api/v1/jobs/dlq/retry': {
    query: never;
    body: { jobIds?: string[] | null; queueName?: string | null; limit?: number | null };
    response: { retriedCount: number; retriedJobs: string[]; skippedJobs: string[] };
  };
  'POST /api/v1/jobs/dlq/purge': {
    query: never;
    body: {
      jobIds?: string[] | null;
      queueName?: string | null;
      olderThan?: string | null;
      olderThanDays?: number | null;
      limit?: number | null;
      confirm?: boolean | null;
    };
    response: { purgedCount: number };
  };
  'GET /api/v1/jobs/dlq/causes': {
    query: {
      queueName?: string;
      jobType?: string;
      cause?: string;
      causeId?: string;
      deadAfter?: string;
      deadBefore?: string;
      search?: string;
      orderBy?: 'count' | 'first_seen';
    };
    body: never;
    response: {
      causes: {
        id: string;
        error: string;
        count: number;
        lastHour: number;
        firstSeen: string;
        lastSeen: string;
        groups: number;
        queues: number;
        types: { groupId: string; queueName: string; jobType: string; count: number }[];
        muted: { reason: string; createdAt: string; createdBy: Actor | null; expiresAt: string } | null;
      }[];
      more: number;
      groupsLeft: number;
    };
  };
  'GET /api/v1/jobs/dlq/groups': {
    query: {
      queueName?: string;
      jobType?: string;
      cause?: string;
      causeId?: string;
      deadAfter?: string;
      deadBefore?: string;
      search?: string;
      orderBy?: 'count' | 'last_seen';
      limit?: number;
      offset?: number;
      cursor?: string;
    };
    body: never;
    response:
      | {
          id: string;
          queueName: string;
          jobType: string;
          error: string;
          count: number;
          firstSeen: string;
          lastSeen: string;
          perHour: number[];
          sample: { jobId: string; error: string | null; retryCount: number; deadAt: string };
        }[]
      | {
          data: {
            id: string;
            queueName: string;
            jobType: string;
            error: string;
            count: number;
            firstSeen: string;
            lastSeen: string;
            perHour: number[];
            sample: { jobId: string; error: string | null; retryCount: number; deadAt: string };
          }[];
          nextCursor: string | null;
          hasMore: boolean;
        };
  };
  'GET /api/v1/jobs/dlq/groups/{id}': {
    query: { search?: string; limit?: number; offset?: number };
    body: never;
    response: {
      group: {
        id: string;
        queueName: string;
        jobType: string;
        error: string;
        count: number;
        firstSeen: string;
        lastSeen: string;
        perHour: number[];
        sample: { jobId: string; error: string | null; retryCount: number; deadAt: string };
      };
      jobs: {
        id: string;
        queueName: string;
        status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
        priority: number;
        attempt: number;
        retryCount: number;
        maxRetries: number;
        jobType: string;
        lastError: string | null;
        createdAt: string;
        scheduledAt: string | null;
        startedAt: string | null;
        completedAt: string | null;
      }[];
    };
  };
  'GET /api/v1/jobs/dlq/mutes': {
    query: never;
    body: never;
    response: {
      mutes: {
        reason: string;
        createdAt: string;
        createdBy: Actor | null;
        expiresAt: string;
        causeId: string;
        error: string;
      }[];
    };
  };
  'PUT /api/v1/jobs/dlq/causes/{id}/mute': {
    query: never;
    body: { reason: string; expiresInSeconds: number };
    response: {
      reason: string;
      createdAt: string;
      createdBy: Actor | null;
      expiresAt: string;
      causeId: string;
      error: string;
    };
  };
  'DELETE /api/v1/jobs/dlq/causes/{id}/mute': {
    query: never;
    body: never;
    response: void;
  };
  'POST /api/v1/jobs/dlq/replays': {
    query: never;
    body: {
      jobIds?: string[] | null;
      groupId?: string | null;
      queueName?: string | null;
      jobType?: string | null;
      cause?: string | null;
      causeId?: string | null;
      deadAfter?: string | null;
      deadBefore?: string | null;
      search?: string | null;
      all?: boolean | null;
      payloadPatch?: Record<string, unknown> | null;
      perSecond?: number | null;
      stages?: number[] | null;
      maxFailureShare?: number | null;
      minEnded?: number | null;
      holdSeconds?: number | null;
      dryRun?: boolean | null;
    };
    response: {
      dryRun: true;
      asOf: string;
      count: number;
      hasMore: boolean;
      sample: {
        jobId: string;
        queueName: string;
        jobType: string;
        error: string | null;
        problem: string | null;
        payload: unknown;
      }[];
    };
  };
  'POST /api/v1/jobs/dlq/purges': {
    query: never;
    body: {
      jobIds?: string[] | null;
      groupId?: string | null;
      queueName?: string | null;
      jobType?: string | null;
      cause?: string | null;
      causeId?: string | null;
      deadAfter?: string | null;
      deadBefore?: string | null;
      search?: string | null;
      all?: boolean | null;
      perSecond?: number | null;
      holdSeconds?: number | null;
      dryRun?: boolean | null;
      confirm: boolean;
    };
    response: {
      dryRun: true;
      asOf: string;
      count: number;
      hasMore: boolean;
      sample: {
        jobId: string;
        queueName: string;
        jobType: string;
        error: string | null;
        problem: string | null;
        payload: unknown;
      }[];
    };
  };
  'POST /api/v1/jobs/cancellations': {
    query: never;
    body: {
      queueName?: string | null;
      jobIds?: string[] | null;
      status?: 'pending' | 'scheduled' | null;
      q?: string | null;
      search?: string | null;
      jobType?: string | null;
      tag?: string | null;
      createdAfter?: string | null;
      createdBefore?: string | null;
      perSecond?: number | null;
      holdSeconds?: number | null;
      dryRun?: boolean | null;
    };
    response: {
      dryRun: true;
      asOf: string;
      count: number;
      hasMore: boolean;
      sample: {
        jobId: string;
        queueName: string;
        jobType: string;
        error: string | null;
        problem: string | null;
        payload: unknown;
      }[];
    };
  };
  'POST /api/v1/jobs/priority-changes': {
    query: never;
    body: {
      queueName?: string | null;
      jobIds?: string[] | null;
      status?: 'pending' | 'scheduled' | null;
      q?: string | null;
      search?: string | null;
      jobType?: string | null;
      tag?: string | null;
      createdAfter?: string | null;
      createdBefore?: string | null;
      perSecond?: number | null;
      holdSeconds?: number | null;
      dryRun?: boolean | null;
      priority: number;
    };
    response: {
      dryRun: true;
      asOf: string;
      count: number;
      hasMore: boolean;
      sample: {
        jobId: string;
        queueName: string;
        jobType: string;
        error: string | null;
        problem: string | null;
        payload: unknown;
      }[];
    };
  };
  'POST /api/v1/jobs/activations': {
    query: never;
    body: {
      queueName?: string | null;
      jobIds?: string[] | null;
      status?: 'pending' | 'scheduled' | null;
      q?: string | null;
      search?: string | null;
      jobType?: string | null;
      tag?: string | null;
      createdAfter?: string | null;
      createdBefore?: string | null;
      perSecond?: number | null;
      holdSeconds?: number | null;
      dryRun?: boolean | null;
    };
    response: {
      dryRun: true;
      asOf: string;
      count: number;
      hasMore: boolean;
      sample: {
        jobId: string;
        queueName: string;
        jobType: string;
        error: string | null;
        problem: string | null;
        payload: unknown;
      }[];
    };
  };
  'POST /api/v1/jobs/moves': {
    query: never;
    body: {
      queueName?: string | null;
      jobIds?: string[] | null;
      status?: 'pending' | 'scheduled' | null;
      q?: string | null;
      search?: string | null;
      jobType?: string | null;
      tag?: string | null;
      createdAfter?: string | null;
      createdBefore?: string | null;
      perSecond?: number | null;
      holdSeconds?: number | null;
      dryRun?: boolean | null;
      toQueue: string;
    };
    response: {
      dryRun: true;
      asOf: string;
      count: number;
      hasMore: boolean;
      sample: {
        jobId: string;
        queueName: string;
        jobType: string;
        error: string | null;
        problem: string | null;
        payload: unknown;
      }[];
    };
  };
  'POST /api/v1/jobs/payload-patches': {
    query: never;
    body: {
      queueName?: string | null;
      jobIds?: string[] | null;
      status?: 'pending' | 'scheduled' | null;
      q?: string | null;
      search?: string | null;
      jobType?: string | null;
      tag?: string | null;
      createdAfter?: string | null;
      createdBefore?: string | null;
      perSecond?: number | null;
      holdSeconds?: number | null;
      dryRun?: boolean | null;
      payloadPatch: Record<string, unknown>;
    };
    response: {
      dryRun: true;
      asOf: string;
      count: number;
      hasMore: boolean;
      sample: {
        jobId: string;
        queueName: string;
        jobType: string;
        error: string | null;
        problem: string | null;
        payload: unknown;
      }[];
    };
  };
  'POST /api/v1/jobs/deletions': {
    query: never;
    body: {
      queueName?: string | null;
      jobIds?: string[] | null;
      status?: 'pending' | 'scheduled' | null;
      q?: string | null;
      search?: string | null;
      jobType?: string | null;
      tag?: string | null;
      createdAfter?: string | null;
      createdBefore?: string | null;
      perSecond?: number | null;
      holdSeconds?: number | null;
      dryRun?: boolean | null;
      confirm: boolean;
    };
    response: {
      dryRun: true;
      asOf: string;
      count: number;
      hasMore: boolean;
      sample: {
        jobId: string;
        queueName: string;
        jobType: string;
        error: string | null;
        problem: string | null;
        payload: unknown;
      }[];
    };
  };
  'POST /api/v1/outgoing-webhooks/{id}/resends': {
    query: never;
    body: {
      since: string;
      until?: string | null;
      event?:
        | 'job.created'
        | 'job.started'
        | 'job.completed'
        | 'job.failed'
        | 'job.cancelled'
        | 'job.deadlettered'
        | 'job.retried'
        | 'cause.appeared'
        | 'cause.grew'
        | 'cause.omitted'
        | 'queue.paused'
        | 'queue.resumed'
        | 'worker.registered'
        | 'worker.deregistered'
        | 'schedule.triggered'
        | 'workflow.completed'
        | 'workflow.failed'
        | null;
      perSecond?: number | null;
      holdSeconds?: number | null;
      dryRun?: boolean | null;
    };
    response: {
      dryRun: true;
      count: number;
      hasMore: boolean;
      sample: {
        deliveryId: string;
        event: string;
        statusCode: number | null;
        error: string | null;
        attempts: number;
        createdAt: string;
      }[];
    };
  };
  'POST /api/v1/queues/{name}/deletions': {
    query: never;
    body: { holdSeconds?: number | null; dryRun?: boolean | null };
    response: {
      dryRun: true;
      queueName: string;
      count: number;
      counts: {
        pending: number;
        scheduled: number;
        processing: number;
        completed: number;
        failed: number;
        deadletter: number;
        cancelled: number;
        total: number;
      };
    };
  };
  'GET /api/v1/operations': {
    query: {
      kind?:
        | 'deadletter.replay'
        | 'deadletter.purge'
        | 'job.cancel'
        | 'job.prioritize'
        | 'job.run_now'
        | 'job.move'
        | 'job.patch'
        | 'job.delete'
        | 'delivery.resend'
        | 'queue.delete'
        | 'organization.delete';
      state?: 'held' | 'pending' | 'running' | 'completed' | 'stopped' | 'cancelled';
      limit?: number;
      offset?: number;
      cursor?: string;
      after?: string;
    };
    body: never;
    response:
      | {
          id: string;
          kind:
            | 'deadletter.replay'
            | 'deadletter.purge'
            | 'job.cancel'
            | 'job.prioritize'
            | 'job.run_now'
            | 'job.move'
            | 'job.patch'
            | 'job.delete'
            | 'delivery.resend'
            | 'queue.delete'
            | 'organization.delete';
          state: 'held' | 'pending' | 'running' | 'completed' | 'stopped' | 'cancelled';
          queues: string[];
          filter: {
            jobIds?: string[] | null;
            groupId?: string | null;
            queueName?: string | null;
            jobType?: string | null;
            cause?: string | null;
            causeId?: string | null;
            deadAfter?: string | null;
            deadBefore?: string | null;
            createdAfter?: string | null;
            createdBefore?: string | null;
            q?: string | null;
            search?: string | null;
            tag?: string | null;
            status?: 'pending' | 'scheduled' | null;
            batchId?: string | null;
            webhookId?: string | null;
            event?: string | null;
          };
          options: {
            perSecond?: number | null;
            priority?: number | null;
            toQueue?: string | null;
            stages?: number[] | null;
            maxFailureShare?: number | null;
            minEnded?: number | null;
            maxPayloadBytes?: number | null;
          };
          payloadPatch: unknown | null;
          total: number | null;
          processed: number;
          refused: number;
          waiting: number;
          succeeded: number;
          failed: number;
          endedOtherwise: number;
          reason: string | null;
          actor: Actor | null;
          createdAt: string;
          startsAt: string | null;
          startedAt: string | null;
          endedAt: string | null;
        }[]
      | {
          data: {
            id: string;
            kind:
              | 'deadletter.replay'
              | 'deadletter.purge'
              | 'job.cancel'
              | 'job.prioritize'
              | 'job.run_now'
              | 'job.move'
              | 'job.patch'
              | 'job.delete'
              | 'delivery.resend'
              | 'queue.delete'
              | 'organization.delete';
            state: 'held' | 'pending' | 'running' | 'completed' | 'stopped' | 'cancelled';
            queues: string[];
            filter: {
              jobIds?: string[] | null;
              groupId?: string | null;
              queueName?: string | null;
              jobType?: string | null;
              cause?: string | null;
              causeId?: string | null;
              deadAfter?: string | null;
              deadBefore?: string | null;
              createdAfter?: string | null;
              createdBefore?: string | null;
              q?: string | null;
              search?: string | null;
              tag?: string | null;
              status?: 'pending' | 'scheduled' | null;
              batchId?: string | null;
              webhookId?: string | null;
              event?: string | null;
            };
            options: {
              perSecond?: number | null;
              priority?: number | null;
              toQueue?: string | null;
              stages?: number[] | null;
              maxFailureShare?: number | null;
              minEnded?: number | null;
              maxPayloadBytes?: number | null;
            };
            payloadPatch: unknown | null;
            total: number | null;
            processed: number;
            refused: number;
            waiting: number;
            succeeded: number;
            failed: number;
            endedOtherwise: number;
            reason: string | null;
            actor: Actor | null;
            createdAt: string;
            startsAt: string | null;
            startedAt: string | null;
            endedAt: string | null;
          }[];
          nextCursor: string | null;
          hasMore: boolean;
        };
  };
  'GET /api/v1/operations/{id}': {
    query: never;
    body: never;
    response: {
      id: string;
      kind:
        | 'deadletter.replay'
        | 'deadletter.purge'
        | 'job.cancel'
        | 'job.prioritize'
        | 'job.run_now'
        | 'job.move'
        | 'job.patch'
        | 'job.delete'
        | 'delivery.resend'
        | 'queue.delete'
        | 'organization.delete';
      state: 'held' | 'pending' | 'running' | 'completed' | 'stopped' | 'cancelled';
      queues: string[];
      filter: {
        jobIds?: string[] | null;
        groupId?: string | null;
        queueName?: string | null;
        jobType?: string | null;
        cause?: string | null;
        causeId?: string | null;
        deadAfter?: string | null;
        deadBefore?: string | null;
        createdAfter?: string | null;
        createdBefore?: string | null;
        q?: string | null;
        search?: string | null;
        tag?: string | null;
        status?: 'pending' | 'scheduled' | null;
        batchId?: string | null;
        webhookId?: string | null;
        event?: string | null;
      };
      options: {
        perSecond?: number | null;
        priority?: number | null;
        toQueue?: string | null;
        stages?: number[] | null;
        maxFailureShare?: number | null;
        minEnded?: number | null;
        maxPayloadBytes?: number | null;
      };
      payloadPatch: unknown | null;
      total: number | null;
      processed: number;
      refused: number;
      waiting: number;
      succeeded: number;
      failed: number;
      endedOtherwise: number;
      reason: string | null;
      actor: Actor | null;
      createdAt: string;
      startsAt: string | null;
      startedAt: string | null;
      endedAt: string | null;
      listsJobs: boolean;
      refusedJobs: { jobId: string; error: string }[];
      failedJobs: { jobId: string; error: string | null }[];
    };
  };
  'GET /api/v1/operations/{id}/jobs': {
    query: {
      outcome?: 'changed' | 'waiting' | 'succeeded' | 'failed' | 'ended_otherwise' | 'refused';
      limit?: number;
      offset?: number;
      cursor?: string;
    };
    body: never;
    response:
      | {
          jobId: string;
          outcome: 'waiting' | 'succeeded' | 'failed' | 'ended_otherwise' | 'refused';
          error: string | null;
        }[]
      | {
          data: {
            jobId: string;
            outcome: 'waiting' | 'succeeded' | 'failed' | 'ended_otherwise' | 'refused';
            error: string | null;
          }[];
          nextCursor: string | null;
          hasMore: boolean;
        };
  };
  'POST /api/v1/operations/{id}/cancel': {
    query: never;
    body: Record<string, never>;
    response: {
      id: string;
      kind:
        | 'deadletter.replay'
        | 'deadletter.purge'
        | 'job.cancel'
        | 'job.prioritize'
        | 'job.run_now'
        | 'job.move'
        | 'job.patch'
        | 'job.delete'
        | 'delivery.resend'
        | 'queue.delete'
        | 'organization.delete';
      state: 'held' | 'pending' | 'running' | 'completed' | 'stopped' | 'cancelled';
      queues: string[];
      filter: {
        jobIds?: string[] | null;
        groupId?: string | null;
        queueName?: string | null;
        jobType?: string | null;
        cause?: string | null;
        causeId?: string | null;
        deadAfter?: string | null;
        deadBefore?: string | null;
        createdAfter?: string | null;
        createdBefore?: string | null;
        q?: string | null;
        search?: string | null;
        tag?: string | null;
        status?: 'pending' | 'scheduled' | null;
        batchId?: string | null;
        webhookId?: string | null;
        event?: string | null;
      };
      options: {
        perSecond?: number | null;
        priority?: number | null;
        toQueue?: string | null;
        stages?: number[] | null;
        maxFailureShare?: number | null;
        minEnded?: number | null;
        maxPayloadBytes?: number | null;
      };
      payloadPatch: unknown | null;
      total: number | null;
      processed: number;
      refused: number;
      waiting: number;
      succeeded: number;
      failed: number;
      endedOtherwise: number;
      reason: string | null;
      actor: Actor | null;
      createdAt: string;
      startsAt: string | null;
      startedAt: string | null;
      endedAt: string | null;
    };
  };
  'GET /api/v1/jobs/{id}/logs': {
    query: { attempt?: number; leaseId?: string; cursor?: string; limit?: number };
    body: never;
    response: JobLogs;
  };
  'POST /api/v1/jobs/{id}/logs': {
    query: never;
    body: {
      workerId: string;
      leaseId?: string | null;
      lines: {
        number: number;
        ageMs?: number;
        level?: 'debug' | 'info' | 'warn' | 'error';
        message: string;
        fields?: unknown;
      }[];
    };
    response: { success: true; kept: number; omitted: number };
  };
  'GET /api/v1/jobs/{id}/steps': {
    query: never;
    body: never;
    response: {
      steps: {
        step: string;
        kind: 'step' | 'sleep' | 'signal';
        isDone: boolean;
        createdAt: string;
        finishedAt: string | null;
        deadline: string | null;
        result: unknown;
      }[];
    };
  };
  'POST /api/v1/jobs/{id}/steps': {
    query: never;
    body: { workerId: string; leaseId?: string | null; step: string; result?: unknown };
    response: { success: true };
  };
  'POST /api/v1/jobs/{id}/wait': {
    query: never;
    body: { workerId: string; leaseId?: string | null; step: string; waitFor: 'sleep' | 'signal'; waitMs: number };
    response: { success: true; isOver: boolean };
  };
  'POST /api/v1/jobs/{id}/signals': {
    query: never;
    body: { step: string; payload?: unknown };
    response: { accepted: boolean; resumed: boolean };
  };
  'POST /api/v1/jobs/{id}/signal-urls': {
    query: never;
    body: { step: string; expiresInSecs?: number };
    response: { url: string; expiresAt: string };
  };
  'POST /api/v1/signals': {
    query: never;
    body: unknown;
    response: { accepted: boolean; resumed: boolean };
  };
  'POST /api/v1/jobs/claim': {
    query: never;
    body: {
      queueName: string;
      workerId: string;
      limit?: number | null;
      leaseDurationSecs?: number | null;
      waitSeconds?: number | null;
    };
    response: {
      jobs: {
        id: string;
        queueName: string;
        payload: unknown;
        priority: number;
        retryCount: number;
        maxRetries: number;
        timeoutSeconds: number;
        leaseExpiresAt: string;
        leaseId: string;
        createdAt: string;
        idempotencyKey: string | null;
        traceparent: string | null;
      }[];
    };
  };
  'POST /api/v1/jobs/complete/bulk': {
    query: never;
    body: { workerId: string; jobs: { jobId: string; leaseId?: string | null; result?: unknown }[] };
    response: {
      results: ({ success: true; jobId: string } | { success: false; jobId: string; error: Problem })[];
      total: number;
      successCount: number;
      failureCount: number;
    };
  };
  'POST /api/v1/jobs/{id}/complete': {
    query: never;
    body: { workerId: string; leaseId?: string | null; result?: unknown };
    response: { success: true };
  };
  'POST /api/v1/jobs/{id}/fail': {
    query: never;
    body: { workerId: string; leaseId?: string | null; error: string; retry?: boolean | null };
    response: { success: true; willRetry: boolean; nextRetryDelaySecs: number; cancelled?: true };
  };
  'POST /api/v1/jobs/{id}/heartbeat': {
    query: never;
    body: { workerId: string; leaseId?: string | null; leaseDurationSecs?: number | null };
    response: { success: true; leaseExpiresAt: string; cancelRequested?: true };
  };
  'POST /api/v1/jobs/{id}/release': {
    query: never;
    body: { workerId: string; leaseId?: string | null };
    response: { success: true };
  };
  'POST /api/v1/jobs/{id}/progress': {
    query: never;
    body: { progress: number; message?: string | null; workerId?: string | null; leaseId?: string | null };
    response: { success: true };
  };
  'GET /api/v1/jobs/running': {
    query: { queueName?: string; queue?: string; search?: string };
    body: never;
    response: {
      jobs: {
        id: string;
        queueName: string;
        jobType: string | null;
        attempt: number;
        maxAttempts: number;
        priority: number;
        startedAt: string | null;
        leaseExpiresAt: string | null;
        timeoutSeconds: number | null;
        progress: number | null;
        progressMessage: string | null;
        progressAt: string | null;
        workerId: string | null;
        hostname: string | null;
      }[];
      running: { count: number; atLeast: boolean };
      checkedAt: string;
      notChecked: string[];
    };
  };
  'GET /api/v1/worker-versions': {
    query: never;
    body: never;
    response: {
      versions: {
        version: string | null;
        workers: number;
        healthy: number;
        degraded: number;
        draining: number;
        toldToDrain: number;
        drained: number;
        runningJobs: number;
        firstRegisteredAt: string;
      }[];
      notChecked: string[];
      checkedAt: string;
    };
  };
  'POST /api/v1/worker-versions/drain': {
    query: never;
    body: { version: string | null };
    response: { version: string | null; workers: number; more: boolean };
  };
  'POST /api/v1/worker-versions/resume': {
    query: never;
    body: { version: string | null };
    response: { version: string | null; workers: number; more: boolean };
  };
  'POST /api/v1/workers/register': {
    query: never;
    body: {
      queueName: string;
      hostname: string;
      workerId?: string | null;
      workerType?: string | null;
      maxConcurrency?: number | null;
      metadata?: unknown;
      version?: string | null;
    };
    response: { id: string; queueName: string; leaseDurationSecs: number; heartbeatIntervalSecs: number };
  };
  'GET /api/v1/workers': {
    query: { limit?: number; offset?: number; cursor?: string };
    body: never;
    response:
      | {
          id: string;
          queueName: string;
          hostname: string;
          status: 'healthy' | 'degraded' | 'draining' | 'offline';
          currentJobs: number;
          maxConcurrency: number;
          lastHeartbeat: string;
          jobsProcessed: number;
          jobsFailed: number;
        }[]
      | {
          data: {
            id: string;
            queueName: string;
            hostname: string;
            status: 'healthy' | 'degraded' | 'draining' | 'offline';
            currentJobs: number;
            maxConcurrency: number;
            lastHeartbeat: string;
            jobsProcessed: number;
            jobsFailed: number;
          }[];
          nextCursor: string | null;
          hasMore: boolean;
        };
  };
  'GET /api/v1/workers/{id}': {
    query: never;
    body: never;
    response: {
      id: string;
      queueName: string;
      hostname: string;
      status: 'healthy' | 'degraded' | 'draining' | 'offline';
      currentJobs: number;
      maxConcurrency: number;
      lastHeartbeat: string;
      jobsProcessed: number;
      jobsFailed: number;
      organizationId: string;
      queueNames: string[];
      workerType: string | null;
      metadata: unknown;
      version: string | null;
      registeredAt: string;
      updatedAt: string;
      maxConcurrentJobs: number;
      currentJobCount: number;
      createdAt: string;
      drainRequestedAt: string | null;
    };
  };
  'DELETE /api/v1/workers/{id}': {
    query: never;
    body: never;
    response: void;
  };
  'POST /api/v1/workers/{id}/heartbeat': {
    query: never;
    body: { currentJobs: number; status?: 'healthy' | 'degraded' | 'draining' | 'offline' | null; metadata?: unknown };
    response: { status: 'healthy' | 'degraded' | 'draining' | 'offline'; shouldDrain: boolean };
  };
  'GET /api/v1/workers/{id}/jobs': {
    query: never;
    body: never;
    response: {
      workerId: string;
      jobs: {
        id: string;
        queueName: string;
        jobType: string | null;
        attempt: number;
        maxAttempts: number;
        priority: number;
        startedAt: string | null;
        leaseExpiresAt: string | null;
        timeoutSeconds: number | null;
        progress: number | null;
        progressMessage: string | null;
        progressAt: string | null;
      }[];
      notChecked: string[];
    };
  };
  'POST /api/v1/workers/{id}/drain': {
    query: never;
    body: never;
    response: { id: string; status: 'healthy' | 'degraded' | 'draining' | 'offline' };
  };
  'POST /api/v1/workers/{id}/resume': {
    query: never;
    body: never;
    response: { id: string; status: 'healthy' | 'degraded' | 'draining' | 'offline' };
  };
  'POST /api/v1/workers/{id}/deregister': {
    query: never;
    body: never;
    response: void;
  };
  'GET /api/v1/queues': {
    query: { limit?: number; offset?: number; cursor?: string };
    body: never;
    response:
      | { queueName: string; maxRetries: number; defaultTimeout: number; rateLimit: number | null; enabled: boolean }[]
      | {
          data: {
            queueName: string;
            maxRetries: number;
            defaultTimeout: number;
            rateLimit: number | null;
            enabled: boolean;
          }[];
          nextCursor: string | null;
          hasMore: boolean;
        };
  };
  'GET /api/v1/queues/{name}': {
    query: never;
    body: never;
    response: {
      queueName: string;
      maxRetries: number;
      defaultTimeout: number;
      rateLimit: number | null;
      enabled: boolean;
      id: string;
      organizationId: string;
      settings: Record<string, unknown>;
      createdAt: string;
      updatedAt: string;
      pause: {
        pausedAt: string | null;
        reason: string | null;
        expiresAt: string | null;
        pausedBy: Actor | null;
      } | null;
      receiver: { state: 'closed' | 'open' | 'unknown'; since: string | null; nextTrialAt: string | null } | null;
    };
  };
  'PUT /api/v1/queues/{name}': {
    query: never;
    body: {
      maxRetries?: number | null;
      defaultTimeout?: number | null;
      rateLimit?: number | null;
      enabled?: boolean | null;
      settings?: Record<string, unknown> | null;
    };
    response: {
      queueName: string;
      maxRetries: number;
      defaultTimeout: number;
      rateLimit: number | null;
      enabled: boolean;
      id: string;
      organizationId: string;
      settings: Record<string, unknown>;
      createdAt: string;
      updatedAt: string;
    };
  };
  'DELETE /api/v1/queues/{name}': {
    query: { deleteJobs?: boolean };
    body: never;
    response: void;
  };
  'PUT /api/v1/queues/{name}/config': {
    query: never;
    body: {
      maxRetries?: number | null;
      defaultTimeout?: number | null;
      rateLimit?: number | null;
      enabled?: boolean | null;
      settings?: Record<string, unknown> | null;
    };
    response: {
      queueName: string;
      maxRetries: number;
      defaultTimeout: number;
      rateLimit: number | null;
      enabled: boolean;
      id: string;
      organizationId: string;
      settings: Record<string, unknown>;
      createdAt: string;
      updatedAt: string;
    };
  };
  'GET /api/v1/queues/{name}/stats': {
    query: never;
    body: never;
    response: {
      queueName: string;
      pendingJobs: number;
      processingJobs: number;
      completedJobs24h: number;
      failedJobs24h: number;
      coveredSeconds24h: number;
      avgProcessingTimeMs: number | null;
      maxJobAgeSeconds: number | null;
      activeWorkers: number;
    };
  };
  'POST /api/v1/queues/{name}/pause': {
    query: never;
    body: { reason?: string | null; expiresAt?: string | null; durationSeconds?: number | null };
    response: { queueName: string; paused: true; pausedAt: string; reason: string | null; expiresAt: string | null };
  };
  'POST /api/v1/queues/{name}/resume': {
    query: never;
    body: never;
    response: { queueName: string; resumed: true; pausedDurationSecs: number };
  };
  'GET /api/v1/queues/{name}/payload-contract': {
    query: { version?: number };
    body: never;
    response: {
      queueName: string;
      version: number;
      mode: 'reject' | 'warn';
      compatibility: 'none' | 'backward';
      createdBy: Actor | null;
      violations: { count: number; lastAt: string | null; samples: { at: string; path: string; reason: string }[] };
      schema: Record<string, unknown>;
      createdAt: string | null;
    };
  };
  'PUT /api/v1/queues/{name}/payload-contract': {
    query: never;
    body: {
      schema: Record<string, unknown>;
      mode?: 'reject' | 'warn' | null;
      compatibility?: 'none' | 'backward' | null;
      dryRun?: boolean | null;
    };
    response: {
      queueName: string;
      version: number;
      mode: 'reject' | 'warn';
      compatibility: 'none' | 'backward';
      createdBy: Actor | null;
      violations: { count: number; lastAt: string | null; samples: { at: string; path: string; reason: string }[] };
      schema: Record<string, unknown>;
      createdAt: string | null;
      dryRun: boolean;
      incompatible: { path: string; reason: string }[];
      sample: {
        sampled: number;
        checked: number;
        refused: number;
        jobs: { id: string; path: string; reason: string }[];
      } | null;
    };
  };
  'DELETE /api/v1/queues/{name}/payload-contract': {
    query: never;
    body: never;
    response: void;
  };
  'GET /api/v1/queues/{name}/payload-contract/versions': {
    query: never;
    body: never;
    response: {
      versions: {
        version: number;
        mode: 'reject' | 'warn';
        compatibility: 'none' | 'backward';
        createdBy: Actor | null;
        violations: { count: number; lastAt: string | null; samples: { at: string; path: string; reason: string }[] };
        createdAt: string;
        isCurrent: boolean;
      }[];
    };
  };
  'GET /api/v1/queues/{name}/producers': {
    query: { minutes?: number };
    body: never;
    response: {
      queueName: string;
      from: string;
      to: string;
      jobs: number;
      isCut: boolean;
      perSecond: number;
      byActor: { actor: Actor | null; jobs: number; share: number }[];
      byJobType: { jobType: string | null; jobs: number; share: number }[];
      byTag: { tag: string; jobs: number; share: number }[];
    };
  };
  'GET /api/v1/throttles': {
    query: never;
    body: never;
    response: {
      throttles: {
        id: string;
        apiKeyId: string | null;
        apiKeyName: string | null;
        queueName: string | null;
        tag: { name: string; value: string | null } | null;
        perSecond: number;
        createdAt: string;
        createdBy: Actor | null;
        expiresAt: string;
      }[];
    };
  };
  'POST /api/v1/throttles': {
    query: never;
    body: {
      apiKeyId?: string | null;
      queueName?: string | null;
      tag?: { name: string; value?: string | null } | null;
      perSecond: number;
      expiresInSeconds: number;
      dryRun?: boolean | null;
    };
    response: {
      dryRun: true;
      from: string;
      to: string;
      isCut: boolean;
      created: number;
      admitted: number;
      refused: number;
    };
  };
  'DELETE /api/v1/throttles/{id}': {
    query: never;
    body: never;
    response: void;
  };
  'GET /api/v1/jobs/{id}/explain': {
    query: never;
    body: never;
    response: {
      jobId: string;
      queueName: string;
      status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
      since: string | null;
      reasons: (
        | {
            code: 'queue_paused';
            message: string;
            since: string | null;
            until: string | null;
            details: { reason: string | null; paused_by: Actor | null; expires_at: string | null };
          }
        | {
            code: 'queue_deletion';
            message: string;
            since: string | null;
            until: string | null;
            details: { deleted_until: string };
          }
        | {
            code: 'receiver_unavailable';
            message: string;
            since: string | null;
            until: string | null;
            details: { next_call_at: string };
          }
        | {
            code: 'concurrency_limit';
            message: string;
            since: string | null;
            until: string | null;
            details: { limit: number; running: number };
          }
        | {
            code: 'push_call_limit';
            message: string;
            since: string | null;
            until: string | null;
            details: { limit: number; running: number };
          }
        | {
            code: 'no_free_push_call';
            message: string;
            since: string | null;
            until: string | null;
            details: { running: number; in_use: number; limit: number; short_of: 'calls' | 'payload_bytes' };
          }
        | {
            code: 'rate_limit';
            message: string;
            since: string | null;
            until: string | null;
            details: { limit_per_second: number; next_token_at: string };
          }
        | {
            code: 'no_workers';
            message: string;
            since: string | null;
            until: string | null;
            details: {
              healthy: number;
              degraded: number;
              draining: number;
              offline: number;
              last_heartbeat: string | null;
              finished_last_hour: number;
            };
          }
        | {
            code: 'no_claims';
            message: string;
            since: string | null;
            until: string | null;
            details: { healthy: number; oldest_waiting_seconds: number; finished_last_hour: number };
          }
        | {
            code: 'scheduled';
            message: string;
            since: string | null;
            until: string | null;
            details: { scheduled_at: string };
          }
        | {
            code: 'step';
            message: string;
            since: string | null;
            until: string | null;
            details: { step: string; waits_for: 'sleep' | 'signal'; deadline: string };
          }
        | {
            code: 'retry_backoff';
            message: string;
            since: string | null;
            until: string | null;
            details: { next_attempt_at: string; next_attempt: number; max_attempts: number; last_error: string | null };
          }
        | {
            code: 'dependencies';
            message: string;
            since: string | null;
            until: string | null;
            details: {
              mode: 'all' | 'any';
              total: number;
              unfinished: number;
              parents: {
                job_id: string;
                queue_name: string;
                status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
                reason: { code: string; message: string } | null;
              }[];
              hidden: number;
            };
          }
        | {
            code: 'behind';
            message: string;
            since: string | null;
            until: string | null;
            details: { jobs_ahead: number };
          }
        | { code: 'ready'; message: string; since: string | null; until: string | null; details: Record<string, never> }
        | {
            code: 'expires';
            message: string;
            since: string | null;
            until: string | null;
            details: { expires_at: string };
          }
        | {
            code: 'expired';
            message: string;
            since: string | null;
            until: string | null;
            details: { expires_at: string };
          }
        | {
            code: 'cancel_requested';
            message: string;
            since: string | null;
            until: string | null;
            details: {
              worker_id: string | null;
              requested_at: string;
              requested_by: Actor | null;
              reason: string | null;
            };
          }
        | {
            code: 'running';
            message: string;
            since: string | null;
            until: string | null;
            details: {
              worker_id: string | null;
              attempt: number;
              max_attempts: number;
              lease_expires_at: string | null;
              timeout_seconds: number;
            };
          }
        | {
            code: 'finished';
            message: string;
            since: string | null;
            until: string | null;
            details: { outcome: 'completed' | 'failed' | 'cancelled' };
          }
        | {
            code: 'dead_letter';
            message: string;
            since: string | null;
            until: string | null;
            details: { attempts: number; last_error: string | null };
          }
      )[];
      position: number | null;
      estimate: { startsAt: string; basis: string } | null;
      notChecked: string[];
      checkedAt: string;
    };
  };
  'GET /api/v1/queues/{name}/explain': {
    query: never;
    body: never;
    response: {
      queueName: string;
      status: 'ok' | 'limited' | 'degraded' | 'waiting' | 'stopped';
      problems: (
        | {
            code: 'queue_paused';
            message: string;
            since: string | null;
            until: string | null;
            details: { reason: string | null; paused_by: Actor | null; expires_at: string | null };
            action: string;
          }
        | {
            code: 'queue_deletion';
            message: string;
            since: string | null;
            until: string | null;
            details: { deleted_until: string };
            action: string;
          }
        | {
            code: 'receiver_unavailable';
            message: string;
            since: string | null;
            until: string | null;
            details: { next_call_at: string };
            action: string;
          }
        | {
            code: 'concurrency_limit';
            message: string;
            since: string | null;
            until: string | null;
            details: { limit: number; running: number };
            action: string;
          }
        | {
            code: 'push_call_limit';
            message: string;
            since: string | null;
            until: string | null;
            details: { limit: number; running: number };
            action: string;
          }
        | {
            code: 'no_free_push_call';
            message: string;
            since: string | null;
            until: string | null;
            details: { running: number; in_use: number; limit: number; short_of: 'calls' | 'payload_bytes' };
            action: string;
          }
        | {
            code: 'rate_limit';
            message: string;
            since: string | null;
            until: string | null;
            details: { limit_per_second: number; next_token_at: string };
            action: string;
          }
        | {
            code: 'no_workers';
            message: string;
            since: string | null;
            until: string | null;
            details: {
              healthy: number;
              degraded: number;
              draining: number;
              offline: number;
              last_heartbeat: string | null;
              finished_last_hour: number;
            };
            action: string;
          }
        | {
            code: 'no_claims';
            message: string;
            since: string | null;
            until: string | null;
            details: { healthy: number; oldest_waiting_seconds: number; finished_last_hour: number };
            action: string;
          }
        | {
            code: 'all_scheduled';
            message: string;
            since: string | null;
            until: string | null;
            details: { scheduled: number; retrying: number; next_at: string | null };
            action: string;
          }
        | {
            code: 'dependencies';
            message: string;
            since: string | null;
            until: string | null;
            details: { blocked: number };
            action: string;
          }
        | {
            code: 'cause_new';
            message: string;
            since: string | null;
            until: string | null;
            details: {
              group_id: string;
              job_type: string;
              error: string;
              dead_letters_last_hour: number;
              dead_letters_hour_before: number;
              muted_until: string | null;
            };
            action: string;
          }
        | {
            code: 'cause_growing';
            message: string;
            since: string | null;
            until: string | null;
            details: {
              group_id: string;
              job_type: string;
              error: string;
              dead_letters_last_hour: number;
              dead_letters_hour_before: number;
              muted_until: string | null;
            };
            action: string;
          }
        | {
            code: 'failing';
            message: string;
            since: string | null;
            until: string | null;
            details: {
              failed_attempts_last_hour: number;
              completed_last_hour: number;
              failure_share: number;
              group_id: string | null;
            };
            action: string;
          }
        | {
            code: 'failures_risen';
            message: string;
            since: string | null;
            until: string | null;
            details: {
              failed_attempts_last_hour: number;
              completed_last_hour: number;
              failure_share: number;
              group_id: string | null;
              compared_with: 'hour_before' | 'day_before';
              failure_share_before: number;
            };
            action: string;
          }
        | {
            code: 'falling_behind';
            message: string;
            since: string | null;
            until: string | null;
            details: { created_last_hour: number; finished_last_hour: number; ready: number };
            action: string;
          }
        | {
            code: 'backlog_old';
            message: string;
            since: string | null;
            until: string | null;
            details: { oldest_waiting_seconds: number; ready: number };
            action: string;
          }
        | {
            code: 'latency_risen';
            message: string;
            since: string | null;
            until: string | null;
            details: { measure: 'wait' | 'run'; p95_ms: number; p95_ms_day_before: number };
            action: string;
          }
        | {
            code: 'slow_jobs';
            message: string;
            since: string | null;
            until: string | null;
            details: { average_run_ms: number; timeout_seconds: number };
            action: string;
          }
        | {
            code: 'throttled';
            message: string;
            since: string | null;
            until: string | null;
            details: {
              throttle_id: string;
              limit_per_second: number;
              api_key_id: string | null;
              api_key_name: string | null;
              tag: { name: string; value: string | null } | null;
            };
            action: string;
          }
        | {
            code: 'limit_reached';
            message: string;
            since: string | null;
            until: string | null;
            details: { resource: 'jobs_per_day' | 'active_jobs'; limit: number; used: number };
            action: string;
          }
      )[];
      jobs: {
        ready: { count: number; atLeast: boolean };
        blocked: { count: number; atLeast: boolean };
        scheduled: { count: number; atLeast: boolean };
        retrying: { count: number; atLeast: boolean };
        running: { count: number; atLeast: boolean };
        oldestReadySeconds: number | null;
      };
      rates: {
        createdLastHour: number;
        completedLastHour: number;
        failedAttemptsLastHour: number;
        coveredSeconds: number;
        lastMinute: { created: number; completed: number; failedAttempts: number; coveredSeconds: number } | null;
        averageRunMs: number | null;
        secondsToDrain: number | null;
      };
      workers: {
        healthy: { count: number; atLeast: boolean };
        degraded: { count: number; atLeast: boolean };
        draining: { count: number; atLeast: boolean };
        offline: { count: number; atLeast: boolean };
        lastHeartbeat: string | null;
        lastStartedAt: string | null;
      };
      notChecked: string[];
      checkedAt: string;
    };
  };
  'GET /api/v1/queues/{name}/desired-replicas': {
    query: { concurrency?: number; drainSeconds?: number };
    body: never;
    response: {
      queueName: string;
      desiredReplicas: number;
      reason:
        | 'idle'
        | 'backlog'
        | 'running'
        | 'average_unknown'
        | 'queue_paused'
        | 'push_queue'
        | 'concurrency_limit'
        | 'rate_limit';
      ready: { count: number; atLeast: boolean };
      running: { count: number; atLeast: boolean };
      averageRunMs: number | null;
      concurrency: number;
      drainSeconds: number;
      checkedAt: string;
    };
  };
  'GET /api/v1/queue-explanations': {
    query: { limit?: number; offset?: number; cursor?: string };
    body: never;
    response:
      | {
          queueName: string;
          maxRetries: number;
          defaultTimeout: number;
          rateLimit: number | null;
          enabled: boolean;
          status: 'ok' | 'limited' | 'degraded' | 'waiting' | 'stopped';
          problems: (
            | {
                code: 'queue_paused';
                message: string;
                since: string | null;
                until: string | null;
                details: { reason: string | null; paused_by: Actor | null; expires_at: string | null };
                action: string;
              }
            | {
                code: 'queue_deletion';
                message: string;
                since: string | null;
                until: string | null;
                details: { deleted_until: string };
                action: string;
              }
            | {
                code: 'receiver_unavailable';
                message: string;
                since: string | null;
                until: string | null;
                details: { next_call_at: string };
                action: string;
              }
            | {
                code: 'concurrency_limit';
                message: string;
                since: string | null;
                until: string | null;
                details: { limit: number; running: number };
                action: string;
              }
            | {
                code: 'push_call_limit';
                message: string;
                since: string | null;
                until: string | null;
                details: { limit: number; running: number };
                action: string;
              }
            | {
                code: 'no_free_push_call';
                message: string;
                since: string | null;
                until: string | null;
                details: { running: number; in_use: number; limit: number; short_of: 'calls' | 'payload_bytes' };
                action: string;
              }
            | {
                code: 'rate_limit';
                message: string;
                since: string | null;
                until: string | null;
                details: { limit_per_second: number; next_token_at: string };
                action: string;
              }
            | {
                code: 'no_workers';
                message: string;
                since: string | null;
                until: string | null;
                details: {
                  healthy: number;
                  degraded: number;
                  draining: number;
                  offline: number;
                  last_heartbeat: string | null;
                  finished_last_hour: number;
                };
                action: string;
              }
            | {
                code: 'no_claims';
                message: string;
                since: string | null;
                until: string | null;
                details: { healthy: number; oldest_waiting_seconds: number; finished_last_hour: number };
                action: string;
              }
            | {
                code: 'all_scheduled';
                message: string;
                since: string | null;
                until: string | null;
                details: { scheduled: number; retrying: number; next_at: string | null };
                action: string;
              }
            | {
                code: 'dependencies';
                message: string;
                since: string | null;
                until: string | null;
                details: { blocked: number };
                action: string;
              }
            | {
                code: 'cause_new';
                message: string;
                since: string | null;
                until: string | null;
                details: {
                  group_id: string;
                  job_type: string;
                  error: string;
                  dead_letters_last_hour: number;
                  dead_letters_hour_before: number;
                  muted_until: string | null;
                };
                action: string;
              }
            | {
                code: 'cause_growing';
                message: string;
                since: string | null;
                until: string | null;
                details: {
                  group_id: string;
                  job_type: string;
                  error: string;
                  dead_letters_last_hour: number;
                  dead_letters_hour_before: number;
                  muted_until: string | null;
                };
                action: string;
              }
            | {
                code: 'failing';
                message: string;
                since: string | null;
                until: string | null;
                details: {
                  failed_attempts_last_hour: number;
                  completed_last_hour: number;
                  failure_share: number;
                  group_id: string | null;
                };
                action: string;
              }
            | {
                code: 'failures_risen';
                message: string;
                since: string | null;
                until: string | null;
                details: {
                  failed_attempts_last_hour: number;
                  completed_last_hour: number;
                  failure_share: number;
                  group_id: string | null;
                  compared_with: 'hour_before' | 'day_before';
                  failure_share_before: number;
                };
                action: string;
              }
            | {
                code: 'falling_behind';
                message: string;
                since: string | null;
                until: string | null;
                details: { created_last_hour: number; finished_last_hour: number; ready: number };
                action: string;
              }
            | {
                code: 'backlog_old';
                message: string;
                since: string | null;
                until: string | null;
                details: { oldest_waiting_seconds: number; ready: number };
                action: string;
              }
            | {
                code: 'latency_risen';
                message: string;
                since: string | null;
                until: string | null;
                details: { measure: 'wait' | 'run'; p95_ms: number; p95_ms_day_before: number };
                action: string;
              }
            | {
                code: 'slow_jobs';
                message: string;
                since: string | null;
                until: string | null;
                details: { average_run_ms: number; timeout_seconds: number };
                action: string;
              }
            | {
                code: 'throttled';
                message: string;
                since: string | null;
                until: string | null;
                details: {
                  throttle_id: string;
                  limit_per_second: number;
                  api_key_id: string | null;
                  api_key_name: string | null;
                  tag: { name: string; value: string | null } | null;
                };
                action: string;
              }
            | {
                code: 'limit_reached';
                message: string;
                since: string | null;
                until: string | null;
                details: { resource: 'jobs_per_day' | 'active_jobs'; limit: number; used: number };
                action: string;
              }
          )[];
          jobs: {
            ready: { count: number; atLeast: boolean };
            blocked: { count: number; atLeast: boolean };
            scheduled: { count: number; atLeast: boolean };
            retrying: { count: number; atLeast: boolean };
            running: { count: number; atLeast: boolean };
            oldestReadySeconds: number | null;
          };
          rates: {
            createdLastHour: number;
            completedLastHour: number;
            failedAttemptsLastHour: number;
            coveredSeconds: number;
            lastMinute: { created: number; completed: number; failedAttempts: number; coveredSeconds: number } | null;
            averageRunMs: number | null;
            secondsToDrain: number | null;
          };
          workers: {
            healthy: { count: number; atLeast: boolean };
            degraded: { count: number; atLeast: boolean };
            draining: { count: number; atLeast: boolean };
            offline: { count: number; atLeast: boolean };
            lastHeartbeat: string | null;
            lastStartedAt: string | null;
          };
          notChecked: string[];
          checkedAt: string;
        }[]
      | {
          data: {
            queueName: string;
            maxRetries: number;
            defaultTimeout: number;
            rateLimit: number | null;
            enabled: boolean;
            status: 'ok' | 'limited' | 'degraded' | 'waiting' | 'stopped';
            problems: (
              | {
                  code: 'queue_paused';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { reason: string | null; paused_by: Actor | null; expires_at: string | null };
                  action: string;
                }
              | {
                  code: 'queue_deletion';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { deleted_until: string };
                  action: string;
                }
              | {
                  code: 'receiver_unavailable';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { next_call_at: string };
                  action: string;
                }
              | {
                  code: 'concurrency_limit';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { limit: number; running: number };
                  action: string;
                }
              | {
                  code: 'push_call_limit';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { limit: number; running: number };
                  action: string;
                }
              | {
                  code: 'no_free_push_call';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { running: number; in_use: number; limit: number; short_of: 'calls' | 'payload_bytes' };
                  action: string;
                }
              | {
                  code: 'rate_limit';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { limit_per_second: number; next_token_at: string };
                  action: string;
                }
              | {
                  code: 'no_workers';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: {
                    healthy: number;
                    degraded: number;
                    draining: number;
                    offline: number;
                    last_heartbeat: string | null;
                    finished_last_hour: number;
                  };
                  action: string;
                }
              | {
                  code: 'no_claims';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { healthy: number; oldest_waiting_seconds: number; finished_last_hour: number };
                  action: string;
                }
              | {
                  code: 'all_scheduled';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { scheduled: number; retrying: number; next_at: string | null };
                  action: string;
                }
              | {
                  code: 'dependencies';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { blocked: number };
                  action: string;
                }
              | {
                  code: 'cause_new';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: {
                    group_id: string;
                    job_type: string;
                    error: string;
                    dead_letters_last_hour: number;
                    dead_letters_hour_before: number;
                    muted_until: string | null;
                  };
                  action: string;
                }
              | {
                  code: 'cause_growing';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: {
                    group_id: string;
                    job_type: string;
                    error: string;
                    dead_letters_last_hour: number;
                    dead_letters_hour_before: number;
                    muted_until: string | null;
                  };
                  action: string;
                }
              | {
                  code: 'failing';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: {
                    failed_attempts_last_hour: number;
                    completed_last_hour: number;
                    failure_share: number;
                    group_id: string | null;
                  };
                  action: string;
                }
              | {
                  code: 'failures_risen';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: {
                    failed_attempts_last_hour: number;
                    completed_last_hour: number;
                    failure_share: number;
                    group_id: string | null;
                    compared_with: 'hour_before' | 'day_before';
                    failure_share_before: number;
                  };
                  action: string;
                }
              | {
                  code: 'falling_behind';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { created_last_hour: number; finished_last_hour: number; ready: number };
                  action: string;
                }
              | {
                  code: 'backlog_old';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { oldest_waiting_seconds: number; ready: number };
                  action: string;
                }
              | {
                  code: 'latency_risen';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { measure: 'wait' | 'run'; p95_ms: number; p95_ms_day_before: number };
                  action: string;
                }
              | {
                  code: 'slow_jobs';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { average_run_ms: number; timeout_seconds: number };
                  action: string;
                }
              | {
                  code: 'throttled';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: {
                    throttle_id: string;
                    limit_per_second: number;
                    api_key_id: string | null;
                    api_key_name: string | null;
                    tag: { name: string; value: string | null } | null;
                  };
                  action: string;
                }
              | {
                  code: 'limit_reached';
                  message: string;
                  since: string | null;
                  until: string | null;
                  details: { resource: 'jobs_per_day' | 'active_jobs'; limit: number; used: number };
                  action: string;
                }
            )[];
            jobs: {
              ready: { count: number; atLeast: boolean };
              blocked: { count: number; atLeast: boolean };
              scheduled: { count: number; atLeast: boolean };
              retrying: { count: number; atLeast: boolean };
              running: { count: number; atLeast: boolean };
              oldestReadySeconds: number | null;
            };
            rates: {
              createdLastHour: number;
              completedLastHour: number;
              failedAttemptsLastHour: number;
              coveredSeconds: number;
              lastMinute: { created: number; completed: number; failedAttempts: number; coveredSeconds: number } | null;
              averageRunMs: number | null;
              secondsToDrain: number | null;
            };
            workers: {
              healthy: { count: number; atLeast: boolean };
              degraded: { count: number; atLeast: boolean };
              draining: { count: number; atLeast: boolean };
              offline: { count: number; atLeast: boolean };
              lastHeartbeat: string | null;
              lastStartedAt: string | null;
            };
            notChecked: string[];
            checkedAt: string;
          }[];
          nextCursor: string | null;
          hasMore: boolean;
        };
  };
  'GET /api/v1/problems': {
    query: never;
    body: never;
    response: {
      problems: {
        code:
          | 'queue_paused'
          | 'queue_deletion'
          | 'receiver_unavailable'
          | 'concurrency_limit'
          | 'push_call_limit'
          | 'no_free_push_call'
          | 'rate_limit'
          | 'throttled'
          | 'no_workers'
          | 'no_claims'
          | 'all_scheduled'
          | 'dependencies'
          | 'cause_new'
          | 'cause_growing'
          | 'failing'
          | 'failures_risen'
          | 'falling_behind'
          | 'backlog_old'
          | 'latency_risen'
          | 'slow_jobs'
          | 'limit_reached'
          | 'limit_near'
          | 'schedule_late'
          | 'schedule_failing'
          | 'webhook_failing'
          | 'webhook_disabled'
          | 'redis_unavailable'
          | 'scheduler_unavailable';
        severity: 'critical' | 'warning' | 'info';
        since: string | null;
        jobs: number | null;
        atLeast: boolean;
        harm: number | null;
        action: string;
        total: number;
        places: {
          queue: string | null;
          schedule: string | null;
          webhook: string | null;
          jobs: number | null;
          atLeast: boolean;
          harm: number | null;
          condition:
            | {
                code: 'queue_paused';
                message: string;
                since: string | null;
                until: string | null;
                details: { reason: string | null; paused_by: Actor | null; expires_at: string | null };
              }
            | {
                code: 'queue_deletion';
                message: string;
                since: string | null;
                until: string | null;
                details: { deleted_until: string };
              }
            | {
                code: 'receiver_unavailable';
                message: string;
                since: string | null;
                until: string | null;
                details: { next_call_at: string };
              }
            | {
                code: 'concurrency_limit';
                message: string;
                since: string | null;
                until: string | null;
                details: { limit: number; running: number };
              }
            | {
                code: 'push_call_limit';
                message: string;
                since: string | null;
                until: string | null;
                details: { limit: number; running: number };
              }
            | {
                code: 'no_free_push_call';
                message: string;
                since: string | null;
                until: string | null;
                details: { running: number; in_use: number; limit: number; short_of: 'calls' | 'payload_bytes' };
              }
            | {
                code: 'rate_limit';
                message: string;
                since: string | null;
                until: string | null;
                details: { limit_per_second: number; next_token_at: string };
              }
            | {
                code: 'throttled';
                message: string;
                since: string | null;
                until: string | null;
                details: {
                  throttle_id: string;
                  limit_per_second: number;
                  api_key_id: string | null;
                  api_key_name: string | null;
                  tag: { name: string; value: string | null } | null;
                };
              }
            | {
                code: 'no_workers';
                message: string;
                since: string | null;
                until: string | null;
                details: {
                  healthy: number;
                  degraded: number;
                  draining: number;
                  offline: number;
                  last_heartbeat: string | null;
                  finished_last_hour: number;
                };
              }
            | {
                code: 'no_claims';
                message: string;
                since: string | null;
                until: string | null;
                details: { healthy: number; oldest_waiting_seconds: number; finished_last_hour: number };
              }
            | {
                code: 'all_scheduled';
                message: string;
                since: string | null;
                until: string | null;
                details: { scheduled: number; retrying: number; next_at: string | null };
              }
            | {
                code: 'dependencies';
                message: string;
                since: string | null;
                until: string | null;
                details: { blocked: number };
              }
            | {
                code: 'cause_new';
                message: string;
                since: string | null;
                until: string | null;
                details: {
                  group_id: string;
                  job_type: string;
                  error: string;
                  dead_letters_last_hour: number;
                  dead_letters_hour_before: number;
                  muted_until: string | null;
                };
              }
            | {
                code: 'cause_growing';
                message: string;
                since: string | null;
                until: string | null;
                details: {
                  group_id: string;
                  job_type: string;
                  error: string;
                  dead_letters_last_hour: number;
                  dead_letters_hour_before: number;
                  muted_until: string | null;
                };
              }
            | {
                code: 'failing';
                message: string;
                since: string | null;
                until: string | null;
                details: {
                  failed_attempts_last_hour: number;
                  completed_last_hour: number;
                  failure_share: number;
                  group_id: string | null;
                };
              }
            | {
                code: 'failures_risen';
                message: string;
                since: string | null;
                until: string | null;
                details: {
                  failed_attempts_last_hour: number;
                  completed_last_hour: number;
                  failure_share: number;
                  group_id: string | null;
                  compared_with: 'hour_before' | 'day_before';
                  failure_share_before: number;
                };
              }
            | {
                code: 'falling_behind';
                message: string;
                since: string | null;
                until: string | null;
                details: { created_last_hour: number; finished_last_hour: number; ready: number };
              }
            | {
                code: 'backlog_old';
                message: string;
                since: string | null;
                until: string | null;
                details: { oldest_waiting_seconds: number; ready: number };
              }
            | {
                code: 'latency_risen';
                message: string;
                since: string | null;
                until: string | null;
                details: { measure: 'wait' | 'run'; p95_ms: number; p95_ms_day_before: number };
              }
            | {
                code: 'slow_jobs';
                message: string;
                since: string | null;
                until: string | null;
                details: { average_run_ms: number; timeout_seconds: number };
              }
            | {
                code: 'limit_reached';
                message: string;
                since: string | null;
                until: string | null;
                details: { resource: 'jobs_per_day' | 'active_jobs'; limit: number; used: number };
              }
            | {
                code: 'limit_near';
                message: string;
                since: string | null;
                until: string | null;
                details: { resource: 'jobs_per_day' | 'active_jobs'; limit: number; used: number };
              }
            | {
                code: 'schedule_late';
                message: string;
                since: string | null;
                until: string | null;
                details: { name: string; due_at: string };
              }
            | {
                code: 'schedule_failing';
                message: string;
                since: string | null;
                until: string | null;
                details: { name: string; error: string | null };
              }
            | {
                code: 'webhook_failing';
                message: string;
                since: string | null;
                until: string | null;
                details: { name: string; failed_deliveries: number; disables_at: string | null; is_near_end: boolean };
              }
            | {
                code: 'webhook_disabled';
                message: string;
                since: string | null;
                until: string | null;
                details: { name: string; failed_deliveries: number };
              }
            | {
                code: 'redis_unavailable';
                message: string;
                since: string | null;
                until: string | null;
                details: Record<string, never>;
              }
            | {
                code: 'scheduler_unavailable';
                message: string;
                since: string | null;
                until: string | null;
                details: { last_seen: string };
              };
          request: { method: 'POST' | 'PUT' | 'DELETE'; path: string } | null;
        }[];
        consequences: {
          code:
            | 'queue_paused'
            | 'queue_deletion'
            | 'receiver_unavailable'
            | 'concurrency_limit'
            | 'push_call_limit'
            | 'no_free_push_call'
            | 'rate_limit'
            | 'throttled'
            | 'no_workers'
            | 'no_claims'
            | 'all_scheduled'
            | 'dependencies'
            | 'cause_new'
            | 'cause_growing'
            | 'failing'
            | 'failures_risen'
            | 'falling_behind'
            | 'backlog_old'
            | 'latency_risen'
            | 'slow_jobs'
            | 'limit_reached'
            | 'limit_near'
            | 'schedule_late'
            | 'schedule_failing'
            | 'webhook_failing'
            | 'webhook_disabled'
            | 'redis_unavailable'
            | 'scheduler_unavailable';
          total: number;
        }[];
      }[];
      total: number;
      muted: number;
      unexamined: { queues: number; schedules: number; webhooks: number };
      notChecked: string[];
      checkedAt: string;
    };
  };
  'POST /api/v1/schedules': {
    query: never;
    body: {
      name: string;
      description?: string | null;
      cronExpression: string;
      timezone?: string | null;
      queueName: string;
      payloadTemplate: unknown;
      metadata?: unknown;
      priority?: number | null;
      maxRetries?: number | null;
      timeoutSeconds?: number | null;
      tags?: unknown;
      callbackUrl?: string | null;
      callbackHeaders?: Record<string, string> | null;
      callbackSecret?: string | null;
      callbackTimeoutSeconds?: number | null;
      backoff?: Backoff | null;
    };
    response: CreatedSchedule;
  };
  'GET /api/v1/schedules': {
    query: { queueName?: string; isActive?: boolean; limit?: number; offset?: number; cursor?: string; after?: string };
    body: never;
    response: Schedule[] | { data: Schedule[]; nextCursor: string | null; hasMore: boolean };
  };
  'POST /api/v1/schedules/preview': {
    query: never;
    body: { cronExpression: string; timezone?: string | null; count?: number | null; after?: string | null };
    response: { cronExpression: string; timezone: string; runs: { at: string; local: string }[] };
  };
  'GET /api/v1/schedules/{id}': {
    query: never;
    body: never;
    response: Schedule;
  };
  'PUT /api/v1/schedules/{id}': {
    query: never;
    body: {
      name?: string | null;
      description?: string | null;
      cronExpression?: string | null;
      timezone?: string | null;
      queueName?: string | null;
      payloadTemplate?: unknown;
      isActive?: boolean | null;
      metadata?: unknown;
      priority?: number | null;
      maxRetries?: number | null;
      timeoutSeconds?: number | null;
      tags?: unknown;
      callbackUrl?: string | null;
      callbackHeaders?: Record<string, string> | null;
      callbackSecret?: string | null;
      callbackTimeoutSeconds?: number | null;
      backoff?: Backoff | null;
    };
    response: Schedule;
  };
  'DELETE /api/v1/schedules/{id}': {
    query: never;
    body: never;
    response: void;
  };
  'POST /api/v1/schedules/{id}/pause': {
    query: never;
    body: never;
    response: Schedule;
  };
  'POST /api/v1/schedules/{id}/resume': {
    query: never;
    body: never;
    response: Schedule;
  };
  'POST /api/v1/schedules/{id}/trigger': {
    query: never;
    body: never;
    response: TriggeredSchedule;
  };
  'GET /api/v1/schedules/{id}/history': {
    query: { limit?: number; offset?: number; cursor?: string };
    body: never;
    response: ScheduleRun[] | { data: ScheduleRun[]; nextCursor: string | null; hasMore: boolean };
  };
  'GET /api/v1/outgoing-webhooks/{id}/deliveries': {
    query: { status?: string; limit?: number; offset?: number; cursor?: string; after?: string };
    body: never;
    response: WebhookDelivery[] | { data: WebhookDelivery[]; nextCursor: string | null; hasMore: boolean };
  };
  'GET /api/v1/outgoing-webhooks/{id}/deliveries/{deliveryId}': {
    query: never;
    body: never;
    response: WebhookDeliveryDetails;
  };
  'POST /api/v1/outgoing-webhooks/{id}/retry/{deliveryId}': {
    query: never;
    body: never;
    response: { success: true; message: string; deliveryId: string; status: 'pending' | 'success' | 'failed' };
  };
  'POST /api/v1/outgoing-webhooks/{id}/deliveries/{deliveryId}/retry': {
    query: never;
    body: never;
    response: { success: true; message: string; deliveryId: string; status: 'pending' | 'success' | 'failed' };
  };
  'GET /api/v1/outgoing-webhooks': {
    query: { limit?: number; offset?: number; cursor?: string };
    body: never;
    response: OutgoingWebhook[] | { data: OutgoingWebhook[]; nextCursor: string | null; hasMore: boolean };
  };
  'POST /api/v1/outgoing-webhooks': {
    query: never;
    body: {
      name: string;
      url: string;
      events: (
        | 'job.created'
        | 'job.started'
        | 'job.completed'
        | 'job.failed'
        | 'job.cancelled'
        | 'job.deadlettered'
        | 'job.retried'
        | 'cause.appeared'
        | 'cause.grew'
        | 'cause.omitted'
        | 'queue.paused'
        | 'queue.resumed'
        | 'worker.registered'
        | 'worker.deregistered'
        | 'schedule.triggered'
        | 'workflow.completed'
        | 'workflow.failed'
      )[];
      format?: 'json' | 'standard' | 'cloudevents' | 'slack' | 'discord' | 'teams' | null;
      secret?: string | null;
      enabled?: boolean | null;
      retrySeconds?: number | null;
    };
    response: OutgoingWebhook;
  };
  'GET /api/v1/outgoing-webhooks/{id}': {
    query: never;
    body: never;
    response: OutgoingWebhook;
  };
  'PUT /api/v1/outgoing-webhooks/{id}': {
    query: never;
    body: {
      name?: string | null;
      url?: string | null;
      events?:
        | (
            | 'job.created'
            | 'job.started'
            | 'job.completed'
            | 'job.failed'
            | 'job.cancelled'
            | 'job.deadlettered'
            | 'job.retried'
            | 'cause.appeared'
            | 'cause.grew'
            | 'cause.omitted'
            | 'queue.paused'
            | 'queue.resumed'
            | 'worker.registered'
            | 'worker.deregistered'
            | 'schedule.triggered'
            | 'workflow.completed'
            | 'workflow.failed'
          )[]
        | null;
      format?: 'json' | 'standard' | 'cloudevents' | 'slack' | 'discord' | 'teams' | null;
      secret?: string | null;
      enabled?: boolean | null;
      retrySeconds?: number | null;
    };
    response: OutgoingWebhook;
  };
  'DELETE /api/v1/outgoing-webhooks/{id}': {
    query: never;
    body: never;
    response: void;
  };
  'POST /api/v1/outgoing-webhooks/{id}/rotate-secret': {
    query: never;
    body: { secret?: string | null; previousValidSeconds?: number | null };
    response: RotatedWebhook;
  };
  'POST /api/v1/outgoing-webhooks/{id}/test': {
    query: never;
    body: {
      event?:
        | 'job.created'
        | 'job.started'
        | 'job.completed'
        | 'job.failed'
        | 'job.cancelled'
        | 'job.deadlettered'
        | 'job.retried'
        | 'cause.appeared'
        | 'cause.grew'
        | 'cause.omitted'
        | 'queue.paused'
        | 'queue.resumed'
        | 'worker.registered'
        | 'worker.deregistered'
        | 'schedule.triggered'
        | 'workflow.completed'
        | 'workflow.failed'
        | null;
    };
    response: { success: boolean; statusCode: number | null; responseTimeMs: number; error: string | null };
  };
  'GET /api/v1/webhooks/deliveries': {
    query: {
      status?: 'created' | 'duplicate' | 'refused';
      since?: string;
      queueName?: string;
      limit?: number;
      offset?: number;
      cursor?: string;
      after?: string;
    };
    body: never;
    response: InboundDelivery[] | { data: InboundDelivery[]; nextCursor: string | null; hasMore: boolean };
  };
  'POST /api/v1/workflows': {
    query: never;
    body: {
      name: string;
      description?: string | null;
      metadata?: unknown;
      jobs: {
        key: string;
        queueName: string;
        payload: unknown;
        dependsOn?: string[] | null;
        dependencyMode?: 'all' | 'any' | null;
        priority?: number | null;
        maxRetries?: number | null;
        timeoutSeconds?: number | null;
        scheduledAt?: string | null;
        expiresAt?: string | null;
        tags?: unknown;
        completionWebhook?: string | null;
        completionWebhookSecret?: string | null;
        callbackUrl?: string | null;
        callbackHeaders?: Record<string, string> | null;
        callbackSecret?: string | null;
        callbackTimeoutSeconds?: number | null;
        backoff?: Backoff | null;
      }[];
    };
    response: CreatedWorkflow;
  };
  'GET /api/v1/workflows': {
    query: { status?: string; limit?: number; offset?: number; cursor?: string; after?: string };
    body: never;
    response: Workflow[] | { data: Workflow[]; nextCursor: string | null; hasMore: boolean };
  };
  'GET /api/v1/workflows/{id}': {
    query: never;
    body: never;
    response: WorkflowDetail;
  };
  'POST /api/v1/workflows/{id}/cancel': {
    query: never;
    body: never;
    response: Workflow;
  };
  'POST /api/v1/workflows/{id}/retry': {
    query: never;
    body: { fromJob?: string | null };
    response: Workflow;
  };
  'GET /api/v1/workflows/{id}/jobs': {
    query: { limit?: number; offset?: number; cursor?: string };
    body: never;
    response: WorkflowJob[] | { data: WorkflowJob[]; nextCursor: string | null; hasMore: boolean };
  };
  'GET /api/v1/workflows/{id}/jobs/status': {
    query: { limit?: number; offset?: number; cursor?: string };
    body: never;
    response:
      | {
          jobId: string;
          key: string;
          status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
          progress: number | null;
          dependsOn: string[];
        }[]
      | {
          data: {
            jobId: string;
            key: string;
            status: 'pending' | 'scheduled' | 'processing' | 'completed' | 'failed' | 'deadletter' | 'cancelled';
            progress: number | null;
            dependsOn: string[];
          }[];
          nextCursor: string | null;
          hasMore: boolean;
        };
  };
  'GET /api/v1/workflows/{id}/jobs/{job_id}': {
    query: never;
    body: never;
    response: WorkflowJob;
  };
  'GET /api/v1/workflows/{id}/jobs/{job_id}/rerun': {
    query: never;
    body: never;
    response: WorkflowRerun;
  };
  'POST /api/v1/batches': {
    query: never;
    body: {
      name?: string | null;
      metadata?: unknown;
      onSuccess?: {
        queueName: string;
        payload: unknown;
        priority?: number | null;
        maxRetries?: number | null;
        timeoutSeconds?: number | null;
        tags?: unknown;
        completionWebhook?: string | null;
        completionWebhookSecret?: string | null;
        callbackUrl?: string | null;
        callbackHeaders?: Record<string, string> | null;
        callbackSecret?: string | null;
        callbackTimeoutSeconds?: number | null;
        backoff?: Backoff | null;
      } | null;
      onComplete?: {
        queueName: string;
        payload: unknown;
        priority?: number | null;
        maxRetries?: number | null;
        timeoutSeconds?: number | null;
        tags?: unknown;
        completionWebhook?: string | null;
        completionWebhookSecret?: string | null;
        callbackUrl?: string | null;
        callbackHeaders?: Record<string, string> | null;
        callbackSecret?: string | null;
        callbackTimeoutSeconds?: number | null;
        backoff?: Backoff | null;
      } | null;
      onDeath?: {
        queueName: string;
        payload: unknown;
        priority?: number | null;
        maxRetries?: number | null;
        timeoutSeconds?: number | null;
        tags?: unknown;
        completionWebhook?: string | null;
        completionWebhookSecret?: string | null;
        callbackUrl?: string | null;
        callbackHeaders?: Record<string, string> | null;
        callbackSecret?: string | null;
        callbackTimeoutSeconds?: number | null;
        backoff?: Backoff | null;
      } | null;
    };
    response: Batch;
  };
  'GET /api/v1/batches': {
    query: { status?: string; limit?: number; offset?: number; cursor?: string; after?: string };
    body: never;
    response: Batch[] | { data: Batch[]; nextCursor: string | null; hasMore: boolean };
  };
  'GET /api/v1/batches/{id}': {
    query: never;
    body: never;
    response: Batch;
  };
  'POST /api/v1/batches/{id}/jobs': {
    query: never;
    body: {
      queueName: string;
      jobs: {
        payload: unknown;
        priority?: number | null;
        maxRetries?: number | null;
        timeoutSeconds?: number | null;
        scheduledAt?: string | null;
        expiresAt?: string | null;
        idempotencyKey?: string | null;
        tags?: unknown;
        parentJobId?: string | null;
        completionWebhook?: string | null;
        completionWebhookSecret?: string | null;
        callbackUrl?: string | null;
        callbackHeaders?: Record<string, string> | null;
        callbackSecret?: string | null;
        callbackTimeoutSeconds?: number | null;
        backoff?: Backoff | null;
      }[];
      defaultPriority?: number | null;
      defaultMaxRetries?: number | null;
      defaultTimeoutSeconds?: number | null;
    };
    response: {
      succeeded: { index: number; jobId: string; created: boolean }[];
      failed: { index: number; error: string }[];
      total: number;
      successCount: number;
      failureCount: number;
    };
  };
  'GET /api/v1/batches/{id}/jobs': {
    query: { status?: string; limit?: number; offset?: number; cursor?: string; after?: string };
    body: never;
    response: BatchJob[] | { data: BatchJob[]; nextCursor: string | null; hasMore: boolean };
  };
  'POST /api/v1/batches/{id}/close': {
    query: never;
    body: never;
    response: Batch;
  };
  'POST /api/v1/batches/{id}/cancel': {
    query: never;
    body: never;
    response: Batch;
  };
  'GET /api/v1/dashboard': {
    query: never;
    body: never;
    response: {
      system: {
        version: string;
        uptimeSeconds: number;
        startedAt: string;
        databaseStatus: string;
        cacheStatus: string;
        environment: string;
      };
      jobs: {
        total: number;
        pending: number;
        processing: number;
        completed24h: number;
        failed24h: number;
        coveredSeconds24h: number;
        deadletter: number;
        avgWaitTimeMs: number | null;
        avgProcessingTimeMs: number | null;
      };
      queues: { name: string; pending: number; processing: number; paused: boolean }[];
      workers: { total: number; healthy: number; unhealthy: number; offline: number };
      recentActivity: {
        jobsCreated1h: number;
        jobsCompleted1h: number;
        jobsFailed1h: number;
        failedAttempts1h: number;
        coveredSeconds1h: number;
        lastMinute: { created: number; completed: number; failedAttempts: number; coveredSeconds: number } | null;
      };
    };
  };
  'GET /api/v1/job-types': {
    query: { queueName?: string; queue?: string; minutes?: number };
    body: never;
    response: {
      from: string;
      to: string;
      types: {
        queueName: string;
        jobType: string | null;
        from: string;
        isCut: boolean;
        created: number;
        completed: number;
        deadLettered: number;
        cancelled: number;
        failedAttempts: number;
        failureShare: number | null;
        lastMinute: { created: number; completed: number; failedAttempts: number; coveredSeconds: number } | null;
        waitMs: { p50: number; p95: number; p99: number; jobs: number } | null;
        runMs: { p50: number; p95: number; p99: number; jobs: number } | null;
        trend: ({ at: string; created: number; completed: number; failedAttempts: number } | null)[];
        versions: { version: string | null; completed: number; failedAttempts: number; runP95Ms: number | null }[];
      }[];
      more: number;
    };
  };
  'GET /api/v1/series': {
    query: { queue?: string; from?: string; to?: string; step?: string };
    body: never;
    response: {
      queue: string | null;
      from: string;
      to: string;
      stepSeconds: number;
      points: {
        at: string;
        created: number | null;
        started: number | null;
        completed: number | null;
        failed: number | null;
        deadLettered: number | null;
        cancelled: number | null;
        pending: number | null;
        scheduled: number | null;
        processing: number | null;
        oldestPendingMs: number | null;
        avgWaitMs: number | null;
        avgRunMs: number | null;
        waitMs: { p50: number; p95: number; p99: number; jobs: number } | null;
        runMs: { p50: number; p95: number; p99: number; jobs: number } | null;
      }[];
    };
  };
  'GET /api/v1/series/marks': {
    query: { queue?: string; from?: string; to?: string };
    body: never;
    response: {
      from: string;
      to: string;
      marks: {
        at: string;
        kind: 'deploy' | 'pause' | 'resume' | 'operation';
        queueName: string | null;
        version: string | null;
        operationId: string | null;
        operationKind:
          | 'deadletter.replay'
          | 'deadletter.purge'
          | 'job.cancel'
          | 'job.prioritize'
          | 'job.run_now'
          | 'job.move'
          | 'job.patch'
          | 'job.delete'
          | 'delivery.resend'
          | 'queue.delete'
          | 'organization.delete'
          | null;
      }[];
      hasMore: boolean;
    };
  };
  'GET /api/v1/series/queues': {
    query: { at?: string };
    body: never;
    response: {
      at: string;
      all: {
        created: number | null;
        started: number | null;
        completed: number | null;
        failed: number | null;
        deadLettered: number | null;
        cancelled: number | null;
        pending: number | null;
        scheduled: number | null;
        processing: number | null;
        oldestPendingMs: number | null;
        avgWaitMs: number | null;
        avgRunMs: number | null;
        waitMs: { p50: number; p95: number; p99: number; jobs: number } | null;
        runMs: { p50: number; p95: number; p99: number; jobs: number } | null;
      };
      queues: {
        created: number | null;
        started: number | null;
        completed: number | null;
        failed: number | null;
        deadLettered: number | null;
        cancelled: number | null;
        pending: number | null;
        scheduled: number | null;
        processing: number | null;
        oldestPendingMs: number | null;
        avgWaitMs: number | null;
        avgRunMs: number | null;
        waitMs: { p50: number; p95: number; p99: number; jobs: number } | null;
        runMs: { p50: number; p95: number; p99: number; jobs: number } | null;
        queue: string;
      }[];
    };
  };
  'GET /api/v1/metrics': {
    query: never;
    body: never;
    response: MetricsSummary;
  };
  'GET /api/v1/ws': {
    query: never;
    body: never;
    response: void;
  };
  'GET /api/v1/events': {
    query: never;
    body: never;
    response: void;
  };
  'GET /api/v1/events/jobs/{id}': {
    query: never;
    body: never;
    response: void;
  };
  'GET /api/v1/events/queues/{name}': {
    query: never;
    body: never;
    response: void;
  };
  'POST /api/v1/webhooks/{organizationId}/custom': {
    query: never;
    body: {
      queueName: string;
      eventType?: string | null;
      payload: unknown;
      priority?: number | null;
      idempotencyKey?: string | null;
    };
    response: { jobId: string; queueName: string; status: string; created: boolean };
  };
  'POST /api/v1/webhooks/{organizationId}/github': {
    query: never;
    body: unknown;
    response: void;
  };
  'POST /api/v1/webhooks/{organizationId}/stripe': {
    query: never;
    body: { id: string; type: string; data: { object: unknown } };
    response: void;
  };
  'POST /api/v1/webhooks/{organizationId}/standard': {
    query: never;
    body: { type: string };
    response: void;
  };
}
