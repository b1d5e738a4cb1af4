-- Rows 1 to $2 of every list of the organization $1 that has filters, one each second of the year 2026. The first rows are rare by all
-- filters, the others alike. $3 is the id of the webhook of its deliveries.
WITH made AS (
  SELECT n, n <= 3 AS rare, uuidv7() AS id, timestamptz '2026-01-01Z' + make_interval(secs => n) AS created
  FROM generate_series(1, $2::int) AS n
), flow AS (
  INSERT INTO workflows (id, organization_id, name, status, total_jobs, created_at, queue_names)
  SELECT id, $1::uuid, n::text, (ARRAY['failed', 'cancelled', 'running', 'pending'])[n], 0, created, ARRAY['rare'] FROM made WHERE n <= 4
  UNION ALL
  SELECT id, $1::uuid, n::text, 'completed', 0, created, ARRAY['common'] FROM made WHERE n > 4
), audit AS (
  INSERT INTO audit_log (id, organization_id, at, action, actor, target_kind, target_id)
  SELECT id, $1::uuid, created, CASE WHEN rare THEN 'rare' ELSE 'common' END, CASE WHEN rare THEN 'rare r' ELSE 'common c' END,
    CASE WHEN rare THEN 'rare' ELSE 'common' END, n::text
  FROM made
), operation AS (
  INSERT INTO operations (id, organization_id, created_at, kind, state, queues, actor)
  SELECT id, $1::uuid, created, CASE WHEN rare THEN 'job.cancel' ELSE 'deadletter.purge' END, CASE WHEN rare THEN 'stopped' ELSE 'completed' END,
    ARRAY[CASE WHEN rare THEN 'rare' ELSE 'common' END], n::text
  FROM made
), delivery AS (
  INSERT INTO webhook_deliveries (id, organization_id, webhook_id, created_at, event, payload, status, next_attempt_at)
  SELECT id, $1::uuid, $3::uuid, created, n::text, '{}', coalesce((ARRAY['failed', 'pending', 'pending'])[n], 'success'),
    CASE WHEN n IN (2, 3) THEN created END FROM made
), inbound AS (
  INSERT INTO inbound_deliveries (id, organization_id, created_at, provider, event_type, matched_queue, job_id, status)
  SELECT id, $1::uuid, created, 'custom', n::text, CASE WHEN n = 2 THEN 'rare' ELSE 'common' END, id, CASE WHEN rare THEN 'duplicate' ELSE 'created' END
  FROM made
)
INSERT INTO schedules (id, organization_id, created_at, name, cron_expression, queue_name, payload_template, is_active)
SELECT id, $1::uuid, created, n::text, '0 0 1 1 *', CASE WHEN rare THEN 'rare' ELSE 'common' END, '{}', NOT rare FROM made
