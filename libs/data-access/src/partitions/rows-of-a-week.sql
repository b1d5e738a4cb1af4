/* @name lockDefaultPartition */
-- The names of partitions are known at run time only: here and below `default_partition`, `week_partition` and `week_partition_kept` stand
-- for them (`onPartitions`). Types are generated against tables of these names that are like jobs.
LOCK TABLE default_partition IN ACCESS EXCLUSIVE MODE;

/* @name moveDefaultRows */
-- Moves the rows of one week out of the default partition, whose ids come from a clock that ran ahead. The caller holds its lock.
-- :week Monday.
WITH moving AS (
  DELETE FROM default_partition
  WHERE id >= uuid_at(:week!::date::timestamp AT TIME ZONE 'UTC') AND id < uuid_at((:week!::date + 7)::timestamp AT TIME ZONE 'UTC')
  RETURNING *
), moved AS (
  INSERT INTO week_partition SELECT * FROM moving RETURNING 1
)
SELECT count(*) AS "moved!" FROM moved;

/* @name measureKeptJobs */
-- Size of a past week's partition, and of the jobs in it that must be kept.
-- :days that finished jobs are kept.
SELECT pg_relation_size('week_partition') AS "bytes!", count(*) AS "kept!", coalesce(sum(pg_column_size(p.*)), 0)::bigint AS "kept_bytes!"
FROM week_partition p WHERE is_job_kept_v1(outcome, completed_at, EXISTS (SELECT FROM workflows w WHERE w.id = workflow_id AND w.status IN ('pending', 'running')), :days!);

/* @name deleteReferencesOfFinishedJobs */
-- Deletes idempotency keys, dependencies, steps, logs and history of the finished jobs of a week whose partition is about to be dropped.
-- :days that finished jobs are kept.
-- Index: idempotency_keys_job, job_dependencies_pkey, job_steps_pkey, job_logs_pkey, job_history_job.
WITH finished AS (
  SELECT id, organization_id FROM week_partition
  WHERE NOT is_job_kept_v1(outcome, completed_at, EXISTS (SELECT FROM workflows w WHERE w.id = workflow_id AND w.status IN ('pending', 'running')), :days!)
), keys AS (
  DELETE FROM idempotency_keys k USING finished f WHERE k.job_id = f.id
), steps AS (
  DELETE FROM job_steps s USING finished f WHERE s.job_id = f.id
), logs AS (
  DELETE FROM job_logs l USING finished f WHERE l.job_id = f.id
), past AS (
  DELETE FROM job_history h USING finished f WHERE h.organization_id = f.organization_id AND h.job_id = f.id
)
DELETE FROM job_dependencies d USING finished f WHERE d.job_id = f.id;

/* @name moveKeptJobs */
-- Moves the jobs to keep from a detached partition to the default partition.
-- :days that finished jobs are kept.
INSERT INTO jobs SELECT * FROM week_partition WHERE is_job_kept_v1(outcome, completed_at, EXISTS (SELECT FROM workflows w WHERE w.id = workflow_id AND w.status IN ('pending', 'running')), :days!);

/* @name copyKeptJobs */
-- Copies the next jobs to keep of a partition that is being compacted. The row locks make a concurrent change wait, which its trigger then
-- repeats in the copy; a row that the trigger has written already is left as it is.
-- :after id after which to continue; :days that finished jobs are kept.
WITH next AS (
  SELECT * FROM week_partition
  WHERE id > :after! AND is_job_kept_v1(outcome, completed_at, EXISTS (SELECT FROM workflows w WHERE w.id = workflow_id AND w.status IN ('pending', 'running')), :days!)
  ORDER BY id LIMIT :limit! FOR SHARE
), copied AS (
  INSERT INTO week_partition_kept SELECT * FROM next ON CONFLICT DO NOTHING
)
SELECT id FROM next ORDER BY id DESC LIMIT 1;
