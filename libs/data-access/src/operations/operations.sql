/* @name lockOperations */
-- Held until the end of the transaction, so that the count below does not change before its insert is seen.
SELECT pg_advisory_xact_lock(hashtextextended('operations:' || :organizationId!::text, 0)) AS done;

/* @name createOperation */
-- After lockOperations. No row: the organization has :maxOpen operations in progress. :queues that it may touch, empty = all; :payloadPatch JSON
-- text, null = none; :total null: more than were counted; :holdSeconds before its first step, null = none.
INSERT INTO operations (organization_id, kind, queues, filter, settings, payload_patch, total, actor, starts_at, next_step_at)
SELECT :organizationId!, :kind!, :queues!, :filter!, :settings!, :payloadPatch, :total::bigint, :actor,
  now.at + :holdSeconds::integer * interval '1 second', now.at + coalesce(:holdSeconds::integer, 0) * interval '1 second'
FROM current_ts(clock_timestamp()) AS now (at)
WHERE (
  SELECT count(*) FROM operations WHERE organization_id = :organizationId! AND state IN ('pending', 'running')
) < :maxOpen!
RETURNING id, kind, CASE WHEN starts_at IS NULL THEN state ELSE 'held' END AS "state!", queues, filter, settings, payload_patch, total,
  processed, refused, succeeded, failed, ended_otherwise, reason, actor, created_at, starts_at, started_at, ended_at;

/* @name listOperations */
-- One page, the newest first, among the next :rows. :queues that the caller may access, null = all; :kind and :state null = any; :id null = all;
-- :afterTime and :afterId of the last operation of the previous page, null = the first page.
-- Relies on: operations_newest.
SELECT id, kind, shown.state AS "state!", queues, filter, settings, payload_patch, total, processed, refused, succeeded, failed,
  ended_otherwise, reason, actor, created_at, starts_at, started_at, ended_at
FROM (
  SELECT * FROM operations
  WHERE organization_id = :organizationId! AND (:id::uuid IS NULL OR id = :id)
    AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
  ORDER BY created_at DESC, id DESC LIMIT :rows!
) AS next
CROSS JOIN LATERAL (
  SELECT CASE WHEN next.state = 'pending' AND starts_at > current_ts(statement_timestamp()) THEN 'held' ELSE next.state END AS state
) AS shown
WHERE (:queues::text[] IS NULL OR queues <> '{}' AND queues <@ :queues)
  AND (:kind::text IS NULL OR kind = :kind) AND (:state::text IS NULL OR shown.state = :state)
ORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!;

/* @name findOperationsEnd */
-- The last of the next :rows; none if there are fewer.
SELECT created_at AS at, id FROM operations
WHERE organization_id = :organizationId! AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1;

/* @name listOperationJobs */
-- One page of the jobs that an operation has had, ordered by id, which is the order of their creation. Of those that failed again the error is
-- their last one; null for a job that no longer exists.
-- :outcomes any of them; :after id of the last job of the previous page, null = the first page. Relies on: operation_items_page.
SELECT i.job_id, i.outcome, CASE i.outcome WHEN 'failed' THEN j.last_error ELSE i.error END AS "error?"
FROM (
  SELECT m.job_id, m.state AS outcome, m.error FROM unnest(:outcomes!::text[]) AS o (outcome) CROSS JOIN LATERAL (
    SELECT job_id, state, error FROM operation_items
    WHERE operation_id = :operationId! AND organization_id = :organizationId! AND state = o.outcome AND (:after::uuid IS NULL OR job_id > :after)
    ORDER BY job_id LIMIT :limit!::bigint + :offset!::bigint
  ) AS m
  ORDER BY m.job_id LIMIT :limit! OFFSET :offset!
) AS i
LEFT JOIN jobs j ON i.outcome = 'failed' AND j.id = i.job_id AND j.organization_id = :organizationId!
ORDER BY i.job_id;

/* @name cancelOperation */
-- Waits for a step in progress. No row: it has ended, or is of the :kept kinds and has begun. What has not begun has nothing left to watch.
-- The reason counts what is not undone.
UPDATE operations SET state = 'cancelled', ended_at = current_ts(clock_timestamp()),
  next_step_at = CASE WHEN started_at IS NULL THEN NULL ELSE current_ts(clock_timestamp()) END,
  reason = CASE
    WHEN started_at IS NULL THEN 'Cancelled before it began: nothing was changed'
    WHEN processed = refused THEN 'Cancelled after it began, before it changed anything'
    ELSE format('Cancelled after it began: what it had changed stays changed (%s: %s)',
      CASE kind WHEN 'delivery.resend' THEN 'deliveries' ELSE 'jobs' END, processed - refused)
  END
WHERE organization_id = :organizationId! AND id = :id! AND state IN ('pending', 'running')
  AND (kind <> ALL (:kept!::text[]) OR started_at IS NULL)
RETURNING id;

/* @name previewDeadLetters */
-- The number of dead letters that an operation of :until would take, up to :maxCounted + 1.
SELECT count(*) AS "count!" FROM (
  SELECT FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, :until!) LIMIT :maxCounted!::integer + 1
) m;

/* @name sampleDeadLetters */
-- The first dead letters that an operation of :until would take.
SELECT j.id, j.queue_name, j.job_type, j.last_error, j.payload, m.dead_at AS "dead_at!"
FROM (
  SELECT job_id, created_at, dead_at FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, :until!)
  ORDER BY created_at, job_id LIMIT :limit!
) m JOIN jobs j ON j.id = m.job_id
ORDER BY m.created_at, m.job_id;

/* @name previewDeliveries */
-- The number of deliveries that an operation would send again, up to :maxCounted + 1.
SELECT count(*) AS "count!" FROM (
  SELECT FROM matching_deliveries_v1(:filter!, current_ts(clock_timestamp()), :maxAttempts!, :maxRetries!) LIMIT :maxCounted!::integer + 1
) m;

/* @name sampleDeliveries */
-- The first deliveries that an operation would send again.
SELECT d.id AS delivery_id, d.event, d.status_code, d.error, d.attempts, d.created_at
FROM (
  SELECT id, created_at FROM matching_deliveries_v1(:filter!, current_ts(clock_timestamp()), :maxAttempts!, :maxRetries!)
  ORDER BY created_at, id LIMIT :limit!
) m JOIN webhook_deliveries d ON d.id = m.id
ORDER BY m.created_at, m.id;

/* @name previewLiveJobs */
-- The number of live jobs that an operation would take, up to :maxCounted + 1.
SELECT count(*) AS "count!" FROM (
  SELECT FROM matching_live_jobs_v1(:organizationId!, :scope!, :filter!, current_ts(clock_timestamp())) LIMIT :maxCounted!::integer + 1
) m;

/* @name sampleLiveJobs */
-- :withPayload false: the payloads are not read.
SELECT j.id, j.queue_name, j.job_type, CASE WHEN :withPayload! THEN j.payload END AS "payload?"
FROM (SELECT job_id FROM matching_live_jobs_v1(:organizationId!, :scope!, :filter!, current_ts(clock_timestamp())) LIMIT :limit!) m
JOIN jobs j ON j.id = m.job_id;
