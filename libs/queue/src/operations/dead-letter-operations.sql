/* @name takeDeadLetters */
-- Locks the next dead letters of an operation after a place, the oldest first, without those that it has had already. Rows that others hold
-- are left for a later step. :deadUntil as for matching_dead_letters_v1. Those that a replay has had and that have died again are in their
-- old places: from the first place on, each step would read all of them. Relies on: dead_letters_oldest or dead_letters_groups.
SELECT d.job_id, d.created_at FROM dead_letters d
WHERE d.organization_id = :organizationId! AND d.job_id = ANY (ARRAY(
  SELECT m.job_id FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, :deadUntil!) m
  WHERE (m.created_at, m.job_id) > (:afterTime!::timestamptz, :afterId!::uuid)
    AND NOT EXISTS (SELECT FROM operation_items i WHERE i.operation_id = :operationId! AND i.job_id = m.job_id)
  ORDER BY m.created_at, m.job_id LIMIT :limit!))
ORDER BY d.created_at, d.job_id FOR UPDATE SKIP LOCKED;

/* @name hasMoreDeadLetters */
-- Whether any is left after a place, also of those that others hold.
SELECT EXISTS (
  SELECT FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, :deadUntil!) m
  WHERE (m.created_at, m.job_id) > (:afterTime!::timestamptz, :afterId!::uuid)
    AND NOT EXISTS (SELECT FROM operation_items i WHERE i.operation_id = :operationId! AND i.job_id = m.job_id)
) AS "more!";

/* @name recordItems */
-- :errors why a job was refused; empty for the others, which get :state.
INSERT INTO operation_items (operation_id, organization_id, job_id, state, error)
SELECT :operationId!, :organizationId!, x.id, CASE x.error WHEN '' THEN :state!::text ELSE 'refused' END, nullif(x.error, '')
FROM unnest(:ids!::uuid[], :errors!::text[]) AS x (id, error);

/* @name settleItems */
-- Finds out how replayed jobs do, those first that were looked at the longest ago. A record that is gone has ended otherwise.
-- tried and failed_once: those of which that is known for the first time.
WITH chosen AS MATERIALIZED (
  SELECT job_id, failed_once FROM operation_items
  WHERE operation_id = :operationId! AND organization_id = :organizationId! AND state = 'waiting'
  ORDER BY checked_at LIMIT :limit!
), found AS (
  SELECT c.job_id, c.failed_once, CASE
      WHEN j.outcome IS NULL OR j.outcome = 'cancelled' THEN 'ended_otherwise'
      WHEN j.outcome = 'live' THEN 'waiting'
      WHEN j.outcome = 'completed' THEN 'succeeded'
      ELSE 'failed' END AS state,
    coalesce(j.outcome = 'deadletter' OR j.retry_count > 0, false) AS has_failed
  FROM chosen c LEFT JOIN LATERAL (
    SELECT coalesce(outcome::text, 'live') AS outcome, coalesce(q.retry_count, jobs.retry_count) AS retry_count
    FROM jobs LEFT JOIN job_queue q ON q.job_id = jobs.id WHERE jobs.id = c.job_id OFFSET 0) AS j ON true
), settled AS (
  UPDATE operation_items i SET checked_at = current_ts(clock_timestamp()), state = f.state, failed_once = f.failed_once OR f.has_failed
  FROM found f WHERE i.operation_id = :operationId! AND i.job_id = f.job_id
  RETURNING f.state, f.has_failed, f.failed_once
)
SELECT
  count(*) FILTER (WHERE state = 'succeeded') AS "succeeded!",
  count(*) FILTER (WHERE state = 'failed') AS "failed!",
  count(*) FILTER (WHERE state = 'ended_otherwise') AS "ended_otherwise!",
  count(*) FILTER (WHERE NOT failed_once AND (has_failed OR state = 'succeeded')) AS "tried!",
  count(*) FILTER (WHERE NOT failed_once AND has_failed) AS "failed_once!"
FROM settled;
