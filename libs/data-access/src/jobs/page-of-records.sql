-- Jobs in any state, or with one outcome.
-- $1 organization, $2 queues (null = all), $3 tag (null = any), $4 limit, $5 offset, $6 and $7 creation time and id of the last
-- job of the page before (null = from the start), $10 outcome (null = any state).
-- Relies on jobs_newest (whose condition it repeats), read until the page is full: a filter that matches little reads far. No index on the outcome: every
-- completion would have to maintain it.
SELECT j.id
FROM jobs j
WHERE j.organization_id = $1 AND j.created_at > '-infinity'
  AND ($2::text[] IS NULL OR j.queue_name = ANY ($2))
  AND ($3::text IS NULL OR j.tags ? $3)
  AND ($6::timestamptz IS NULL OR (j.created_at, j.id) {beyond} ($6, $7::uuid))
  AND ($10::job_status IS NULL OR j.outcome = $10)
ORDER BY j.created_at {direction}, j.id {direction}
LIMIT $4 OFFSET $5
