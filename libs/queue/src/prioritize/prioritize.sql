-- Sets the priority of a waiting job in its live row and its record.
-- $1 organization, $2 job, $3 priority, $4 queues that the key may touch (null = all). Relies on: job_queue primary key.
WITH before AS (
  SELECT job_id, priority FROM job_queue
  WHERE organization_id = $1 AND job_id = $2 AND state <> 'leased' AND ($4::text[] IS NULL OR queue_name = ANY ($4))
  FOR UPDATE
), live AS (
  UPDATE job_queue q SET priority = $3 FROM before b WHERE q.job_id = b.job_id
), record AS (
  UPDATE jobs j SET priority = $3, updated_at = now() FROM before b WHERE j.id = b.job_id
)
SELECT priority AS old, $3::smallint AS new FROM before
