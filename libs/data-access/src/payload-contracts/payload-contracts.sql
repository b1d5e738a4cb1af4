/* @name listCurrentContracts */
-- The queues of the current organization that have a payload contract. Index: payload_contracts_current.
SELECT queue_name, id, version, mode FROM payload_contracts WHERE organization_id = current_organization() AND is_current;

/* @name findContractSchema */
-- The schema of one version as JSON text.
SELECT schema::text AS "schema!" FROM payload_contracts WHERE organization_id = current_organization() AND id = :id!;

/* @name findContract */
-- One version of a queue's contract. :version null = the current one.
SELECT queue_name, version, mode, compatibility, schema::text AS "schema!", created_at, created_by, is_current,
  violations, violated_at, violation_samples
FROM payload_contracts
WHERE organization_id = current_organization() AND queue_name = :queueName! AND (version = :version OR (:version::integer IS NULL AND is_current));

/* @name listContractVersions */
-- The versions of a queue's contract, the newest first, without their schemas.
SELECT version, mode, compatibility, created_at, created_by, is_current, violations, violated_at, violation_samples
FROM payload_contracts
WHERE organization_id = current_organization() AND queue_name = :queueName! ORDER BY version DESC;

/* @name addContractViolations */
-- :newest is [{path, reason, ms_ago}], the newest first; of these and those before :kept remain.
WITH samples AS (
  SELECT jsonb_build_object('at', current_ts() - make_interval(secs => ms_ago / 1000), 'path', path, 'reason', reason) AS sample, n
  FROM ROWS FROM (jsonb_to_recordset(:newest!::jsonb) AS (path text, reason text, ms_ago double precision)) WITH ORDINALITY AS x(path, reason, ms_ago, n)
)
UPDATE payload_contracts SET
  violations = violations + :count!,
  violated_at = current_ts(),
  violation_samples = (
    SELECT jsonb_agg(sample ORDER BY place, n) FROM (
      SELECT sample, 1 AS place, n FROM samples
      UNION ALL
      SELECT sample, 2, n FROM jsonb_array_elements(violation_samples) WITH ORDINALITY AS y(sample, n)
      ORDER BY 2, 3 LIMIT :kept!
    ) AS newest)
WHERE organization_id = current_organization() AND id = :id!;

/* @name retireContract */
-- Before the next version is inserted: the current one becomes an old one, and those before :keptFrom are deleted.
WITH old AS (
  DELETE FROM payload_contracts
  WHERE organization_id = current_organization() AND queue_name = :queueName! AND version < :keptFrom! AND NOT is_current
)
UPDATE payload_contracts SET is_current = false
WHERE organization_id = current_organization() AND queue_name = :queueName! AND is_current;

/* @name insertContract */
INSERT INTO payload_contracts (organization_id, queue_name, version, is_current, mode, compatibility, schema, created_by)
VALUES (current_organization(), :queueName!, :version!, true, :mode!, :compatibility!, :schema!::json, :createdBy)
RETURNING queue_name, version, mode, compatibility, schema::text AS "schema!", created_at, created_by, is_current,
  violations, violated_at, violation_samples;

/* @name deleteContracts */
-- Deletes all versions.
DELETE FROM payload_contracts WHERE organization_id = current_organization() AND queue_name = :queueName! RETURNING is_current;

/* @name sampleNewestJobs */
-- The newest jobs of a queue, to see which of them a schema would refuse. Looks at the :seen newest jobs of the organization at most,
-- because no index has the queue and the time. Index: jobs_newest. As many as fit into :maxBytes and at least one.
WITH chosen AS MATERIALIZED (
  SELECT id, created_at, octet_length(payload::text) AS bytes FROM (
    SELECT id, queue_name, payload, created_at FROM jobs
    WHERE organization_id = current_organization() AND created_at > '-infinity'
    ORDER BY created_at DESC, id DESC LIMIT :seen!
  ) AS newest
  WHERE queue_name = :queueName! AND NOT EXISTS (
    SELECT FROM queue_deletions d
    WHERE d.organization_id = current_organization() AND d.queue_name = :queueName! AND newest.created_at <= d.deleted_until)
  ORDER BY created_at DESC, id DESC LIMIT :limit!
), sized AS (
  SELECT id, created_at, sum(bytes) OVER (ORDER BY created_at DESC, id DESC) - bytes AS bytes_before FROM chosen
)
SELECT s.id AS "id!", j.payload::text AS "payload!"
FROM sized s CROSS JOIN LATERAL (SELECT payload FROM jobs WHERE id = s.id OFFSET 0) AS j
WHERE s.bytes_before < :maxBytes! ORDER BY s.created_at DESC, s.id DESC;
