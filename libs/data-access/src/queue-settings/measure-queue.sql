/* @name measureQueue */
-- Current jobs of a queue, and its last 24 hours from the hourly counters (the oldest hour is weighted by its share).
-- Of a queue whose jobs are being deleted none are counted until those are gone.
-- Relies on the partial indexes of job_queue, one per state; job_stats primary key.
WITH recent AS (
  SELECT s.completed * share AS completed, s.deadlettered * share AS failed, s.run_ms * share AS run_ms
  FROM job_stats s
  CROSS JOIN LATERAL (SELECT least(1, greatest(0, extract(epoch FROM s.hour + interval '25 hours' - current_ts()) / 3600)) AS share) w
  WHERE s.organization_id = :organizationId! AND s.queue_name = :queueName! AND s.hour > current_ts() - interval '25 hours'
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
  (SELECT coalesce(round(sum(completed)), 0)::bigint FROM recent) AS "completed_jobs_24h!",
  (SELECT coalesce(round(sum(failed)), 0)::bigint FROM recent) AS "failed_jobs_24h!",
  (SELECT round(sum(run_ms) / nullif(sum(completed), 0))::bigint FROM recent) AS avg_processing_time_ms,
  floor(extract(epoch FROM current_ts() - least(ready.oldest, blocked.oldest, retrying.oldest)))::bigint AS max_job_age_seconds,
  (SELECT count(*) FROM workers
    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND status IN ('healthy', 'degraded')) AS "active_workers!"
FROM ready, blocked, retrying;
