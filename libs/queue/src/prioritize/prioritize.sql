/* @name prioritize */
-- Sets the priority of waiting jobs in their live rows and records.
-- Their history has the time after their locks. :queues that the key may touch, null = all. Relies on: job_queue primary key.
WITH before AS (
  SELECT q.job_id, q.priority FROM job_queue q
  WHERE q.organization_id = :organizationId! AND q.job_id = ANY (:ids!::uuid[]) AND q.state <> 'leased'
    AND (:queues::text[] IS NULL OR q.queue_name = ANY (:queues))
    -- As in job_records.
    AND NOT EXISTS (
      SELECT FROM queue_deletions d
      WHERE d.organization_id = q.organization_id AND d.queue_name = q.queue_name AND q.created_at <= d.deleted_until)
  FOR UPDATE OF q
), live AS (
  UPDATE job_queue q SET priority = :priority! FROM before b WHERE q.job_id = b.job_id
), record AS (
  UPDATE jobs j SET priority = :priority!, updated_at = current_ts() FROM before b WHERE j.id = b.job_id
), past AS (
  INSERT INTO job_history (organization_id, job_id, at, event, actor, details)
  SELECT :organizationId!, job_id, current_ts(clock_timestamp()), 'priority_changed', nullif(current_setting('app.actor', true), ''),
    json_build_object('from', priority, 'to', :priority!::smallint)
  FROM before WHERE priority <> :priority!
)
SELECT priority AS old, :priority!::smallint AS "new!" FROM before;
