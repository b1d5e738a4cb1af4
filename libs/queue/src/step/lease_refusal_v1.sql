-- Why a worker may not touch a job, or not any more.
--
-- Input:
--   org, job
--   worker
--   lease   the lease id that it showed, or null
--   scope   the queues that its key may touch; null = all
-- Output:
--   why   lease      the lease has expired, or is another one
--         completed, cancelled   this worker had the job when it ended
--         gone       unknown, out of scope, or held or ended by another worker
--   same  whether the job was completed under this very lease, so that a repeated command can be answered as done
CREATE OR REPLACE FUNCTION lease_refusal_v1(org uuid, job uuid, worker text, lease text, scope text[]) RETURNS jsonb
  LANGUAGE sql STABLE
AS $$
  SELECT jsonb_build_object(
    'why', CASE
      WHEN j.id IS NULL OR (scope IS NOT NULL AND NOT j.queue_name = ANY (scope)) THEN 'gone'
      WHEN q.state = 'leased' AND q.worker_id = worker THEN 'lease'
      WHEN j.outcome IN ('completed', 'cancelled') AND j.assigned_worker_id = worker THEN j.outcome::text
      ELSE 'gone'
    END,
    'same', coalesce(j.outcome = 'completed' AND j.assigned_worker_id = worker AND (lease IS NULL OR j.lease_id::text = lease), false))
  FROM (SELECT 1) AS one
  LEFT JOIN jobs j ON j.id = job AND j.organization_id = org
  LEFT JOIN job_queue q ON q.job_id = j.id
$$;
