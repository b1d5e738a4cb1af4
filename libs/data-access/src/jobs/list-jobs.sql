/* @name listJobs */
-- One page of job summaries from up to three sources: the records (any status, or some outcomes), the live jobs in some states, and
-- the dead letters. All filters hold at once. Records are read only for the ids of the page; payloads are never read.
-- :queues null = all; :tag, :jobType, :text, :createdAfter, :createdBefore null = any; :text is part of the queue or type, or the
-- start of the id, in any case; :afterTime and :afterId of the last job of the previous page, null = first page; :outcomes null = any;
-- :states of live jobs. :sources of 'records', 'live' and 'dead_letters'; :fetch rows are read from each, :pageLimit and :pageOffset
-- select the page from all of them by age, :limit and :offset within it.
-- The statement is planned with its parameter values, so the other sources, filters and direction are constant-folded and cost
-- nothing at run time. Relies on jobs_newest (whose condition it repeats), the partial indexes of job_queue and
-- dead_letters_oldest, scanned in either direction until the page is full: a selective filter scans many rows. There is no index on
-- the outcome, because every completion would have to maintain it.
WITH matching AS (
  (
    SELECT j.id, j.created_at
    FROM jobs j
    WHERE 'records' = ANY (:sources!::text[]) AND j.organization_id = :organizationId! AND j.created_at > '-infinity'
      AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))
      AND (:tag::text IS NULL OR j.tags ? :tag)
      AND (:jobType::text IS NULL OR j.job_type = :jobType)
      AND (:text::text IS NULL OR starts_with(j.id::text, lower(:text)) OR strpos(lower(j.queue_name), lower(:text)) > 0
        OR strpos(lower(j.job_type), lower(:text)) > 0)
      AND NOT EXISTS (
        SELECT FROM queue_deletions x
        WHERE x.organization_id = :organizationId! AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)
      AND (:createdAfter::timestamptz IS NULL OR j.created_at >= :createdAfter)
      AND (:createdBefore::timestamptz IS NULL OR j.created_at < :createdBefore)
      AND (:afterTime::timestamptz IS NULL
        OR :ascending! AND (j.created_at, j.id) > (:afterTime, :afterId::uuid)
        OR NOT :ascending! AND (j.created_at, j.id) < (:afterTime, :afterId::uuid))
      AND (:outcomes::job_status[] IS NULL OR j.outcome = ANY (:outcomes))
    ORDER BY
      CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
      CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
    LIMIT :fetch!
  )
  UNION ALL
  (
    SELECT q.job_id, q.created_at
    FROM job_queue q
    WHERE 'live' = ANY (:sources!::text[]) AND q.organization_id = :organizationId! AND q.state = ANY (:states::live_state[])
      AND (:queues::text[] IS NULL OR q.queue_name = ANY (:queues))
      AND ((:tag::text IS NULL AND :jobType::text IS NULL AND :text::text IS NULL) OR EXISTS (
        SELECT FROM jobs j
        WHERE j.id = q.job_id AND j.organization_id = :organizationId!
          AND (:tag::text IS NULL OR j.tags ? :tag)
          AND (:jobType::text IS NULL OR j.job_type = :jobType)
          AND (:text::text IS NULL OR starts_with(j.id::text, lower(:text)) OR strpos(lower(j.queue_name), lower(:text)) > 0
            OR strpos(lower(j.job_type), lower(:text)) > 0)))
      AND NOT EXISTS (
        SELECT FROM queue_deletions x
        WHERE x.organization_id = :organizationId! AND x.queue_name = q.queue_name AND q.created_at <= x.deleted_until)
      AND (:createdAfter::timestamptz IS NULL OR q.created_at >= :createdAfter)
      AND (:createdBefore::timestamptz IS NULL OR q.created_at < :createdBefore)
      AND (:afterTime::timestamptz IS NULL
        OR :ascending! AND (q.created_at, q.job_id) > (:afterTime, :afterId::uuid)
        OR NOT :ascending! AND (q.created_at, q.job_id) < (:afterTime, :afterId::uuid))
    ORDER BY
      CASE WHEN :ascending! THEN q.created_at END, CASE WHEN :ascending! THEN q.job_id END,
      CASE WHEN NOT :ascending! THEN q.created_at END DESC, CASE WHEN NOT :ascending! THEN q.job_id END DESC
    LIMIT :fetch!
  )
  UNION ALL
  (
    SELECT d.job_id, d.created_at
    FROM dead_letters d
    WHERE 'dead_letters' = ANY (:sources!::text[]) AND d.organization_id = :organizationId!
      AND (:queues::text[] IS NULL OR d.queue_name = ANY (:queues))
      AND ((:tag::text IS NULL AND :jobType::text IS NULL AND :text::text IS NULL) OR EXISTS (
        SELECT FROM jobs j
        WHERE j.id = d.job_id AND j.organization_id = :organizationId!
          AND (:tag::text IS NULL OR j.tags ? :tag)
          AND (:jobType::text IS NULL OR j.job_type = :jobType)
          AND (:text::text IS NULL OR starts_with(j.id::text, lower(:text)) OR strpos(lower(j.queue_name), lower(:text)) > 0
            OR strpos(lower(j.job_type), lower(:text)) > 0)))
      AND NOT EXISTS (
        SELECT FROM queue_deletions x
        WHERE x.organization_id = :organizationId! AND x.queue_name = d.queue_name AND d.created_at <= x.deleted_until)
      AND (:createdAfter::timestamptz IS NULL OR d.created_at >= :createdAfter)
      AND (:createdBefore::timestamptz IS NULL OR d.created_at < :createdBefore)
      AND (:afterTime::timestamptz IS NULL
        OR :ascending! AND (d.created_at, d.job_id) > (:afterTime, :afterId::uuid)
        OR NOT :ascending! AND (d.created_at, d.job_id) < (:afterTime, :afterId::uuid))
    ORDER BY
      CASE WHEN :ascending! THEN d.created_at END, CASE WHEN :ascending! THEN d.job_id END,
      CASE WHEN NOT :ascending! THEN d.created_at END DESC, CASE WHEN NOT :ascending! THEN d.job_id END DESC
    LIMIT :fetch!
  )
), page AS MATERIALIZED (
  SELECT id FROM matching
  ORDER BY
    CASE WHEN :ascending! THEN created_at END, CASE WHEN :ascending! THEN id END,
    CASE WHEN NOT :ascending! THEN created_at END DESC, CASE WHEN NOT :ascending! THEN id END DESC
  LIMIT :pageLimit! OFFSET :pageOffset!
)
SELECT
  r.id AS "id!", r.queue_name AS "queue_name!", r.status::job_status AS "status!", r.priority AS "priority!",
  r.retry_count AS "attempt!", r.retry_count AS "retry_count!", r.max_retries AS "max_retries!", r.job_type AS "job_type!",
  r.last_error, r.created_at AS "created_at!", r.scheduled_at, r.started_at, r.completed_at
FROM page
JOIN job_records r ON r.id = page.id AND r.organization_id = :organizationId!
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
