/* @name createOperation */
-- No row: the organization has :maxOpen operations in progress.
INSERT INTO operations (organization_id, kind, queues, filter, settings, payload_patch, total, actor)
SELECT :organizationId!, :kind!, :queues!, :filter!, :settings!, :payloadPatch, :total::bigint, :actor
WHERE (
  SELECT count(*) FROM operations WHERE organization_id = :organizationId! AND state IN ('pending', 'running')
) < :maxOpen!
RETURNING id, kind, state, queues, filter, settings, payload_patch, total, processed, refused, succeeded, failed, ended_otherwise,
  reason, actor, created_at, started_at, ended_at;

/* @name listOperations */
-- One page, the newest first. :queues that the caller may access, null = all; :kind and :state null = any; :id null = all;
-- :afterTime and :afterId of the last operation of the previous page, null = the first page.
-- Relies on: operations_newest.
SELECT id, kind, state, queues, filter, settings, payload_patch, total, processed, refused, succeeded, failed, ended_otherwise,
  reason, actor, created_at, started_at, ended_at
FROM operations
WHERE organization_id = :organizationId! AND (:id::uuid IS NULL OR id = :id)
  AND (:queues::text[] IS NULL OR queues <> '{}' AND queues <@ :queues)
  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
  AND (:kind::text IS NULL OR kind = :kind) AND (:state::text IS NULL OR state = :state)
ORDER BY created_at DESC, id DESC LIMIT :limit! OFFSET :offset!;

/* @name listRefusedItems */
SELECT job_id, error AS "error!" FROM operation_items
WHERE operation_id = :operationId! AND organization_id = :organizationId! AND state = 'refused' ORDER BY checked_at, job_id LIMIT :limit!;

/* @name cancelOperation */
-- Waits for a step in progress. No row: it has ended.
UPDATE operations SET state = 'cancelled', ended_at = clock_timestamp(), next_step_at = clock_timestamp(), reason = NULL
WHERE organization_id = :organizationId! AND id = :id! AND state IN ('pending', 'running') AND kind <> ALL (:kept!::text[])
RETURNING id;

/* @name previewDeadLetters */
-- The number of dead letters that an operation would take, up to :maxCounted + 1.
SELECT count(*) AS "count!" FROM (
  SELECT FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, clock_timestamp()) LIMIT :maxCounted!::integer + 1
) m;

/* @name sampleDeadLetters */
-- The first dead letters that an operation would take.
SELECT j.id, j.queue_name, j.job_type, j.last_error, j.payload, m.dead_at AS "dead_at!"
FROM (
  SELECT job_id, created_at, dead_at FROM matching_dead_letters_v1(:organizationId!, :scope!, :filter!, clock_timestamp())
  ORDER BY created_at, job_id LIMIT :limit!
) m JOIN jobs j ON j.id = m.job_id
ORDER BY m.created_at, m.job_id;

/* @name previewLiveJobs */
-- The number of live jobs that an operation would take, up to :maxCounted + 1.
SELECT count(*) AS "count!" FROM (
  SELECT FROM matching_live_jobs_v1(:organizationId!, :filter!, clock_timestamp()) LIMIT :maxCounted!::integer + 1
) m;

/* @name sampleLiveJobs */
SELECT j.id, j.queue_name, j.job_type
FROM (SELECT job_id FROM matching_live_jobs_v1(:organizationId!, :filter!, clock_timestamp()) LIMIT :limit!) m
JOIN jobs j ON j.id = m.job_id;
