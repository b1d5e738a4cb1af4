-- Pending deliveries that are overdue, oldest first, from a position on.
--   $1 overdue by at least, seconds  $2, $3 position: next_attempt_at and id of the last row seen  $4 limit
-- Index: webhook_deliveries_pending.
SELECT id, organization_id, next_attempt_at
FROM webhook_deliveries
WHERE status = 'pending' AND next_attempt_at <= now() - make_interval(secs => $1)
  AND (next_attempt_at, id) > ($2::timestamptz, $3::uuid)
ORDER BY next_attempt_at, id
LIMIT $4
