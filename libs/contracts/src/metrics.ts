/**
 * Every metric of the product (SP-105). The names are a contract with operators' dashboards and alerts; labels are an
 * addition and take few values. A service counts what it does itself, so sums over services count nothing twice.
 */
export const productMetrics = {
  jobsEnqueued: { type: 'counter', name: 'spooled_jobs_enqueued_total', help: 'Jobs accepted.' },
  jobsCompleted: { type: 'counter', name: 'spooled_jobs_completed_total', help: 'Jobs completed.' },
  jobsFailed: { type: 'counter', name: 'spooled_jobs_failed_total', help: 'Failed attempts.' },
  jobsRetried: { type: 'counter', name: 'spooled_jobs_retried_total', help: 'Jobs scheduled for a retry.' },
  jobsDeadlettered: {
    type: 'counter',
    name: 'spooled_jobs_deadlettered_total',
    help: 'Jobs moved to the dead letters after their last attempt.',
  },
  jobLogLines: {
    type: 'counter',
    name: 'spooled_job_log_lines_total',
    help: 'Log lines of handlers, by outcome: kept, or omitted because the attempt had too many.',
    labels: ['outcome'],
  },
  jobsPending: { type: 'gauge', name: 'spooled_jobs_pending', help: 'Jobs waiting to be claimed.' },
  jobsProcessing: { type: 'gauge', name: 'spooled_jobs_processing', help: 'Jobs leased to a worker.' },
  jobMaxAge: { type: 'gauge', name: 'spooled_job_max_age_seconds', help: 'Age of the oldest pending job.' },
  jobDuration: {
    type: 'histogram',
    name: 'spooled_job_duration_seconds',
    help: 'Duration of the successful attempt of a job.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
  },
  workersActive: { type: 'gauge', name: 'spooled_workers_active', help: 'Registered workers that are not offline.' },
  workersHealthy: { type: 'gauge', name: 'spooled_workers_healthy', help: 'Workers with a recent heartbeat.' },

  apiRequests: {
    type: 'counter',
    name: 'spooled_api_requests_total',
    help: 'Responses by method and status class (2xx, 4xx, …).',
    labels: ['method', 'status'],
  },
  apiRequestDuration: {
    type: 'histogram',
    name: 'spooled_api_request_duration_seconds',
    help: 'Time from a request to its response.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  requestsInFlight: {
    type: 'gauge',
    name: 'spooled_requests_in_flight',
    help: 'REST requests and unary gRPC calls in flight; those beyond HTTP_MAX_IN_FLIGHT are refused.',
    labels: ['protocol'],
  },
  requestsShed: {
    type: 'counter',
    name: 'spooled_requests_shed_total',
    help: 'REST requests and unary gRPC calls refused because of too many in flight in total (reason capacity) or of their organization (share), too many bytes of bodies (body_bytes) or of unread responses (unsent_bytes), or searches of the organization that still run (searches).',
    labels: ['protocol', 'reason'],
  },

  payloadContractViolations: {
    type: 'counter',
    name: 'spooled_payload_contract_violations_total',
    help: 'Payloads that violated the contract of their queue, by its mode: reject (refused) or warn (accepted).',
    labels: ['mode'],
  },

  redisOperations: {
    type: 'counter',
    name: 'spooled_redis_operations_total',
    help: 'Commands sent to Redis, without those of the workers of outgoing webhooks (BullMQ).',
  },
  dependencyUp: {
    type: 'gauge',
    name: 'spooled_dependency_up',
    help: '1 if the health check of a dependency (database, cache) succeeds in this process, otherwise 0.',
    labels: ['dependency'],
  },
  databaseConnections: {
    type: 'gauge',
    name: 'spooled_database_connections_active',
    help: 'PostgreSQL connections of this process in use.',
  },
  databaseConnectionsWaiting: {
    type: 'gauge',
    name: 'spooled_database_connections_waiting',
    help: 'Transactions of this process that wait for a connection to PostgreSQL, or for their share of them.',
  },
  databaseReplicaLag: {
    type: 'gauge',
    name: 'spooled_database_replica_lag_seconds',
    help: 'How far the read replica is behind at most; grows while it does not answer. Only of gateways with a replica.',
  },

  commandBatchSize: {
    type: 'histogram',
    name: 'spooled_command_batch_size',
    help: 'Commands per transaction.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
  },
  leaseRenewals: {
    type: 'counter',
    name: 'spooled_lease_renewals_total',
    help: 'Lease renewals, by where they were recorded: lease_store (Redis) or row (PostgreSQL).',
    labels: ['answered_by'],
  },
  commandBacklogAge: {
    type: 'gauge',
    name: 'spooled_command_backlog_age_seconds',
    help: 'Age of the oldest command that no engine has taken yet; 0 if none waits.',
  },
  eventsDropped: {
    type: 'counter',
    name: 'spooled_events_dropped_total',
    help: 'Live events that could not be published or delivered.',
  },
  unsentBytes: {
    type: 'gauge',
    name: 'spooled_unsent_bytes',
    help: 'Bytes that wait in this process for clients to read them; at most MAX_UNSENT_BYTES, in shares of organizations.',
    labels: ['kind'],
  },
  liveStreams: {
    type: 'gauge',
    name: 'spooled_live_streams',
    help: 'Open WebSockets, server-sent event streams, gRPC streams and waiting claims of this process.',
    labels: ['kind'],
  },
  liveStreamsEnded: {
    type: 'counter',
    name: 'spooled_live_streams_ended_total',
    help: 'Streams closed, by reason.',
    labels: ['reason'],
  },
  webhooksReceived: {
    type: 'counter',
    name: 'spooled_webhooks_received_total',
    help: 'Inbound webhooks, by source and outcome.',
    labels: ['source', 'outcome'],
  },
  webhookDeliveries: {
    type: 'counter',
    name: 'spooled_webhook_deliveries_total',
    help: 'Delivery attempts of outgoing webhooks, by outcome.',
    labels: ['outcome'],
  },
  pushCalls: {
    type: 'counter',
    name: 'spooled_push_calls_total',
    help: 'HTTP calls of push queues, by outcome.',
    labels: ['outcome'],
  },
  pushCircuitsOpen: {
    type: 'gauge',
    name: 'spooled_push_circuits_open',
    help: 'Receivers of push queues, and of single jobs, whose circuit breaker is open because they do not respond.',
  },
  pushQueuesWaiting: {
    type: 'gauge',
    name: 'spooled_push_queues_waiting',
    help: 'Push queues with claimable jobs that this process does not call, by reason: no_free_push_call, push_call_limit (plan), circuit_open.',
    labels: ['reason'],
  },
  pushCallsInFlight: {
    type: 'gauge',
    name: 'spooled_push_calls_in_flight',
    help: 'Push calls of this process in flight, and claims for calls; PUSH_MAX_CONCURRENT_CALLS is their limit.',
  },
  webhookDeliveriesInFlight: {
    type: 'gauge',
    name: 'spooled_webhook_deliveries_in_flight',
    help: 'Delivery attempts of this process in flight; OUTGOING_WEBHOOK_MAX_CONCURRENT_DELIVERIES is their limit.',
  },
} as const;

export type ProductMetrics = typeof productMetrics;
