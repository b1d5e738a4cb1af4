/* @name retryDelivery */
-- Makes a failed delivery of the current organization due again. Returns one row, with nulls for a missing webhook or delivery.
-- A held delivery becomes the probe of its webhook, so that it is sent now.
-- :maxAttempts attempts in all after which only :maxRetries by hand are allowed. An attempt within a minute is left alone: it may be
-- running, and its result is recorded under its time. Index: primary keys.
WITH retried AS (
  UPDATE webhook_deliveries d SET status = 'pending', next_attempt_at = current_ts(), manual_retries = d.manual_retries + 1
  FROM outgoing_webhooks w
  WHERE d.id = :deliveryId! AND d.webhook_id = :webhookId! AND w.id = d.webhook_id AND w.enabled AND (d.status = 'failed' OR d.next_attempt_at = 'infinity')
    AND (d.attempts < :maxAttempts!::int OR d.manual_retries < :maxRetries!::int)
    AND (d.next_attempt_at IS NULL OR d.next_attempt_at > current_ts() + interval '1 minute')
  RETURNING d.id
), probe AS (
  UPDATE outgoing_webhooks w SET probe_id = retried.id FROM retried WHERE w.id = :webhookId! AND w.held_since IS NOT NULL
)
SELECT d.status AS "status?", coalesce(d.attempts >= :maxAttempts! AND d.manual_retries >= :maxRetries!, false) AS "is_used_up!",
  d.next_attempt_at IS NOT NULL AS "is_queued!", w.enabled AS "enabled?", EXISTS (SELECT FROM retried) AS "retried!"
FROM (SELECT) AS one
LEFT JOIN outgoing_webhooks w ON w.id = :webhookId!
LEFT JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.id = :deliveryId!;
