/* @name listDeliveries */
-- The deliveries of one webhook of the current organization, newest first.
-- :statuses null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page. Index:
-- webhook_deliveries_of_webhook, for failed ones alone webhook_deliveries_failed.
SELECT id, webhook_id AS "webhook_id!", event, payload, status, status_code, response_body, error, attempts, created_at, delivered_at
FROM webhook_deliveries
WHERE webhook_id = :webhookId! AND (:statuses::text[] IS NULL OR status = ANY (:statuses))
  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
ORDER BY created_at DESC, id DESC
LIMIT :limit! OFFSET :offset!;
