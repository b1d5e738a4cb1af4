/* @name findDelivery */
-- One delivery of a webhook of the current organization, with its newest attempts. Index: primary key.
SELECT id, webhook_id AS "webhook_id!", event, payload, status, status_code, response_body, error, attempts, created_at, delivered_at,
  nullif(next_attempt_at, 'infinity') AS next_attempt_at, coalesce(next_attempt_at = 'infinity', false) AS "held!", attempt_history
FROM webhook_deliveries WHERE id = :deliveryId! AND webhook_id = :webhookId!;
