-- The deliveries of one webhook of the current organization, newest first.
-- $1 webhook, $2 status or null, $3 limit, $4 offset. Index: webhook_deliveries_of_webhook.
SELECT id, webhook_id, event, payload, status, status_code, response_body, error, attempts, created_at, delivered_at
FROM webhook_deliveries
WHERE webhook_id = $1 AND ($2::text IS NULL OR status = $2)
ORDER BY created_at DESC, id DESC
LIMIT $3 OFFSET $4
