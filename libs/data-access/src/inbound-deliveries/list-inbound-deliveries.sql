/* @name listInboundDeliveries */
-- The log of accepted inbound webhooks of the current organization, newest first.
-- :status, :since, :queueName null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.
-- Index: inbound_deliveries_newest, inbound_deliveries_of_queue, inbound_deliveries_duplicates.
SELECT id, provider, event_type, matched_queue, job_id, status, created_at
FROM inbound_deliveries
WHERE organization_id = :organizationId! AND (:status::text IS NULL OR status = :status)
  AND (:since::timestamptz IS NULL OR created_at >= :since) AND (:queueName::text IS NULL OR matched_queue = :queueName)
  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
ORDER BY created_at DESC, id DESC
LIMIT :limit! OFFSET :offset!;
