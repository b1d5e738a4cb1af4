/* @name recordInboundRefusals */
-- Adds refused inbound webhooks of the current organization, unless it is gone.
-- :refusals [{provider, event_type, code, reason, address, calls, ms_ago}]
INSERT INTO inbound_refusals (organization_id, provider, event_type, code, reason, address, calls, created_at)
SELECT o.id, r.provider, r.event_type, r.code, r.reason, r.address, r.calls, current_ts() - r.ms_ago * interval '1 millisecond'
FROM json_to_recordset(:refusals!::json) AS r (
  provider text, event_type text, code text, reason text, address text, calls integer, ms_ago float8)
JOIN organizations o ON o.id = :organizationId!;

/* @name trimInboundRefusals */
-- Deletes all but the newest :kept. Index: inbound_refusals_newest.
DELETE FROM inbound_refusals WHERE id = ANY (ARRAY(
  SELECT id FROM inbound_refusals WHERE organization_id = :organizationId!
  ORDER BY created_at DESC, id DESC OFFSET :kept!));

/* @name listInboundRefusals */
-- Newest first. :since null = any; :afterTime and :afterId of the last one of the previous page, null = the first page.
-- Index: inbound_refusals_newest.
SELECT id, provider, event_type, code, reason, address, calls, created_at
FROM inbound_refusals
WHERE organization_id = :organizationId! AND (:since::timestamptz IS NULL OR created_at >= :since)
  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
ORDER BY created_at DESC, id DESC
LIMIT :limit! OFFSET :offset!;
