/* @name recordAttempt */
-- Records one attempt of a delivery that is still claimed, and at its webhook what changes by it.
-- :sent whether a request was sent (counts as an attempt). :waitSeconds until the next attempt, null = there is none.
-- :isLate whether the delivery has had its first attempts. Then the failure disables a webhook that has failed for :disableAfterSeconds:
-- one failed attempt after days without events says nothing. The probe of a held webhook counts as late.
-- :holdAfter deliveries that have failed in a row; then the others are held, with the first probe after :probeSeconds.
-- Index: primary keys. The webhook is updated at most once per second for successes, and for failures when one begins or ends.
WITH before AS MATERIALIZED (
  SELECT id, status FROM webhook_deliveries WHERE id = :id! AND next_attempt_at = :claimedUntil!::timestamptz FOR UPDATE
), recorded AS (
  UPDATE webhook_deliveries d
  SET attempts = attempts + :sent!::boolean::int,
    status = :status!::text, error = :error,
    -- What is not sent, as while the webhook is disabled, keeps the response to the last attempt.
    status_code = CASE WHEN :sent! THEN :statusCode ELSE status_code END,
    response_body = CASE WHEN :sent! THEN :responseBody ELSE response_body END,
    next_attempt_at = CASE
      WHEN :sent! AND :waitSeconds::float8 IS NOT NULL
        AND EXISTS (SELECT FROM outgoing_webhooks w WHERE w.id = d.webhook_id AND w.enabled AND w.held_since IS NOT NULL)
      THEN 'infinity' ELSE current_ts() + make_interval(secs => :waitSeconds::float8) END,
    attempt_history = CASE WHEN :sent! THEN
      -- Beyond 20 the oldest is dropped.
      CASE WHEN jsonb_array_length(attempt_history) >= 20 THEN attempt_history - 0 ELSE attempt_history END
        || jsonb_build_array(:entry!::jsonb || jsonb_build_object('attempt', attempts + 1, 'ended_at', current_ts(),
          'next_attempt_at', current_ts() + make_interval(secs => :waitSeconds)))
      ELSE attempt_history END,
    delivered_at = CASE WHEN :status!::text = 'success' THEN current_ts() END
  FROM before b WHERE d.id = b.id
  RETURNING webhook_id, d.status, d.status = 'failed' AND b.status = 'pending' AS has_failed
), webhook AS (
  SELECT w.id, r.has_failed, r.status = 'success' AS succeeded,
    r.has_failed AND w.held_since IS NULL AND w.enabled AND w.failure_count + 1 >= :holdAfter! AS begins,
    r.status <> 'success' AND (:isLate! OR w.held_since IS NOT NULL) AND w.failing_since <= current_ts() - make_interval(secs => :disableAfterSeconds!) AS ends
  FROM recorded r JOIN outgoing_webhooks w ON w.id = r.webhook_id
  WHERE :sent!::boolean
), updated_webhook AS (
  UPDATE outgoing_webhooks w
  SET last_triggered_at = CASE WHEN n.succeeded OR n.has_failed OR n.ends THEN current_ts() ELSE w.last_triggered_at END,
    failure_count = CASE WHEN n.succeeded THEN 0 ELSE w.failure_count + n.has_failed::int END,
    failing_since = CASE WHEN NOT n.succeeded THEN coalesce(w.failing_since, current_ts()) END,
    enabled = w.enabled AND n.ends IS NOT TRUE,
    held_since = CASE WHEN n.succeeded OR n.ends THEN NULL WHEN n.begins THEN current_ts() ELSE w.held_since END,
    probes = CASE WHEN n.begins THEN 0 ELSE w.probes END,
    probe_at = CASE WHEN n.begins THEN current_ts() + make_interval(secs => :probeSeconds!) ELSE w.probe_at END,
    last_status = CASE
      WHEN n.succeeded THEN 'success' WHEN n.ends THEN 'auto_disabled' WHEN n.has_failed THEN 'failed' ELSE w.last_status
    END
  FROM webhook n
  WHERE w.id = n.id AND CASE
    WHEN n.succeeded THEN w.failing_since IS NOT NULL OR w.failure_count > 0 OR w.last_status IS DISTINCT FROM 'success'
      OR w.last_triggered_at <= current_ts() - interval '1 second'
    ELSE w.failing_since IS NULL OR n.has_failed OR n.ends AND w.enabled
  END
  RETURNING n.ends
)
SELECT EXISTS (SELECT FROM recorded) AS "recorded!", EXISTS (SELECT FROM updated_webhook WHERE ends) AS "auto_disabled!";
