import type pg from 'pg';

const ofEach = 'FROM unnest($1::uuid[]) AS org, generate_series(1, $2::int)';

/** A live job and its record; `values` are state, due_at, expires_at, lease_expires_at, worker_id and dependencies_met. */
const live = (values: string, createdAt = 'now()') => `
  WITH new AS (SELECT uuidv7() AS id, org, now() + $3::interval AS moment ${ofEach}), records AS (
    INSERT INTO jobs (id, organization_id, queue_name, payload, created_at, updated_at, timeout_seconds, priority, max_retries)
    SELECT id, org, 'emails', '{}', now(), now(), 3600, 0, 3 FROM new
  )
  INSERT INTO job_queue (job_id, organization_id, created_at, started_at, lease_id, timeout_seconds, priority, max_retries, queue_name,
    state, due_at, expires_at, lease_expires_at, worker_id, dependencies_met)
  SELECT id, org, ${createdAt}, now(), id, 3600, 0, 3, 'emails', ${values} FROM new`;

const ended = (outcome: string) => `
  WITH new AS (SELECT uuidv7($3::interval) AS id, org, now() + $3::interval AS moment ${ofEach}), past AS (
    INSERT INTO job_history (id, organization_id, job_id, at, event) SELECT uuidv7($3::interval), org, id, moment, 'failed' FROM new
  ), keys AS (
    INSERT INTO idempotency_keys (organization_id, idempotency_key, job_id) SELECT org, id::text, id FROM new
  ), letters AS (
    INSERT INTO dead_letters (job_id, organization_id, queue_name, created_at, dead_at, job_type, group_id)
    SELECT id, org, 'emails', moment, moment, '', uuidv7() FROM new WHERE '${outcome}' = 'deadletter'
  )
  INSERT INTO jobs (id, organization_id, queue_name, payload, outcome, created_at, updated_at, completed_at, timeout_seconds, priority,
    max_retries)
  SELECT id, org, 'emails', '{}', '${outcome}', moment, moment, moment, 300, 0, 3 FROM new`;

/** For each kind of row a statement that inserts $2 of it for each organization of $1; $3 is its time, relative to now. */
const inserts = {
  ready: live(`'ready', NULL, NULL, NULL, NULL, moment IS NOT NULL`),
  scheduled: live(`'scheduled', moment, NULL, NULL, NULL, true`),
  leased: live(`'leased', NULL, NULL, moment, 'busy', true`),
  leasedByStaleWorker: live(`'leased', NULL, NULL, moment, 'gone', true`),
  blocked: live(`'ready', NULL, NULL, NULL, NULL, false`, 'moment'),
  expiring: live(`'ready', NULL, moment, NULL, NULL, true`),
  completedJobs: ended('completed'),
  deadLetters: ended('deadletter'),
  lateDeadLetters: `WITH new AS (
      INSERT INTO jobs (id, organization_id, queue_name, payload, outcome, created_at, updated_at, completed_at, timeout_seconds, priority,
        max_retries)
      SELECT uuidv7($3::interval), org, 'emails', '{}', 'deadletter', now() + $3::interval, now(), now(), 300, 0, 3 ${ofEach}
      RETURNING *
    )
    INSERT INTO dead_letters (job_id, organization_id, queue_name, created_at, dead_at, job_type, group_id)
    SELECT id, organization_id, queue_name, created_at, now(), '', uuidv7() FROM new`,
  jobStats: `INSERT INTO job_stats (organization_id, hour, slot, queue_name, created)
    SELECT org, now() + $3::interval, 0, 'queue-' || generate_series, 1 ${ofEach}`,
  jobHistory: `INSERT INTO job_history (id, organization_id, job_id, at, event)
    SELECT uuidv7($3::interval), org, uuidv7($3::interval), now() + $3::interval, 'failed' ${ofEach}`,
  deliveries: `INSERT INTO webhook_deliveries (organization_id, event, url, payload, status, next_attempt_at, created_at)
    SELECT org, 'job.completed', 'https://example.com', '{}', 'success', NULL, now() + $3::interval ${ofEach}`,
  pendingDeliveries: `INSERT INTO webhook_deliveries (organization_id, event, url, payload, next_attempt_at)
    SELECT org, 'job.completed', 'https://example.com', '{}', now() + $3::interval ${ofEach}`,
  inboundDeliveries: `INSERT INTO inbound_deliveries (id, organization_id, provider, event_type, matched_queue, job_id, status, created_at)
    SELECT uuidv7(), org, 'custom', 'x', 'emails', uuidv7(), 'created', now() + $3::interval ${ofEach}`,
  inboundRefusals: `INSERT INTO inbound_refusals (organization_id, provider, event_type, code, reason, address, calls, created_at)
    SELECT org, 'custom', 'custom', 'AUTHENTICATION_FAILED', 'x', '10.0.0.1', 1, now() + $3::interval ${ofEach}`,
  workflows: `INSERT INTO workflows (id, organization_id, name, status, total_jobs, created_at, completed_at)
    SELECT uuidv7(), org, 'w', 'completed', 0, now() + $3::interval, now() + $3::interval ${ofEach}`,
  batchMembers: `WITH batch AS (
      INSERT INTO batches (id, organization_id, callbacks, created_at)
      SELECT uuidv7(), org, '{}', now() + $3::interval FROM unnest($1::uuid[]) AS org RETURNING *
    ) INSERT INTO batch_jobs (job_id, organization_id, batch_id) SELECT uuidv7(), organization_id, id FROM batch, generate_series(1, $2::int)`,
  operationItems: `WITH operation AS (
      INSERT INTO operations (organization_id, kind, created_at, next_step_at)
      SELECT org, 'job.cancel', now() + $3::interval, NULL FROM unnest($1::uuid[]) AS org RETURNING *
    ) INSERT INTO operation_items (operation_id, organization_id, job_id, state)
    SELECT id, organization_id, uuidv7(), 'succeeded' FROM operation, generate_series(1, $2::int)`,
  schedules: `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template, next_run_at)
    SELECT uuidv7(), org, 's', '0 0 1 1 *', 'emails', '{}', now() + $3::interval ${ofEach}`,
  scheduleRuns: `INSERT INTO schedule_runs (organization_id, schedule_id, status, source, started_at)
    SELECT org, (SELECT id FROM schedules WHERE organization_id = org ORDER BY id LIMIT 1), 'completed', 'schedule', now() + $3::interval ${ofEach}`,
  workers: `INSERT INTO workers (id, organization_id, queue_name, hostname, last_heartbeat, updated_at)
    SELECT uuidv7()::text, org, 'emails', 'h', now() + $3::interval, now() + $3::interval ${ofEach}`,
  offlineWorkers: `INSERT INTO workers (id, organization_id, queue_name, hostname, status, last_heartbeat, updated_at)
    SELECT uuidv7()::text, org, 'emails', 'h', 'offline', now() + $3::interval, now() + $3::interval ${ofEach}`,
  usageCounters: `INSERT INTO usage_counters (organization_id, day, slot)
    SELECT org, (now() + $3::interval)::date, generate_series ${ofEach}`,
  commandLog: `INSERT INTO command_log (organization_id, command_id, outcome, created_at)
    SELECT org, uuidv7(), '{}', now() + $3::interval ${ofEach}`,
  deletedJobs: `INSERT INTO deleted_jobs (organization_id, job_id, created_at)
    SELECT org, uuidv7(), now() + $3::interval ${ofEach}`,
  queueSeries: `INSERT INTO queue_series (organization_id, step, queue_name, at, created, started, completed, retried, deadlettered, cancelled,
      wait_ms, run_ms, pending, scheduled, processing, oldest_ms)
    SELECT org, 10, uuidv7()::text, now() + $3::interval, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 ${ofEach}`,
  commandFences: `INSERT INTO command_fences (command_id, owner_id, delivery, created_at) SELECT uuidv7(), uuidv7(), 2, now() + $3::interval ${ofEach}`,
} as const;
export type RowKind = keyof typeof inserts;

/** Inserts `count` rows for each organization. `time`, such as `-40 days`, is when they were made or when they are due. */
export async function insertRows(
  superuser: pg.Client,
  organizations: string[],
  { kind, count, time }: { kind: RowKind; count: number; time: string },
): Promise<void> {
  await superuser.query(inserts[kind], [organizations, count, time]);
}
