/* @name listInboundDeliveries */
-- The log of accepted inbound webhooks of the current organization, newest first, among the next :rows of a queue, of the duplicates
-- (:onlyDuplicates, not with a queue) or of all.
-- :status, :since, :queueName null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.
-- Index: inbound_deliveries_newest, inbound_deliveries_of_queue, inbound_deliveries_duplicates.
SELECT id, provider, event_type, matched_queue, job_id, status, created_at
FROM (
  SELECT * FROM inbound_deliveries
  WHERE organization_id = :organizationId!
    AND (:queueName::text IS NULL OR matched_queue = :queueName) AND (NOT :onlyDuplicates! OR status = 'duplicate')
    AND (:since::timestamptz IS NULL OR created_at >= :since)
    AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
  ORDER BY created_at DESC, id DESC LIMIT :rows!
) AS next
WHERE (:status::text IS NULL OR status = :status)
ORDER BY created_at DESC, id DESC
LIMIT :limit! OFFSET :offset!;

/* @name findInboundDeliveriesEnd */
-- The last of the next :rows; none if there are fewer.
SELECT created_at AS at, id FROM inbound_deliveries
WHERE organization_id = :organizationId!
  AND (:queueName::text IS NULL OR matched_queue = :queueName) AND (NOT :onlyDuplicates! OR status = 'duplicate')
  AND (:since::timestamptz IS NULL OR created_at >= :since)
  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1;
