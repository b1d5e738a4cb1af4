-- Makes a failed delivery of the current organization due again. One row, with nulls for what does not exist.
-- $1 webhook, $2 delivery, $3 attempts that it may have had. Index: primary keys.
WITH again AS (
  UPDATE webhook_deliveries d SET status = 'pending', next_attempt_at = now()
  FROM outgoing_webhooks w
  WHERE d.id = $2 AND d.webhook_id = $1 AND w.id = d.webhook_id AND w.enabled AND d.status = 'failed' AND d.attempts < $3::int
  RETURNING d.id
)
SELECT d.status, d.attempts, w.enabled, EXISTS (SELECT FROM again) AS retried
FROM (SELECT) AS one
LEFT JOIN outgoing_webhooks w ON w.id = $1
LEFT JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.id = $2
