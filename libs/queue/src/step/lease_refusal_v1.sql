-- Why a worker may not touch a job, or not any more. A worker that shows a lease id of a job that its key may see is told about that
-- lease, whatever has become of the job since; a worker that shows its name alone learns only about jobs that it has or had itself.
--
-- Input:
--   org, job
--   worker
--   lease   the lease id that it showed, or null
--   scope   the queues that its key may touch; null = all
-- Output:
--   why   lease      the lease has expired, has been replaced, or has ended without completing the job
--         completed  the job was completed under this lease; without a lease id: by this worker
--         cancelled  without a lease id: this worker had the job when it was cancelled
--         gone       unknown or out of scope; without a lease id also: held or ended by another worker, or by none
--   same  whether the job was completed under this very lease, so that a repeated command can be answered as done
CREATE OR REPLACE FUNCTION lease_refusal_v1(org uuid, job uuid, worker text, lease text, scope text[]) RETURNS jsonb
  LANGUAGE sql STABLE
AS $$
  SELECT jsonb_build_object(
    'why', CASE
      WHEN j.id IS NULL OR (scope IS NOT NULL AND NOT j.queue_name = ANY (scope)) THEN 'gone'
      WHEN j.outcome = 'completed' AND j.assigned_worker_id = worker AND (lease IS NULL OR j.lease_id::text = lease) THEN 'completed'
      WHEN lease IS NOT NULL OR (q.state = 'leased' AND q.worker_id = worker) THEN 'lease'
      WHEN j.outcome = 'cancelled' AND j.assigned_worker_id = worker THEN 'cancelled'
      ELSE 'gone'
    END,
    'same', coalesce(j.outcome = 'completed' AND j.assigned_worker_id = worker AND (lease IS NULL OR j.lease_id::text = lease), false))
  FROM (SELECT 1) AS one
  LEFT JOIN jobs j ON j.id = job AND j.organization_id = org
  LEFT JOIN job_queue q ON q.job_id = j.id
$$;
