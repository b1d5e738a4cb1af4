/* @name findOverdue */
-- Pending deliveries that are overdue, oldest first, after a position.
-- :afterTime and :afterId are those of the last row seen.
-- Index: webhook_deliveries_pending.
SELECT id, organization_id, next_attempt_at
FROM webhook_deliveries
WHERE status = 'pending' AND next_attempt_at <= current_ts() - make_interval(secs => :bySeconds!)
  AND (next_attempt_at, id) > (:afterTime!::timestamptz, :afterId!::uuid)
ORDER BY next_attempt_at, id
LIMIT :limit!;
