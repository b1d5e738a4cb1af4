-- Schedules, the newest first.
-- $1 organization, $2 queues that the caller may see (null = all), $3 active ones or paused ones (null = both), $4 limit, $5 offset.
-- Index: schedules_newest.
SELECT {columns} FROM schedules
WHERE organization_id = $1 AND ($2::text[] IS NULL OR queue_name = ANY ($2)) AND ($3::boolean IS NULL OR is_active = $3)
ORDER BY created_at DESC, id DESC LIMIT $4 OFFSET $5
