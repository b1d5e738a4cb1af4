/* @name listJobs */
-- Summaries of the jobs :ids, in this order. Payloads are not read.
SELECT
  id AS "id!", queue_name AS "queue_name!", status::job_status AS "status!", priority AS "priority!", retry_count AS "attempt!",
  retry_count AS "retry_count!", max_retries AS "max_retries!", job_type AS "job_type!", last_error, created_at AS "created_at!",
  scheduled_at, started_at, completed_at
FROM find_job_summaries_v1(:organizationId!, :ids!, NULL)
ORDER BY array_position(:ids!::uuid[], id);

/* @name sortJobs */
-- Those of the jobs :ids that are on a page of a list in another order than by creation: from :offset, up to :limit, and only those
-- after :afterKey and :afterId if given. A join, because for thousands of jobs it costs half as much as a look-up of each. All keys are
-- numbers, the lowest first: of a time its microseconds, of a status its place in the alphabet. Jobs without the time come last.
SELECT r.id AS "id!", by.key AS "key!"
FROM unnest(:ids!::uuid[]) AS found (id)
JOIN job_records r ON r.id = found.id AND r.organization_id = :organizationId!
CROSS JOIN LATERAL (
  SELECT coalesce(CASE WHEN :ascending! THEN 1 ELSE -1 END * CASE :orderBy!
    WHEN 'updated_at' THEN 1e6 * extract(epoch FROM r.updated_at)
    WHEN 'scheduled_at' THEN 1e6 * extract(epoch FROM r.scheduled_at)
    WHEN 'priority' THEN r.priority
    WHEN 'status' THEN array_position('{cancelled,completed,deadletter,failed,pending,processing,scheduled}'::text[], r.status::text)
  END, 'infinity')::float8 AS key
) AS by
WHERE :afterKey::float8 IS NULL OR by.key > :afterKey
  OR by.key = :afterKey AND CASE WHEN :ascending! THEN r.id > :afterId::uuid ELSE r.id < :afterId::uuid END
ORDER BY by.key, CASE WHEN :ascending! THEN r.id END, CASE WHEN NOT :ascending! THEN r.id END DESC
LIMIT :limit! OFFSET :offset!;
