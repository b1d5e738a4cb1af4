/* @name listJobs */
-- Summaries of the jobs :ids, in this order. Payloads are not read.
SELECT
  id AS "id!", queue_name AS "queue_name!", status::job_status AS "status!", priority AS "priority!", retry_count AS "attempt!",
  retry_count AS "retry_count!", max_retries AS "max_retries!", job_type AS "job_type!", last_error, created_at AS "created_at!",
  scheduled_at, started_at, completed_at
FROM find_job_summaries_v1(:organizationId!, :ids!, NULL)
ORDER BY array_position(:ids!::uuid[], id);

/* @name sortJobs */
-- Those of the jobs :ids that are on a page of a list in another order than by creation: from :offset, up to :limit. A join, because for
-- thousands of jobs it costs half as much as a look-up of each.
SELECT r.id AS "id!"
FROM unnest(:ids!::uuid[]) AS found (id)
JOIN job_records r ON r.id = found.id AND r.organization_id = :organizationId!
CROSS JOIN LATERAL (
  SELECT
    CASE :orderBy! WHEN 'updated_at' THEN r.updated_at WHEN 'scheduled_at' THEN r.scheduled_at END AS time,
    CASE :orderBy! WHEN 'priority' THEN r.priority END AS priority,
    CASE :orderBy! WHEN 'status' THEN r.status END AS status
) AS by
ORDER BY
  CASE WHEN :ascending! THEN by.time END NULLS LAST, CASE WHEN NOT :ascending! THEN by.time END DESC NULLS LAST,
  CASE WHEN :ascending! THEN by.priority END, CASE WHEN NOT :ascending! THEN by.priority END DESC,
  CASE WHEN :ascending! THEN by.status END, CASE WHEN NOT :ascending! THEN by.status END DESC,
  CASE WHEN :ascending! THEN r.id END, CASE WHEN NOT :ascending! THEN r.id END DESC
LIMIT :limit! OFFSET :offset!;
