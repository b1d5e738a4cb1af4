-- Jobs in some of the live states.
-- $1 to $7 as in page-of-records.sql, $10 live states.
-- Relies on the partial indexes of job_queue; sorts the narrow rows of the organization that are in these states.
SELECT q.job_id AS id
FROM job_queue q
WHERE q.organization_id = $1
  AND q.state = ANY ($10::live_state[])
  AND ($2::text[] IS NULL OR q.queue_name = ANY ($2))
  AND ($3::text IS NULL OR EXISTS (SELECT FROM jobs j WHERE j.id = q.job_id AND j.organization_id = $1 AND j.tags ? $3))
  AND ($6::timestamptz IS NULL OR (q.created_at, q.job_id) {beyond} ($6, $7::uuid))
ORDER BY q.created_at {direction}, q.job_id {direction}
LIMIT $4 OFFSET $5
