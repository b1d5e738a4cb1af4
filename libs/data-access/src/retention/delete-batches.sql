/* @name deleteBatchJobs */
-- Deletes the members of old batches whose jobs are deleted: a step of deleteBatches. Members that are not older than the period are not read:
-- an open batch may have a million, and each look for their jobs read 3 million buffers. With a limit of its own the look at a batch stays apart,
-- else the planner reads the members of all organizations.
-- :days retention period of each of :organizationIds.
-- Index: batches_newest, batch_jobs_page, jobs_pkey.
WITH horizon AS (
  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
), old AS MATERIALIZED (
  SELECT m.job_id FROM horizon h CROSS JOIN LATERAL (
    SELECT m.job_id FROM batches b CROSS JOIN LATERAL (
      SELECT m.job_id FROM batch_jobs m
      WHERE m.batch_id = b.id AND m.outcome = ANY ('{completed,failed,deadletter,cancelled}') AND m.job_id < uuid_at(h.oldest)
        AND NOT EXISTS (SELECT FROM jobs j WHERE j.id = m.job_id)
      LIMIT :limit!
    ) m
    WHERE b.organization_id = h.org AND b.created_at < h.oldest AND (b.completed_at < h.oldest OR b.status = 'open')
    LIMIT :limit!
  ) m LIMIT :limit!
), removed AS (
  DELETE FROM batch_jobs m USING old WHERE m.job_id = old.job_id RETURNING m.job_id
)
SELECT count(*) AS "deleted!" FROM removed;

/* @name deleteBatches */
-- Deletes ended batches, and open ones without jobs, after the retention period of their organization, once all of their jobs and callback
-- jobs are deleted. Jobs that were added since the snapshot of the statement are not seen, but the total of the locked row counts them.
-- :days retention period of each of :organizationIds.
-- Index: batches_newest, batch_jobs_page, jobs_pkey.
WITH horizon AS (
  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
), old AS MATERIALIZED (
  SELECT f.id FROM horizon h CROSS JOIN LATERAL (
    SELECT id, total_jobs FROM batches b
    WHERE b.organization_id = h.org AND b.created_at < h.oldest AND (b.completed_at < h.oldest OR b.status = 'open')
      AND NOT EXISTS (SELECT FROM batch_jobs m WHERE m.batch_id = b.id)
      AND NOT EXISTS (SELECT FROM jobs j WHERE j.id = ANY (ARRAY[b.success_job_id, b.complete_job_id, b.death_job_id]))
    LIMIT :limit! FOR UPDATE SKIP LOCKED
  ) f JOIN batches seen ON seen.id = f.id AND seen.total_jobs = f.total_jobs LIMIT :limit!
), removed AS (
  DELETE FROM batches b USING old WHERE b.id = old.id RETURNING b.id
)
SELECT count(*) AS "deleted!" FROM removed;
