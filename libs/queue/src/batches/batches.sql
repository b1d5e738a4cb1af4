/* @name createBatch */
-- :callbacks as in the table. No row: it was there, made by an earlier run of this command.
INSERT INTO batches (id, organization_id, name, metadata, callbacks, callback_names, callback_queues, queue_names)
VALUES (:id!, :organizationId!, :name, :metadata::jsonb, :callbacks!::json, :callbackNames!::text[], :callbackQueues!::text[],
  :queueNames!::text[])
ON CONFLICT DO NOTHING RETURNING id;

/* @name lockOpenBatches */
-- Serializes transactions that open batches and then count them; held until the transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended('batches:' || :organizationId!::uuid, 0))::text AS locked;

/* @name countOpenBatches */
-- Index: batches_open.
SELECT count(*) AS "open!" FROM batches WHERE organization_id = :organizationId! AND status = 'open';

/* @name addCallbackQueues */
-- The queues of callbacks exist from now on, as those of schedules: the job that ends a batch need not wait for the row.
-- Raises SPQ01 when the callbacks or their queues do not fit the plan: later the jobs are not refused.
WITH checked AS MATERIALIZED (
  SELECT check_job_quota_v1(:organizationId!, :quota!::json, :callbacks!, :queueNames!::text[]) AS done
)
INSERT INTO queues (organization_id, queue_name)
SELECT :organizationId!, name FROM checked CROSS JOIN unnest(:queueNames!::text[]) AS name ORDER BY name ON CONFLICT DO NOTHING;

/* @name findBatch */
SELECT id, status, queue_names, total_jobs FROM batches WHERE organization_id = :organizationId! AND id = :id!;

/* @name holdCallbackQueues */
-- Before the lock of the batch, as update_workflow_status_v1 does it.
SELECT hold_callback_queues_v1(:organizationId!, ARRAY[:id!::uuid], '{}')::text AS held;

/* @name shareBatchLock */
-- As a transaction that does not end the last job of a batch, see settle_batches_v1. :alone for one that may.
SELECT CASE WHEN :alone! THEN pg_advisory_xact_lock(hashtextextended('batch:' || :id!::uuid, 0))
  ELSE pg_advisory_xact_lock_shared(hashtextextended('batch:' || :id!::uuid, 0)) END::text AS locked;

/* @name joinBatch */
-- Makes new jobs members. No row: the batch is not open any more, or has not room for them.
WITH batch AS (
  UPDATE batches b SET total_jobs = b.total_jobs + cardinality(:jobIds!::uuid[]),
    queue_names = b.queue_names || ARRAY(SELECT unnest(:queueNames!::text[]) EXCEPT SELECT unnest(b.queue_names))
  WHERE b.organization_id = :organizationId! AND b.id = :id! AND b.status = 'open'
    AND b.total_jobs + cardinality(:jobIds!::uuid[]) <= :maxJobs!::integer
  RETURNING b.id
), members AS (
  INSERT INTO batch_jobs (organization_id, batch_id, job_id)
  SELECT :organizationId!, b.id, job_id FROM batch b CROSS JOIN unnest(:jobIds!::uuid[]) AS job_id
)
SELECT id FROM batch;

/* @name closeBatch */
-- The caller holds the lock alone.
UPDATE batches SET status = :status!, closed_at = coalesce(closed_at, current_ts(clock_timestamp()))
WHERE organization_id = :organizationId! AND id = :id!;

/* @name cancelJobsOfBatch */
-- The operation that cancels the waiting jobs of a batch in steps. :queues as in the table.
INSERT INTO operations (organization_id, kind, queues, filter, actor)
VALUES (
  :organizationId!, 'job.cancel', :queues!::text[], jsonb_build_object('batch_id', :id!::uuid), nullif(current_setting('app.actor', true), ''));
