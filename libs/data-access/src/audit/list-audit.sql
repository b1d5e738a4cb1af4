/* @name listAudit */
-- One page of the current organization, or across tenants as spooled_system; the newest first, among the next :rows of the time.
-- Null = any: :organizationId, :action, :actorKind, :actorId, :targetKind, :targetId, :since, :until; :afterTime and :afterId of the
-- last row of the previous page, null = the first page. Relies on: audit_log_newest, or audit_log_oldest across tenants.
SELECT id, organization_id, at, action, actor, target_kind, target_id, address, user_agent, before, after
FROM (
  SELECT * FROM audit_log
  WHERE (:organizationId::uuid IS NULL OR organization_id = :organizationId)
    AND (:since::timestamptz IS NULL OR at >= :since) AND (:until::timestamptz IS NULL OR at < :until)
    AND (:afterTime::timestamptz IS NULL OR (at, id) < (:afterTime, :afterId::uuid))
  ORDER BY at DESC, id DESC LIMIT :rows!
) AS next
WHERE (:action::text IS NULL OR action = :action)
  AND (:actorKind::text IS NULL OR split_part(actor, ' ', 1) = :actorKind)
  AND (:actorId::text IS NULL OR split_part(actor, ' ', 2) = :actorId)
  AND (:targetKind::text IS NULL OR target_kind = :targetKind) AND (:targetId::text IS NULL OR target_id = :targetId)
ORDER BY at DESC, id DESC LIMIT :limit! OFFSET :offset!;

/* @name findAuditEnd */
-- The last of the next :rows; none if there are fewer.
SELECT at, id FROM audit_log
WHERE (:organizationId::uuid IS NULL OR organization_id = :organizationId)
  AND (:since::timestamptz IS NULL OR at >= :since) AND (:until::timestamptz IS NULL OR at < :until)
  AND (:afterTime::timestamptz IS NULL OR (at, id) < (:afterTime, :afterId::uuid))
ORDER BY at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1;

/* @name deleteOldAudit */
-- Relies on: audit_log_oldest.
WITH old AS (
  SELECT id FROM audit_log WHERE at < current_ts() - make_interval(days => :days!) ORDER BY at, id LIMIT :limit!
), removed AS (
  DELETE FROM audit_log a USING old WHERE a.id = old.id RETURNING a.id
)
SELECT count(*) AS "deleted!" FROM removed;
