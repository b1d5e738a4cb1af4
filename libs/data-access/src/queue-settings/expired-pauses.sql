/* @name findExpiredPauses */
-- The queues of all organizations whose pause has expired, the longest ago first. Index: queue_config_pause_expiry.
SELECT organization_id, queue_name FROM queue_config
WHERE NOT enabled AND pause_expires_at <= now() ORDER BY pause_expires_at LIMIT :limit!;

/* @name msUntilNextPauseExpiry */
-- Index: queue_config_pause_expiry.
SELECT (extract(epoch FROM min(pause_expires_at) - clock_timestamp()) * 1000)::float8 AS ms
FROM queue_config WHERE NOT enabled AND pause_expires_at IS NOT NULL;
