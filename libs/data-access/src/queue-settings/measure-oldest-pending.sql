/* @name measureOldestPending */
-- Age of the oldest pending job of a queue in milliseconds, 0 when none is pending or while jobs of the queue are being deleted.
-- Relies on the partial indexes of job_queue, one per state.
SELECT CASE WHEN EXISTS (
  SELECT FROM queue_deletions WHERE organization_id = :organizationId! AND queue_name = :queueName! AND has_live_jobs
) THEN 0 ELSE coalesce(floor(extract(epoch FROM current_ts() - least(
  (SELECT min(created_at) FROM job_queue
    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND dependencies_met),
  (SELECT min(created_at) FROM job_queue
    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready' AND NOT dependencies_met),
  (SELECT min(created_at) FROM job_queue
    WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state IN ('scheduled', 'retrying') AND state = 'retrying')
)) * 1000), 0)::bigint END AS "age_ms!";
