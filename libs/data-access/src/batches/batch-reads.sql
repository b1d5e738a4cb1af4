/* @name listBatches */
-- Batches, newest first, among the next :rows, or one of them.
-- :id null = all; :queues that the caller may access, null = all; :statuses null = any; :afterTime and :afterId of the last batch of the
-- previous page, null = the first page.
-- Relies on batches_newest, and the primary keys of batches, batch_counts and batch_jobs. Jobs that run are counted among the leased ones of the
-- organization, which are few.
SELECT
  b.id, b.name, b.metadata::text AS metadata, b.status, b.total_jobs, n.succeeded AS "succeeded_jobs!", n.failed AS "failed_jobs!",
  n.cancelled AS "cancelled_jobs!", coalesce(r.running, 0) AS "running_jobs!", b.queue_names, b.callback_names, b.success_job_id, b.complete_job_id,
  b.death_job_id, b.created_at, b.closed_at, b.completed_at
FROM (
  SELECT * FROM batches
  WHERE organization_id = :organizationId! AND (:id::uuid IS NULL OR id = :id)
    AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
  ORDER BY created_at DESC, id DESC LIMIT :rows!
) b
CROSS JOIN LATERAL (
  SELECT coalesce(sum(succeeded), 0)::int AS succeeded, coalesce(sum(failed), 0)::int AS failed, coalesce(sum(cancelled), 0)::int AS cancelled
  FROM batch_counts c WHERE c.batch_id = b.id
) n
LEFT JOIN (
  SELECT m.batch_id, count(*)::int AS running
  FROM job_queue q JOIN batch_jobs m ON m.job_id = q.job_id
  WHERE q.organization_id = :organizationId! AND q.state = 'leased' GROUP BY m.batch_id
) r ON r.batch_id = b.id
WHERE (:queues::text[] IS NULL OR b.queue_names <@ :queues AND b.queue_names <> '{}') AND (:statuses::text[] IS NULL OR b.status = ANY (:statuses))
ORDER BY b.created_at DESC, b.id DESC
LIMIT :limit! OFFSET :offset!;

/* @name findBatchesEnd */
-- The last of the next :rows batches; none if there are fewer.
SELECT created_at AS at, id FROM batches
WHERE organization_id = :organizationId! AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1;

/* @name listBatchJobs */
-- Jobs of a batch ordered by id, which is the order of their creation. Deleted jobs are omitted.
-- :outcomes and :unfinished say which; :after id of the last job of the previous page, null = the first page. Results are those of the first
-- jobs, until they have :maxBytes; those of the others are not read.
-- Relies on batch_jobs_page, and the primary keys of jobs and job_queue. Ordered by outcome as well, although it is one: where a batch has most
-- members, the planner else walks the primary key of all in the order of ids, which read a million entries for a page of few failed jobs.
WITH RECURSIVE next AS MATERIALIZED (
  SELECT m.job_id FROM unnest(:outcomes!::text[]) AS o(outcome) CROSS JOIN LATERAL (
    SELECT job_id FROM batch_jobs
    WHERE organization_id = :organizationId! AND batch_id = :batchId!
      AND (outcome, job_id) > (o.outcome, coalesce(:after::uuid, '00000000-0000-0000-0000-000000000000')) AND outcome <= o.outcome
    ORDER BY outcome, job_id LIMIT :limit!::bigint + :offset!::bigint
  ) AS m
  UNION ALL
  SELECT m.job_id FROM (
    SELECT job_id FROM batch_jobs
    WHERE organization_id = :organizationId! AND batch_id = :batchId! AND outcome IS NULL AND :unfinished!
      AND job_id > coalesce(:after::uuid, '00000000-0000-0000-0000-000000000000')
    ORDER BY outcome, job_id LIMIT :limit!::bigint + :offset!::bigint
  ) AS m
), page AS MATERIALIZED (
  SELECT
    row_number() OVER (ORDER BY r.id) AS place, r.id, r.queue_name, r.job_type, r.status::job_status AS status, r.retry_count, r.last_error,
    r.result, r.created_at, r.started_at, r.completed_at
  FROM (SELECT job_id FROM next ORDER BY job_id LIMIT :limit! OFFSET :offset!) AS n
  JOIN job_records r ON r.id = n.job_id AND r.organization_id = :organizationId!
), sized AS (
  -- Job by job, because a sum over all jobs would read each document.
  SELECT 0::bigint AS place, 0::bigint AS bytes_so_far
  UNION ALL
  SELECT p.place, s.bytes_so_far + coalesce(octet_length(p.result::text), 0)
  FROM sized s JOIN page p ON p.place = s.place + 1 WHERE s.bytes_so_far < :maxBytes!
)
SELECT
  p.id AS "id!", p.queue_name AS "queue_name!", p.job_type AS "job_type!", p.status AS "status!", p.retry_count AS "attempt!",
  p.last_error AS error, CASE WHEN s.place IS NOT NULL THEN p.result END AS result, s.place IS NULL AS "documents_omitted!",
  p.created_at AS "created_at!", p.started_at, p.completed_at
FROM page p LEFT JOIN sized s ON s.place = p.place
ORDER BY p.id;
