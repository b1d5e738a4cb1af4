-- Dead letters.
-- $1 to $7 as in page-of-records.sql.
-- Relies on dead_letters_oldest, read in either direction.
SELECT d.job_id AS id
FROM dead_letters d
WHERE d.organization_id = $1
  AND ($2::text[] IS NULL OR d.queue_name = ANY ($2))
  AND ($3::text IS NULL OR EXISTS (SELECT FROM jobs j WHERE j.id = d.job_id AND j.organization_id = $1 AND j.tags ? $3))
  AND ($6::timestamptz IS NULL OR (d.created_at, d.job_id) {beyond} ($6, $7::uuid))
ORDER BY d.created_at {direction}, d.job_id {direction}
LIMIT $4 OFFSET $5
