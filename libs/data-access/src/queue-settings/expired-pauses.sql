/* @name findExpiredPauses */
-- The queues of all organizations whose pause has expired, the longest ago first. Index: queue_config_pause_expiry.
SELECT organization_id, queue_name FROM queue_config
WHERE NOT enabled AND pause_expires_at <= current_ts() ORDER BY pause_expires_at LIMIT :limit!;
