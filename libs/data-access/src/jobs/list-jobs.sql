-- One page of job summaries.
-- page: a list of ids, from one of the page-of-*.sql files, which explain $1 to $7 and $10.
-- column, direction: how the page is sorted, from a fixed list. $8 limit, $9 offset within the page.
-- The records are fetched for the ids of the page only; payloads are never read.
WITH page AS MATERIALIZED (
  {page}
)
SELECT
  r.id, r.queue_name, r.status, r.priority, r.retry_count AS attempt, r.retry_count, r.max_retries, r.job_type, r.last_error,
  r.created_at, r.scheduled_at, r.started_at, r.completed_at
FROM page
JOIN job_records r ON r.id = page.id AND r.organization_id = $1
ORDER BY r.{column} {direction} NULLS LAST, r.id {direction}
LIMIT $8 OFFSET $9
