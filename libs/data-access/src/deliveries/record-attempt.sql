/* @name recordAttempt */
-- Records one attempt of a delivery that is still claimed. When the delivery is finished, updates its webhook: a success resets
-- the failure count, the :disableAfter-th consecutive failure disables the webhook.
-- :sent whether a request was sent (counts as an attempt).
-- Index: primary keys. The webhook is updated at most once per second for successes.
WITH recorded AS (
  UPDATE webhook_deliveries
  SET attempts = attempts + :sent!::boolean::int,
    status = :status!::text, error = :error,
    -- What is not sent, as while the webhook is disabled, keeps the response to the last attempt.
    status_code = CASE WHEN :sent! THEN :statusCode ELSE status_code END,
    response_body = CASE WHEN :sent! THEN :responseBody ELSE response_body END,
    next_attempt_at = current_ts() + make_interval(secs => :waitSeconds!),
    delivered_at = CASE WHEN :status!::text = 'success' THEN current_ts() END
  WHERE id = :id! AND status = 'pending' AND next_attempt_at = :claimedUntil!::timestamptz
  RETURNING webhook_id, status
), updated_webhook AS (
  UPDATE outgoing_webhooks w
  SET last_triggered_at = current_ts(),
    failure_count = CASE r.status WHEN 'success' THEN 0 ELSE w.failure_count + 1 END,
    enabled = w.enabled AND (r.status = 'success' OR w.failure_count + 1 < :disableAfter!::int),
    last_status = CASE
      WHEN r.status = 'success' THEN 'success' WHEN w.failure_count + 1 < :disableAfter!::int THEN 'failed' ELSE 'auto_disabled'
    END
  FROM recorded r
  WHERE w.id = r.webhook_id AND :sent!::boolean AND r.status <> 'pending'
    AND NOT (r.status = 'success' AND w.failure_count = 0 AND w.last_status IS NOT DISTINCT FROM 'success'
      AND w.last_triggered_at > current_ts() - interval '1 second')
  RETURNING w.last_status
)
SELECT EXISTS (SELECT FROM recorded) AS "recorded!", EXISTS (SELECT FROM updated_webhook WHERE last_status = 'auto_disabled') AS "auto_disabled!";
