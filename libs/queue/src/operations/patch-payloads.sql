/* @name readPayloads */
-- The payloads of these jobs in the order of :ids, until they have :maxBytes; null for a record that is gone.
WITH found AS (
  SELECT x.id, x.place, j.queue_name, j.payload, coalesce(octet_length(j.payload::text), 0) AS bytes
  FROM unnest(:ids!::uuid[]) WITH ORDINALITY AS x (id, place)
  LEFT JOIN LATERAL (SELECT queue_name, payload FROM jobs WHERE id = x.id AND organization_id = :organizationId! OFFSET 0) AS j ON true
), sized AS (
  SELECT id, place, queue_name, payload, sum(bytes) OVER (ORDER BY place) - bytes AS bytes_before FROM found
)
SELECT id AS "id!", queue_name AS "queue_name?", payload AS "payload?" FROM sized WHERE bytes_before < :maxBytes! ORDER BY place;

/* @name writePayloads */
-- The caller holds the dead letters or live rows of these jobs.
WITH written AS (
  UPDATE jobs j SET payload = x.payload::json, job_type = x.job_type, updated_at = current_ts()
  FROM unnest(:ids!::uuid[], :payloads!::text[], :jobTypes!::text[]) AS x (id, payload, job_type)
  WHERE j.id = x.id AND j.id = ANY (:ids!::uuid[]) AND j.organization_id = :organizationId!
  RETURNING j.id
)
INSERT INTO job_history (organization_id, job_id, at, event, actor, details)
SELECT :organizationId!, id, current_ts(statement_timestamp()), 'payload_patched', nullif(current_setting('app.actor', true), ''),
  json_build_object('reason', nullif(current_setting('app.reason', true), ''))
FROM written;
