/* @name listCancelled */
-- Ids of the next cancelled jobs of a list, by jobs_cancelled. Parameters as in listJobsOfTypes.
SELECT j.id, j.created_at
FROM jobs j
WHERE j.organization_id = :organizationId! AND j.cancelled_at IS NOT NULL
  AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
    :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)
  AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))
  AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, :text::text)
  AND NOT EXISTS (
    SELECT FROM queue_deletions x
    WHERE x.organization_id = :organizationId! AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)
ORDER BY
  CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
  CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
LIMIT :take! OFFSET :skip!;

/* @name findCancelledEnd */
-- The last of the next :rows cancelled jobs; none if there are fewer. Reads the index.
SELECT j.created_at AS at, j.id
FROM jobs j
WHERE j.organization_id = :organizationId! AND j.cancelled_at IS NOT NULL
  AND within_page_v1(j.created_at, j.id, :createdAfter::timestamptz, :createdBefore::timestamptz,
    :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)
ORDER BY
  CASE WHEN :ascending! THEN j.created_at END, CASE WHEN :ascending! THEN j.id END,
  CASE WHEN NOT :ascending! THEN j.created_at END DESC, CASE WHEN NOT :ascending! THEN j.id END DESC
LIMIT 1 OFFSET :rows!::bigint - 1;

/* @name listDeadLetters */
-- Ids of the next dead letters of a list, by dead_letters_oldest, or with :queues by dead_letters_of_queue.
-- Parameters as in listJobsOfTypes.
SELECT of_queue.job_id AS id, of_queue.created_at
FROM unnest(coalesce(:queues::text[], '{NULL}')) AS q (name)
CROSS JOIN LATERAL (
  SELECT d.job_id, d.created_at
  FROM dead_letters d
  WHERE d.organization_id = :organizationId! AND (:queues::text[] IS NULL OR d.queue_name = q.name)
    AND within_page_v1(d.created_at, d.job_id, :createdAfter::timestamptz, :createdBefore::timestamptz,
      :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)
    AND NOT EXISTS (
      SELECT FROM queue_deletions x
      WHERE x.organization_id = :organizationId! AND x.queue_name = d.queue_name AND d.created_at <= x.deleted_until)
    AND ((:tag::text IS NULL AND :jobType::text IS NULL AND :text::text IS NULL) OR EXISTS (
      SELECT FROM jobs j
      WHERE j.id = d.job_id AND j.organization_id = :organizationId!
        AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, :text::text)))
  ORDER BY
    CASE WHEN :ascending! THEN d.created_at END, CASE WHEN :ascending! THEN d.job_id END,
    CASE WHEN NOT :ascending! THEN d.created_at END DESC, CASE WHEN NOT :ascending! THEN d.job_id END DESC
  LIMIT :take!::bigint + :skip!::bigint
) AS of_queue
ORDER BY
  CASE WHEN :ascending! THEN of_queue.created_at END, CASE WHEN :ascending! THEN of_queue.job_id END,
  CASE WHEN NOT :ascending! THEN of_queue.created_at END DESC, CASE WHEN NOT :ascending! THEN of_queue.job_id END DESC
LIMIT :take! OFFSET :skip!;

/* @name findDeadLettersEnd */
-- The nearest of the dead letters that end the next :rows, or with :queues the next :rows of each queue; none if all have fewer.
SELECT of_queue.created_at AS at, of_queue.job_id AS id
FROM unnest(coalesce(:queues::text[], '{NULL}')) AS q (name)
CROSS JOIN LATERAL (
  SELECT d.job_id, d.created_at
  FROM dead_letters d
  WHERE d.organization_id = :organizationId! AND (:queues::text[] IS NULL OR d.queue_name = q.name)
    AND within_page_v1(d.created_at, d.job_id, :createdAfter::timestamptz, :createdBefore::timestamptz,
      :afterTime::timestamptz, :afterId::uuid, NULL, NULL, :ascending!)
  ORDER BY
    CASE WHEN :ascending! THEN d.created_at END, CASE WHEN :ascending! THEN d.job_id END,
    CASE WHEN NOT :ascending! THEN d.created_at END DESC, CASE WHEN NOT :ascending! THEN d.job_id END DESC
  LIMIT 1 OFFSET :rows!::bigint - 1
) AS of_queue
ORDER BY
  CASE WHEN :ascending! THEN of_queue.created_at END, CASE WHEN :ascending! THEN of_queue.job_id END,
  CASE WHEN NOT :ascending! THEN of_queue.created_at END DESC, CASE WHEN NOT :ascending! THEN of_queue.job_id END DESC
LIMIT 1;

/* @name listLive */
-- Ids of the next live jobs of a list in :states, by the partial indexes of job_queue. Sorts all of them: countLive comes first.
-- Other parameters as in listJobsOfTypes.
SELECT q.job_id AS "id!", q.created_at AS "created_at!"
FROM (
  SELECT job_id, queue_name, created_at FROM job_queue
  WHERE 'ready' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'ready' AND dependencies_met
  UNION ALL
  SELECT job_id, queue_name, created_at FROM job_queue
  WHERE 'ready' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'ready' AND NOT dependencies_met
  UNION ALL
  SELECT job_id, queue_name, created_at FROM job_queue
  WHERE state = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state IN ('scheduled', 'retrying')
  UNION ALL
  SELECT job_id, queue_name, created_at FROM job_queue
  WHERE 'leased' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'leased'
) AS q
WHERE (:queues::text[] IS NULL OR q.queue_name = ANY (:queues))
  AND within_page_v1(q.created_at, q.job_id, :createdAfter::timestamptz, :createdBefore::timestamptz,
    :afterTime::timestamptz, :afterId::uuid, :endTime::timestamptz, :endId::uuid, :ascending!)
  AND NOT EXISTS (
    SELECT FROM queue_deletions x
    WHERE x.organization_id = :organizationId! AND x.queue_name = q.queue_name AND q.created_at <= x.deleted_until)
  AND ((:tag::text IS NULL AND :jobType::text IS NULL AND :text::text IS NULL) OR EXISTS (
    SELECT FROM jobs j
    WHERE j.id = q.job_id AND j.organization_id = :organizationId!
      AND job_matches_v1(j.id, j.queue_name, j.job_type, j.tags, :tag::text, :jobType::text, :text::text)))
ORDER BY
  CASE WHEN :ascending! THEN q.created_at END, CASE WHEN :ascending! THEN q.job_id END,
  CASE WHEN NOT :ascending! THEN q.created_at END DESC, CASE WHEN NOT :ascending! THEN q.job_id END DESC
LIMIT :take! OFFSET :skip!;

/* @name countLive */
-- How many live jobs of :states and :queues (null = all) there are, but at most :most. By the partial indexes of job_queue.
SELECT count(*) AS "count!"
FROM (
  SELECT FROM (
    SELECT job_id, queue_name, created_at FROM job_queue
    WHERE 'ready' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'ready' AND dependencies_met
    UNION ALL
    SELECT job_id, queue_name, created_at FROM job_queue
    WHERE 'ready' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'ready' AND NOT dependencies_met
    UNION ALL
    SELECT job_id, queue_name, created_at FROM job_queue
    WHERE state = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state IN ('scheduled', 'retrying')
    UNION ALL
    SELECT job_id, queue_name, created_at FROM job_queue
    WHERE 'leased' = ANY (:states!::live_state[]) AND organization_id = :organizationId! AND state = 'leased'
  ) AS q
  WHERE :queues::text[] IS NULL OR q.queue_name = ANY (:queues)
  LIMIT :most!
) AS counted;
