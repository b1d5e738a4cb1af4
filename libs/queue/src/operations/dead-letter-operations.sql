/* @name takeDeadLetters */
-- Locks the next dead letters of an operation, the oldest first, without those that it has had already. Rows that others hold are
-- left for a later step. :deadUntil as for matching_dead_letters_v1. Relies on: dead_letters_oldest or dead_letters_groups.
SELECT d.job_id FROM dead_letters d
WHERE d.organization_id = :organizationId! AND d.job_id = ANY (ARRAY(
  SELECT m.job_id FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, :deadUntil!) m
  WHERE NOT EXISTS (SELECT FROM operation_items i WHERE i.operation_id = :operationId! AND i.job_id = m.job_id)
  ORDER BY m.created_at, m.job_id LIMIT :limit!))
ORDER BY d.created_at, d.job_id FOR UPDATE SKIP LOCKED;

/* @name hasMoreDeadLetters */
-- Whether any is left, also of those that others hold.
SELECT EXISTS (
  SELECT FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, :deadUntil!) m
  WHERE NOT EXISTS (SELECT FROM operation_items i WHERE i.operation_id = :operationId! AND i.job_id = m.job_id)
) AS "more!";

/* @name readPayloads */
-- The payloads of these jobs in the order of :ids, as many as fit into :maxBytes and at least one; null for a record that is gone.
WITH found AS (
  SELECT x.id, x.place, j.queue_name, j.payload, coalesce(octet_length(j.payload::text), 0) AS bytes
  FROM unnest(:ids!::uuid[]) WITH ORDINALITY AS x (id, place)
  LEFT JOIN LATERAL (SELECT queue_name, payload FROM jobs WHERE id = x.id AND organization_id = :organizationId! OFFSET 0) AS j ON true
), sized AS (
  SELECT id, place, queue_name, payload, sum(bytes) OVER (ORDER BY place) - bytes AS bytes_before FROM found
)
SELECT id AS "id!", queue_name AS "queue_name?", payload AS "payload?" FROM sized WHERE bytes_before < :maxBytes! OR bytes_before = 0 ORDER BY place;

/* @name writePayloads */
WITH written AS (
  UPDATE jobs j SET payload = x.payload::json, job_type = x.job_type
  FROM unnest(:ids!::uuid[], :payloads!::text[], :jobTypes!::text[]) AS x (id, payload, job_type)
  WHERE j.id = x.id AND j.id = ANY (:ids!::uuid[]) AND j.organization_id = :organizationId! AND j.outcome IS NOT NULL
  RETURNING j.id
)
INSERT INTO job_history (organization_id, job_id, at, event, actor, details)
SELECT :organizationId!, id, current_ts(statement_timestamp()), 'payload_patched', nullif(current_setting('app.actor', true), ''),
  json_build_object('reason', nullif(current_setting('app.reason', true), ''))
FROM written;

/* @name recordItems */
-- :errors why a job was not replayed; empty for those that were.
INSERT INTO operation_items (operation_id, organization_id, job_id, state, error)
SELECT :operationId!, :organizationId!, x.id, CASE x.error WHEN '' THEN 'waiting' ELSE 'refused' END, nullif(x.error, '')
FROM unnest(:ids!::uuid[], :errors!::text[]) AS x (id, error);

/* @name settleItems */
-- Finds out how replayed jobs have ended, those first that were looked at the longest ago. A record that is gone has ended otherwise.
WITH chosen AS MATERIALIZED (
  SELECT job_id FROM operation_items
  WHERE operation_id = :operationId! AND organization_id = :organizationId! AND state = 'waiting'
  ORDER BY checked_at LIMIT :limit!
), found AS (
  SELECT job_id, (SELECT coalesce(outcome::text, 'live') FROM jobs WHERE id = chosen.job_id) AS outcome FROM chosen
), settled AS (
  UPDATE operation_items i SET checked_at = current_ts(clock_timestamp()), state = CASE
    WHEN f.outcome IS NULL OR f.outcome = 'cancelled' THEN 'ended_otherwise'
    WHEN f.outcome = 'live' THEN 'waiting'
    WHEN f.outcome = 'completed' THEN 'succeeded'
    ELSE 'failed' END
  FROM found f WHERE i.operation_id = :operationId! AND i.job_id = f.job_id
  RETURNING i.state
)
SELECT
  count(*) FILTER (WHERE state = 'succeeded') AS "succeeded!",
  count(*) FILTER (WHERE state = 'failed') AS "failed!",
  count(*) FILTER (WHERE state = 'ended_otherwise') AS "ended_otherwise!"
FROM settled;
