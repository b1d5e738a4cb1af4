/* @name listJobsOfTypes */
-- Ids of the next jobs of a list that have one of the queues and job types :typeQueues and :typeNames, by jobs_of_type.
-- :endTime and :endId of the last job that may be read, null = to the end; other parameters as in listRecords.
SELECT of_type.id, of_type.created_at
FROM unnest(:typeQueues!::text[], :typeNames!::text[]) AS t (queue, type)
CROSS JOIN LATERAL (
  SELECT j.id, j.created_at
  FROM jobs j
  WHERE j.organization_id = :organizationId! AND j.queue_name = t.queue AND j.job_type = t.type AND j.queue_name >= ''
    AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
      :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)
    AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, NULL, NULL)
    AND NOT EXISTS (
      SELECT FROM queue_deletions x
      WHERE x.organization_id = :organizationId! AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)
    AND ((:outcomes::job_status[] IS NULL AND :liveStates::live_state[] IS NULL) OR j.outcome = ANY (:outcomes)
      OR (j.outcome IS NULL AND EXISTS (
        SELECT FROM job_queue q WHERE q.job_id = j.id AND q.organization_id = :organizationId! AND q.state = ANY (:liveStates))))
  ORDER BY
    CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
    CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
  LIMIT :take!::bigint + :skip!::bigint
) AS of_type
ORDER BY
  CASE WHEN :ascending! THEN of_type.created_at END, CASE WHEN :ascending! THEN of_type.id END,
  CASE WHEN NOT :ascending! THEN of_type.created_at END DESC, CASE WHEN NOT :ascending! THEN of_type.id END DESC
LIMIT :take! OFFSET :skip!;

/* @name findTypesEnd */
-- The nearest of the jobs that end the next :rows jobs of each type; none if all have fewer. Reads the index.
SELECT of_type.created_at AS at, of_type.id
FROM unnest(:typeQueues!::text[], :typeNames!::text[]) AS t (queue, type)
CROSS JOIN LATERAL (
  SELECT j.created_at, j.id
  FROM jobs j
  WHERE j.organization_id = :organizationId! AND j.queue_name = t.queue AND j.job_type = t.type AND j.queue_name >= ''
    AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
      :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)
  ORDER BY
    CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
    CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
  LIMIT 1 OFFSET :rows!::bigint - 1
) AS of_type
ORDER BY
  CASE WHEN :ascending! THEN of_type.created_at END, CASE WHEN :ascending! THEN of_type.id END,
  CASE WHEN NOT :ascending! THEN of_type.created_at END DESC, CASE WHEN NOT :ascending! THEN of_type.id END DESC
LIMIT 1;

/* @name listJobsById */
-- Ids of the next jobs of a list with an id from :firstId to :lastId, by the primary key. Parameters as in listJobsOfTypes.
SELECT j.id, j.created_at
FROM jobs j
WHERE j.organization_id = :organizationId! AND j.id >= :firstId! AND j.id <= :lastId!
  AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
    :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)
  AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))
  AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, NULL)
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

/* @name listTypes */
-- The job types of each queue, in the queues :queues or in all (null), up to :most queues and types, and whether they match :jobType and
-- :text. Each row is one look at jobs_of_type, which continues behind the previous row. The table of queues would not do: a deleted queue
-- may have left jobs.
WITH RECURSIVE queue AS (
  (
    SELECT j.queue_name FROM jobs j
    WHERE :queues::text[] IS NULL AND j.organization_id = :organizationId! AND j.queue_name >= ''
    ORDER BY j.queue_name LIMIT 1
  )
  UNION ALL
  SELECT next.queue_name
  FROM queue q
  CROSS JOIN LATERAL (
    SELECT j.queue_name FROM jobs j
    WHERE j.organization_id = :organizationId! AND j.queue_name >= '' AND j.queue_name > q.queue_name
    ORDER BY j.queue_name LIMIT 1
  ) AS next
), type AS (
  SELECT first.queue_name, first.job_type
  FROM (SELECT queue_name FROM queue UNION ALL SELECT unnest(:queues::text[]) LIMIT :most!) AS q
  CROSS JOIN LATERAL (
    SELECT j.queue_name, j.job_type FROM jobs j
    WHERE j.organization_id = :organizationId! AND j.queue_name = q.queue_name AND j.queue_name >= ''
    ORDER BY j.job_type LIMIT 1
  ) AS first
  UNION ALL
  SELECT next.queue_name, next.job_type
  FROM type t
  CROSS JOIN LATERAL (
    SELECT j.queue_name, j.job_type FROM jobs j
    WHERE j.organization_id = :organizationId! AND j.queue_name = t.queue_name AND j.queue_name >= '' AND j.job_type > t.job_type
    ORDER BY j.job_type LIMIT 1
  ) AS next
)
SELECT queue_name AS "queue!", job_type AS "type!",
  (:jobType::text IS NULL OR job_type = :jobType)
    AND (:text::text IS NULL OR strpos(lower(queue_name), lower(:text)) > 0 OR strpos(lower(job_type), lower(:text)) > 0) AS "matches!"
FROM type LIMIT :most!;

/* @name listQueuesOfJobs */
-- The queues that jobs have, of :queues or of all (null), up to :most. By jobs_of_type, as in listTypes.
WITH RECURSIVE queue AS (
  (
    SELECT j.queue_name FROM jobs j
    WHERE :queues::text[] IS NULL AND j.organization_id = :organizationId! AND j.queue_name >= ''
    ORDER BY j.queue_name LIMIT 1
  )
  UNION ALL
  SELECT next.queue_name
  FROM queue q
  CROSS JOIN LATERAL (
    SELECT j.queue_name FROM jobs j
    WHERE j.organization_id = :organizationId! AND j.queue_name >= '' AND j.queue_name > q.queue_name
    ORDER BY j.queue_name LIMIT 1
  ) AS next
)
SELECT queue_name AS "queue!" FROM (SELECT queue_name FROM queue UNION ALL SELECT unnest(:queues::text[])) AS q LIMIT :most!;
