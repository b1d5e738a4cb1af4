-- Records one attempt of a delivery that is still held, and, when it was the last one, what it means for its webhook: a success
-- clears the count of failures, the $9th failure in a row switches the webhook off.
--   $1 delivery  $2 held_until  $3 status  $4 HTTP status  $5 response body  $6 error  $7 wait before the next attempt, seconds
--   $8 whether the attempt reached out (counts as one)  $9 failures in a row that switch off
-- Index: primary keys. A row in one second's grace spares a busy webhook an update per success.
WITH recorded AS (
  UPDATE webhook_deliveries
  SET attempts = attempts + $8::boolean::int,
    status = $3::text, status_code = $4, response_body = $5, error = $6,
    next_attempt_at = now() + make_interval(secs => $7),
    delivered_at = CASE WHEN $3::text = 'success' THEN now() END
  WHERE id = $1 AND status = 'pending' AND next_attempt_at = $2::timestamptz
  RETURNING webhook_id, status
), noted AS (
  UPDATE outgoing_webhooks w
  SET last_triggered_at = now(),
    failure_count = CASE r.status WHEN 'success' THEN 0 ELSE w.failure_count + 1 END,
    enabled = w.enabled AND (r.status = 'success' OR w.failure_count + 1 < $9::int),
    last_status = CASE
      WHEN r.status = 'success' THEN 'success' WHEN w.failure_count + 1 < $9::int THEN 'failed' ELSE 'auto_disabled'
    END
  FROM recorded r
  WHERE w.id = r.webhook_id AND $8::boolean AND r.status <> 'pending'
    AND NOT (r.status = 'success' AND w.failure_count = 0 AND w.last_status IS NOT DISTINCT FROM 'success'
      AND w.last_triggered_at > now() - interval '1 second')
  RETURNING w.last_status
)
SELECT EXISTS (SELECT FROM recorded) AS recorded, EXISTS (SELECT FROM noted WHERE last_status = 'auto_disabled') AS auto_disabled
