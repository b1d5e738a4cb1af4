/* @name findMarks */
-- What may explain a change of the figures in a period, the newest first: the first registration of each version of the known workers,
-- pauses and resumptions of queues, and operations on jobs that began. At most :most; of each kind among the newest :scanned rows.
-- :scope queues that the caller may access, null = all; :queue null = any. An operation shows if the caller may touch all of its queues.
-- Relies on: workers_organization, audit_log_newest, operations_newest.
WITH versions AS (
  SELECT min(w.registered_at) AS at, w.version FROM (
    SELECT version, registered_at, queue_name FROM workers
    WHERE organization_id = :organizationId! AND (:scope::text[] IS NULL OR queue_name = ANY (:scope))
    ORDER BY last_heartbeat DESC LIMIT :scanned!
  ) AS w
  WHERE w.version IS NOT NULL AND (:queue::text IS NULL OR w.queue_name = :queue) GROUP BY w.version
), changes AS (
  SELECT at, target_id, action, after -> 'enabled' AS enabled FROM audit_log
  WHERE organization_id = :organizationId! AND at >= :from!::timestamptz AND at < :to!::timestamptz
  ORDER BY at DESC, id DESC LIMIT :scanned!
), operations AS (
  -- An operation is held for an hour at most.
  SELECT id, kind, queues, started_at AS at FROM operations
  WHERE organization_id = :organizationId! AND created_at >= :from!::timestamptz - interval '2 hours' AND created_at < :to!::timestamptz
  ORDER BY created_at DESC, id DESC LIMIT :scanned!
)
SELECT m.at AS "at!", m.kind AS "kind!", m.queue_name, m.version, m.operation_id, m.operation_kind FROM (
  SELECT at, 'deploy' AS kind, NULL::text AS queue_name, version, NULL::uuid AS operation_id, NULL::text AS operation_kind FROM versions
  UNION ALL
  SELECT at, CASE enabled WHEN 'true' THEN 'resume' ELSE 'pause' END, target_id, NULL, NULL, NULL FROM changes
  WHERE (action = 'queue.updated' AND enabled IN ('true', 'false') OR action = 'queue.created' AND enabled = 'false')
    AND (:scope::text[] IS NULL OR target_id = ANY (:scope)) AND (:queue::text IS NULL OR target_id = :queue)
  UNION ALL
  SELECT at, 'operation', CASE cardinality(queues) WHEN 1 THEN queues[1] END, NULL, id, kind FROM operations
  WHERE at IS NOT NULL AND kind NOT IN ('delivery.resend', 'organization.delete')
    AND (:scope::text[] IS NULL OR queues <> '{}' AND queues <@ :scope)
    AND (:queue::text IS NULL OR queues = '{}' OR :queue = ANY (queues))
) AS m
WHERE m.at >= :from!::timestamptz AND m.at < :to!::timestamptz
ORDER BY m.at DESC, m.kind, m.version, m.operation_id LIMIT :most!;
