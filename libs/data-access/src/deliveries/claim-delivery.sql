/* @name claimDelivery */
-- Claims one due delivery for an attempt. Until `claimedUntil` no other process can claim it, and recording the attempt requires
-- the same `claimedUntil`. If the sender crashes, the delivery is due again after `claimedUntil`.
-- While the receiver of its webhook fails, a due delivery is held instead, unless it is the probe.
-- Index: primary keys. Returns no row for an unknown delivery; `claimedUntil` is null when it was not claimed.
WITH claimed AS (
  UPDATE webhook_deliveries d
  SET next_attempt_at = CASE
    WHEN EXISTS (SELECT FROM outgoing_webhooks w
      WHERE w.id = d.webhook_id AND w.enabled AND w.held_since IS NOT NULL AND w.probe_id IS DISTINCT FROM d.id)
    THEN 'infinity' ELSE current_ts() + make_interval(secs => :claimSeconds!) END
  WHERE id = :id! AND next_attempt_at <= current_ts()
  RETURNING id, next_attempt_at
)
SELECT
  d.id, d.webhook_id AS "webhookId", d.job_id AS "jobId", d.event, d.payload AS data, d.attempts, d.status, d.created_at AS "createdAt",
  coalesce(w.url, d.url) AS "url!",
  CASE WHEN d.webhook_id IS NULL THEN d.secret ELSE w.secret END AS secret,
  CASE WHEN w.previous_secret_until > current_ts() THEN w.previous_secret END AS "previousSecret",
  -- Completion webhooks always get the json envelope.
  coalesce(w.format, 'json') AS "format!",
  coalesce(w.enabled, true) AS "enabled!",
  j.traceparent,
  -- null: there is no further attempt.
  CASE WHEN d.next_attempt_at IS NOT NULL
    THEN greatest(0, extract(epoch FROM d.next_attempt_at - current_ts()) * 1000)::float8 END AS "dueInMs?",
  extract(epoch FROM current_ts() - d.created_at)::float8 AS "ageSeconds!", w.retry_seconds AS "retrySeconds?", w.held_since IS NOT NULL AS "isProbe!",
  coalesce(t.next_attempt_at, d.next_attempt_at) = 'infinity' AS "isHeld!", nullif(t.next_attempt_at, 'infinity') AS "claimedUntil?"
FROM webhook_deliveries d
LEFT JOIN claimed t ON t.id = d.id
LEFT JOIN outgoing_webhooks w ON w.id = d.webhook_id
LEFT JOIN jobs j ON j.id = d.job_id
WHERE d.id = :id!;
