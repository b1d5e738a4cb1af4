/* @name refreshGauges */
-- Counts live rows across all tenants and stores the values for the services that export metrics.
-- Scans job_queue once, which contains only live jobs (1 million rows: about 0.1 s).
WITH live AS (
  SELECT
    count(*) FILTER (WHERE state IN ('ready', 'retrying')) AS pending,
    count(*) FILTER (WHERE state = 'leased') AS processing,
    min(coalesce(due_at, created_at)) FILTER (WHERE state = 'ready' AND dependencies_met) AS oldest
  FROM job_queue
), worker_counts AS (
  SELECT count(*) FILTER (WHERE status <> 'offline') AS active, count(*) FILTER (WHERE status = 'healthy') AS healthy
  FROM workers
), figures (name, value) AS (
  SELECT 'spooled_jobs_pending', pending FROM live
  UNION ALL SELECT 'spooled_jobs_processing', processing FROM live
  UNION ALL SELECT 'spooled_job_max_age_seconds', coalesce(greatest(0, extract(epoch FROM current_ts() - oldest)), 0) FROM live
  UNION ALL SELECT 'spooled_workers_active', active FROM worker_counts
  UNION ALL SELECT 'spooled_workers_healthy', healthy FROM worker_counts
)
INSERT INTO system_gauges (name, value) SELECT name, value FROM figures
ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = current_ts()
RETURNING name, value;
