-- The query of claim_jobs_v1 that finds jobs, for EXPLAIN; organization and queue are inserted as literals.
SELECT q.job_id, q.priority, q.created_at FROM job_queue q
WHERE q.organization_id = $1 AND q.queue_name = $2 AND q.state = 'ready' AND q.dependencies_met
  AND (q.expires_at IS NULL OR q.expires_at > now())
ORDER BY q.priority DESC, q.created_at, q.job_id
LIMIT 100 FOR UPDATE SKIP LOCKED
