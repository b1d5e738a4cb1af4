/* @name listDeliveries */
-- The deliveries of one webhook of the current organization, newest first.
-- :status null = any. Index: webhook_deliveries_of_webhook.
SELECT id, webhook_id AS "webhook_id!", event, payload, status, status_code, response_body, error, attempts, created_at, delivered_at
FROM webhook_deliveries
WHERE webhook_id = :webhookId! AND (:status::text IS NULL OR status = :status)
ORDER BY created_at DESC, id DESC
LIMIT :limit! OFFSET :offset!;
