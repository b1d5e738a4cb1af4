/* @name retryDelivery */
-- Makes a failed delivery of the current organization due again. Returns one row, with nulls for a missing webhook or delivery.
-- :maxAttempts limit of attempts. Index: primary keys.
WITH retried AS (
  UPDATE webhook_deliveries d SET status = 'pending', next_attempt_at = current_ts()
  FROM outgoing_webhooks w
  WHERE d.id = :deliveryId! AND d.webhook_id = :webhookId! AND w.id = d.webhook_id AND w.enabled AND d.status = 'failed'
    AND d.attempts < :maxAttempts!::int
  RETURNING d.id
)
SELECT d.status AS "status?", d.attempts AS "attempts?", w.enabled AS "enabled?", EXISTS (SELECT FROM retried) AS "retried!"
FROM (SELECT) AS one
LEFT JOIN outgoing_webhooks w ON w.id = :webhookId!
LEFT JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.id = :deliveryId!;
