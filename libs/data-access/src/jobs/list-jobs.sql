/* @name listJobs */
-- Summaries of the jobs :ids in the order of a list, from :offset, up to :limit. Payloads are not read.
SELECT
  r.id AS "id!", r.queue_name AS "queue_name!", r.status::job_status AS "status!", r.priority AS "priority!",
  r.retry_count AS "attempt!", r.retry_count AS "retry_count!", r.max_retries AS "max_retries!", r.job_type AS "job_type!",
  r.last_error, r.created_at AS "created_at!", r.scheduled_at, r.started_at, r.completed_at
FROM find_job_summaries_v1(:organizationId!, :ids!, NULL) r
CROSS JOIN LATERAL (
  SELECT
    CASE :orderBy! WHEN 'created_at' THEN r.created_at WHEN 'updated_at' THEN r.updated_at WHEN 'scheduled_at' THEN r.scheduled_at END AS time,
    CASE :orderBy! WHEN 'priority' THEN r.priority END AS priority,
    CASE :orderBy! WHEN 'status' THEN r.status END AS status
) AS by
ORDER BY
  CASE WHEN :ascending! THEN by.time END NULLS LAST, CASE WHEN NOT :ascending! THEN by.time END DESC NULLS LAST,
  CASE WHEN :ascending! THEN by.priority END, CASE WHEN NOT :ascending! THEN by.priority END DESC,
  CASE WHEN :ascending! THEN by.status END, CASE WHEN NOT :ascending! THEN by.status END DESC,
  CASE WHEN :ascending! THEN r.id END, CASE WHEN NOT :ascending! THEN r.id END DESC
LIMIT :limit! OFFSET :offset!;
