/* @name listPauseChanges */
-- When a queue was paused and resumed since :since, the oldest first, from the newest :rows audit entries of the organization.
-- Settings that do not exist pause nothing, so the deletion of a paused queue resumes it. Relies on: audit_log_newest.
SELECT at, NOT is_enabled AS "paused!"
FROM (
  SELECT at, id, coalesce((before ->> 'enabled')::boolean, true) AS was_enabled, coalesce((after ->> 'enabled')::boolean, true) AS is_enabled
  FROM (
    SELECT * FROM audit_log WHERE organization_id = :organizationId! AND at >= :since! ORDER BY at DESC, id DESC LIMIT :rows!
  ) AS newest
  WHERE target_kind = 'queue' AND target_id = :queueName!
) AS changes
WHERE was_enabled <> is_enabled
ORDER BY at, id;
