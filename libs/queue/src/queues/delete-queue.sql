/* @name deleteQueue */
-- Deletes a queue's name and counters and, if :deleteJobs, its jobs with everything that is kept about them.
-- :createdUntil the moment up to which jobs go, or null: a job that was created later keeps
-- the queue alive. Rare, and the one statement that reads a tenant's whole history.
WITH gone AS (
  DELETE FROM jobs WHERE :deleteJobs! AND organization_id = :organizationId! AND created_at > '-infinity' AND queue_name = :queueName!
    AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)
  RETURNING id, workflow_id
), live AS (
  DELETE FROM job_queue WHERE :deleteJobs! AND organization_id = :organizationId! AND queue_name = :queueName!
    AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)
  RETURNING job_id, lease_id, renewed
), letters AS (
  DELETE FROM dead_letters WHERE :deleteJobs! AND organization_id = :organizationId! AND queue_name = :queueName!
    AND (:createdUntil::timestamptz IS NULL OR created_at <= :createdUntil)
), keys AS (
  DELETE FROM idempotency_keys k USING gone g WHERE k.job_id = g.id
), edges AS (
  DELETE FROM job_dependencies e USING gone g WHERE e.job_id = g.id
), past AS (
  DELETE FROM job_history h USING gone g WHERE h.organization_id = :organizationId! AND h.job_id = g.id
), newer AS MATERIALIZED (
  SELECT FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND created_at > :createdUntil LIMIT 1
), counters AS (
  DELETE FROM job_stats WHERE :deleteJobs! AND organization_id = :organizationId! AND queue_name = :queueName!
    AND NOT EXISTS (SELECT FROM newer)
), name AS (
  DELETE FROM queues WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT EXISTS (SELECT FROM newer)
)
SELECT
  count(*) AS "deleted!",
  coalesce(array_agg(DISTINCT workflow_id) FILTER (WHERE workflow_id IS NOT NULL), '{}') AS "workflow_ids!",
  (SELECT coalesce(array_agg(job_id ORDER BY job_id), '{}') FROM live WHERE renewed AND lease_id IS NOT NULL) AS "leased_job_ids!",
  (SELECT coalesce(array_agg(lease_id ORDER BY job_id), '{}') FROM live WHERE renewed AND lease_id IS NOT NULL) AS "lease_ids!"
FROM gone;
