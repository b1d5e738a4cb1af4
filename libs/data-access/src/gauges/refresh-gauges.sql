/* @name refreshGauges */
-- Stores the figures of all tenants for the services that export metrics: those given, and the workers.
WITH worker_counts AS (
  SELECT count(*) FILTER (WHERE status <> 'offline') AS active, count(*) FILTER (WHERE status = 'healthy') AS healthy
  FROM workers
), figures (name, value) AS (
  VALUES
    ('spooled_jobs_pending', :pending!::double precision),
    ('spooled_jobs_processing', :processing!::double precision),
    ('spooled_job_max_age_seconds', :maxAgeSeconds!::double precision)
  UNION ALL SELECT 'spooled_workers_active', active FROM worker_counts
  UNION ALL SELECT 'spooled_workers_healthy', healthy FROM worker_counts
)
INSERT INTO system_gauges (name, value) SELECT name, value FROM figures
ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = current_ts()
RETURNING name, value;
