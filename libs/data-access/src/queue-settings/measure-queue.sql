/* @name measureQueue */
-- Current jobs of a queue, and what it counted in the last 24 hours.
-- Of a queue whose jobs are being deleted none are counted until those are gone.
-- Relies on the partial indexes of job_queue, one per state; count_recent_v1.
WITH recent AS MATERIALIZED (
  SELECT completed, deadlettered, run_ms, covered_seconds FROM count_recent_v1(:organizationId!, ARRAY[:queueName!::text], 24)
), ready AS (
  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue
  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met AND NOT EXISTS (
    SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)
), blocked AS (
  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue
  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND NOT dependencies_met AND NOT EXISTS (
    SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)
), retrying AS (
  SELECT count(*) AS jobs, min(created_at) AS oldest FROM job_queue
  WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state IN ('scheduled', 'retrying') AND state = 'retrying' AND NOT EXISTS (
    SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)
)
SELECT
  :queueName!::text AS "queue_name!",
  ready.jobs + blocked.jobs + retrying.jobs AS "pending_jobs!",
  (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName!
    AND state = 'leased' AND NOT EXISTS (
    SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs)) AS "processing_jobs!",
  recent.completed AS "completed_jobs_24h!", recent.deadlettered AS "failed_jobs_24h!", recent.covered_seconds AS "covered_seconds_24h!",
  round(recent.run_ms::numeric / nullif(recent.completed, 0))::bigint AS avg_processing_time_ms,
  floor(extract(epoch FROM current_ts() - least(ready.oldest, blocked.oldest, retrying.oldest)))::bigint AS max_job_age_seconds,
  (SELECT count(*) FROM workers
    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND status IN ('healthy', 'degraded')) AS "active_workers!"
FROM ready, blocked, retrying, recent;
