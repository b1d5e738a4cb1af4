/* @name findMarks */
-- What may explain a change of the figures in a period, the newest first: the first registration of each version of the known workers,
-- pauses and resumptions of queues, and operations on jobs that began. At most :most; of each kind among the newest :scanned rows, and
-- is_cut if there were as many, so that older ones may be missing. Always a row: without any mark its `at` is null.
-- :scope queues that the caller may access, null = all; :queue null = any. An operation shows if the caller may touch all of its queues.
-- Relies on: workers_organization, audit_log_pauses, operations_newest.
WITH known AS MATERIALIZED (
  SELECT version, registered_at, queue_name FROM workers
  WHERE organization_id = :organizationId! AND (:scope::text[] IS NULL OR queue_name = ANY (:scope))
  ORDER BY last_heartbeat DESC LIMIT :scanned!
), versions AS (
  SELECT min(registered_at) AS at, version FROM known
  WHERE version IS NOT NULL AND (:queue::text IS NULL OR queue_name = :queue) GROUP BY version
), changes AS MATERIALIZED (
  SELECT at, target_id, coalesce(after ->> 'enabled', 'true') = 'true' AS is_enabled FROM audit_log
  WHERE organization_id = :organizationId! AND at >= :from!::timestamptz AND at < :to!::timestamptz AND target_kind = 'queue'
    AND coalesce(before ->> 'enabled', 'true') <> coalesce(after ->> 'enabled', 'true')
  ORDER BY at DESC, id DESC LIMIT :scanned!
), requested AS MATERIALIZED (
  -- One may wait for the plan for the days after which it is stopped.
  SELECT id, kind, queues, started_at AS at FROM operations
  WHERE organization_id = :organizationId! AND created_at >= :from!::timestamptz - interval '8 days' AND created_at < :to!::timestamptz
  ORDER BY created_at DESC, id DESC LIMIT :scanned!
)
SELECT m.at AS "at?", m.kind AS "kind?", m.queue_name AS "queue_name?", m.version AS "version?", m.operation_id AS "operation_id?",
  m.operation_kind AS "operation_kind?", cut.is_cut AS "is_cut!"
FROM (
  SELECT greatest((SELECT count(*) FROM known), (SELECT count(*) FROM changes), (SELECT count(*) FROM requested)) >= :scanned! AS is_cut
) AS cut
LEFT JOIN LATERAL (
  SELECT * FROM (
    SELECT at, 'deploy' AS kind, NULL::text AS queue_name, version, NULL::uuid AS operation_id, NULL::text AS operation_kind FROM versions
    UNION ALL
    SELECT at, CASE WHEN is_enabled THEN 'resume' ELSE 'pause' END, target_id, NULL, NULL, NULL FROM changes
    WHERE (:scope::text[] IS NULL OR target_id = ANY (:scope)) AND (:queue::text IS NULL OR target_id = :queue)
    UNION ALL
    SELECT at, 'operation', CASE cardinality(queues) WHEN 1 THEN queues[1] END, NULL, id, kind FROM requested
    WHERE at IS NOT NULL AND kind NOT IN ('delivery.resend', 'organization.delete')
      AND (:scope::text[] IS NULL OR queues <> '{}' AND queues <@ :scope)
      AND (:queue::text IS NULL OR queues = '{}' OR :queue = ANY (queues))
  ) AS every
  WHERE at >= :from!::timestamptz AND at < :to!::timestamptz
  ORDER BY at DESC, kind, version, operation_id LIMIT :most!
) AS m ON true
ORDER BY m.at DESC, m.kind, m.version, m.operation_id;
