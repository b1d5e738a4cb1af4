/* @name listPauseChanges */
-- When a queue was paused and resumed since :since, the oldest first, from the newest :rows pauses and resumptions of the organization.
-- Relies on: audit_log_pauses.
SELECT at, coalesce(after ->> 'enabled', 'true') = 'false' AS "paused!"
FROM (
  SELECT * FROM audit_log
  WHERE organization_id = :organizationId! AND at >= :since! AND target_kind = 'queue'
    AND coalesce(before ->> 'enabled', 'true') <> coalesce(after ->> 'enabled', 'true')
  ORDER BY at DESC, id DESC LIMIT :rows!
) AS newest
WHERE target_id = :queueName!
ORDER BY at, id;
