/* @name listRecords */
-- Ids of the next jobs of a list among the next :rows records of the organization, by jobs_newest: :take matches after the first :skip.
-- :queues null = all; :tag, :jobType, :text, :createdAfter, :createdBefore null = any; :outcomes and :liveStates of the jobs, both
-- null = any.
-- :afterTime and :afterId of the last job of the previous page, null = first page.
-- Statements of lists are planned with the values of their parameters, so absent filters and the other direction cost nothing at run time.
SELECT j.id, j.created_at
FROM (
  SELECT j.id, j.created_at, j.queue_name, j.job_type, j.tags, j.outcome
  FROM jobs j
  WHERE j.organization_id = :organizationId! AND j.created_at > '-infinity'
    AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
      :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)
  ORDER BY
    CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
    CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
  LIMIT :rows!
) AS j
WHERE (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))
  AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, :text::text)
  AND NOT EXISTS (
    SELECT FROM queue_deletions x
    WHERE x.organization_id = :organizationId! AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)
  AND ((:outcomes::job_status[] IS NULL AND :liveStates::live_state[] IS NULL) OR j.outcome = ANY (:outcomes)
    OR (j.outcome IS NULL AND EXISTS (
      SELECT FROM job_queue q WHERE q.job_id = j.id AND q.organization_id = :organizationId! AND q.state = ANY (:liveStates))))
ORDER BY
  CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
  CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
LIMIT :take! OFFSET :skip!;

/* @name findRecordsEnd */
-- The last of the next :rows records; none if there are fewer. Reads the index.
SELECT j.created_at AS at, j.id
FROM jobs j
WHERE j.organization_id = :organizationId! AND j.created_at > '-infinity'
  AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
    :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)
ORDER BY
  CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
  CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
LIMIT 1 OFFSET :rows!::bigint - 1;
