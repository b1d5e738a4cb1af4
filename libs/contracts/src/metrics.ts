/**
 * Every metric of the product (SP-105). The names are a contract with operators' dashboards and alerts; labels are an
 * addition and take few values. A service counts what it does itself, so sums over services count nothing twice.
 */
export const productMetrics = {
  jobsEnqueued: { type: 'counter', name: 'spooled_jobs_enqueued_total', help: 'Jobs accepted.' },
  jobsCompleted: { type: 'counter', name: 'spooled_jobs_completed_total', help: 'Jobs that ended well.' },
  jobsFailed: { type: 'counter', name: 'spooled_jobs_failed_total', help: 'Attempts that failed.' },
  jobsRetried: { type: 'counter', name: 'spooled_jobs_retried_total', help: 'Jobs put back for another attempt.' },
  jobsDeadlettered: {
    type: 'counter',
    name: 'spooled_jobs_deadlettered_total',
    help: 'Jobs given up after their last attempt.',
  },
  jobsPending: { type: 'gauge', name: 'spooled_jobs_pending', help: 'Jobs that wait to be claimed.' },
  jobsProcessing: { type: 'gauge', name: 'spooled_jobs_processing', help: 'Jobs under a lease.' },
  jobMaxAge: { type: 'gauge', name: 'spooled_job_max_age_seconds', help: 'Age of the oldest pending job.' },
  jobDuration: {
    type: 'histogram',
    name: 'spooled_job_duration_seconds',
    help: 'Time from the start of the last attempt to its good end.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
  },
  workersActive: { type: 'gauge', name: 'spooled_workers_active', help: 'Registered workers that are not offline.' },
  workersHealthy: { type: 'gauge', name: 'spooled_workers_healthy', help: 'Workers with a recent heartbeat.' },

  apiRequests: {
    type: 'counter',
    name: 'spooled_api_requests_total',
    help: 'Requests answered, by method and class of status (2xx, 4xx, …).',
    labels: ['method', 'status'],
  },
  apiRequestDuration: {
    type: 'histogram',
    name: 'spooled_api_request_duration_seconds',
    help: 'Time from a request to its answer.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  requestsInFlight: {
    type: 'gauge',
    name: 'spooled_requests_in_flight',
    help: 'Requests and unary calls that this process works on; those beyond HTTP_MAX_IN_FLIGHT are refused.',
    labels: ['protocol'],
  },
  requestsShed: {
    type: 'counter',
    name: 'spooled_requests_shed_total',
    help: 'Requests and unary calls refused because too many were under way.',
    labels: ['protocol'],
  },

  redisOperations: { type: 'counter', name: 'spooled_redis_operations_total', help: 'Commands sent to Redis.' },
  databaseConnections: {
    type: 'gauge',
    name: 'spooled_database_connections_active',
    help: 'Connections of this process to PostgreSQL that are in use.',
  },

  commandBatchSize: {
    type: 'histogram',
    name: 'spooled_command_batch_size',
    help: 'Commands that shared one transaction.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
  },
  leaseRenewals: {
    type: 'counter',
    name: 'spooled_lease_renewals_total',
    help: 'Renewals of leases, by what answered them: the lease store (Redis), or the row, which was written.',
    labels: ['answered_by'],
  },
  commandBacklogAge: {
    type: 'gauge',
    name: 'spooled_command_backlog_age_seconds',
    help: 'Age of the oldest command that no engine has finished.',
  },
  eventsDropped: {
    type: 'counter',
    name: 'spooled_events_dropped_total',
    help: 'Live events that could not be published or delivered.',
  },
  liveStreams: {
    type: 'gauge',
    name: 'spooled_live_streams',
    help: 'Open WebSockets, streams of server-sent events, gRPC streams and waiting claims of this process.',
    labels: ['kind'],
  },
  liveStreamsEnded: {
    type: 'counter',
    name: 'spooled_live_streams_ended_total',
    help: 'Streams that ended, by reason.',
    labels: ['reason'],
  },
  webhooksReceived: {
    type: 'counter',
    name: 'spooled_webhooks_received_total',
    help: 'Webhooks of other systems that arrived, by source and by what became of them.',
    labels: ['source', 'outcome'],
  },
  webhookDeliveries: {
    type: 'counter',
    name: 'spooled_webhook_deliveries_total',
    help: 'Attempts to deliver an outgoing webhook, by outcome.',
    labels: ['outcome'],
  },
  pushCalls: {
    type: 'counter',
    name: 'spooled_push_calls_total',
    help: 'Jobs of push queues that were done by an HTTP call, by outcome.',
    labels: ['outcome'],
  },
  pushCircuitsOpen: {
    type: 'gauge',
    name: 'spooled_push_circuits_open',
    help: 'Push queues that this process does not call, or by one trial at a time, because their receivers do not answer.',
  },
} as const;

export type ProductMetrics = typeof productMetrics;
