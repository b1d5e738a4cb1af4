/* @name listDeliveries */
-- The deliveries of one webhook of the current organization, newest first, among the next :rows of :kind all, pending or failed.
-- :statuses null = any; :afterTime and :afterId of the last delivery of the previous page, null = the first page.
-- Index: webhook_deliveries_of_webhook, webhook_deliveries_unsent or webhook_deliveries_failed.
SELECT id, webhook_id AS "webhook_id!", event, payload, status, status_code, response_body, error, attempts, created_at, delivered_at
FROM (
  SELECT * FROM webhook_deliveries
  WHERE webhook_id = :webhookId! AND (:kind! <> 'pending' OR status = 'pending') AND (:kind! <> 'failed' OR status = 'failed')
    AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
  ORDER BY created_at DESC, id DESC LIMIT :rows!
) AS next
WHERE (:statuses::text[] IS NULL OR status = ANY (:statuses))
ORDER BY created_at DESC, id DESC
LIMIT :limit! OFFSET :offset!;

/* @name findDeliveriesEnd */
-- The last of the next :rows; none if there are fewer.
SELECT created_at AS at, id FROM webhook_deliveries
WHERE webhook_id = :webhookId! AND (:kind! <> 'pending' OR status = 'pending') AND (:kind! <> 'failed' OR status = 'failed')
  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1;
