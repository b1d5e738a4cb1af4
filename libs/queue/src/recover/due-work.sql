/* @name activateDueJobs */
SELECT job_id AS "job_id!", organization_id AS "organization_id!", queue_name AS "queue_name!", old AS "old!",
  current_ts(statement_timestamp()) AS "now!"
FROM activate_due_jobs_v1(:limit!);

/* @name lockExpiredLeases */
SELECT
  job_id AS "job_id!", organization_id AS "organization_id!", queue_name AS "queue_name!", worker_id AS "worker_id!",
  lease_id AS "lease_id!", retry_count AS "retry_count!", max_retries AS "max_retries!", settings, timed_out_after,
  cancel_requested AS "cancel_requested!"
FROM lock_expired_leases_v1(:limit!, :only::uuid[], :except!::uuid[]);

/* @name lockJobsOfWorkers */
SELECT
  job_id AS "job_id!", organization_id AS "organization_id!", queue_name AS "queue_name!", worker_id AS "worker_id!",
  lease_id AS "lease_id!", retry_count AS "retry_count!", max_retries AS "max_retries!",
  cancel_requested AS "cancel_requested!"
FROM lock_jobs_of_workers_v1(:organizationIds!, :workerIds!, :limit!);

/* @name findExpiredJobs */
SELECT job_id AS "job_id!", organization_id AS "organization_id!" FROM find_expired_jobs_v1(:limit!, :except!::uuid[]);

/* @name listBlockedJobs */
-- The next blocked jobs after one, over all tenants. Index: job_queue_blocked_ids.
SELECT job_id FROM job_queue WHERE NOT dependencies_met AND job_id > :after! ORDER BY job_id LIMIT :limit!;

/* @name findOrphans */
SELECT job_id AS "job_id!", organization_id AS "organization_id!", parent, outcome FROM find_orphans_v1(:ids!, :limit!);

/* @name releaseOrphans */
-- Frees the children of :completed parents, cancels those of :ended ones.
SELECT
  release_dependents_v1(:organizationId!, :completed!) AS "released!",
  cancel_dependents_v1(:organizationId!, :ended!) AS "cancelled!",
  current_ts(statement_timestamp()) AS "now!";

/* @name lockBlockedJobs */
-- Before meetDependencies, which then sees the parents that they have got meanwhile.
SELECT job_id FROM job_queue WHERE organization_id = :organizationId! AND job_id = ANY (:ids!) AND NOT dependencies_met
ORDER BY job_id FOR UPDATE;

/* @name meetDependencies */
-- Frees those of the jobs that no parent blocks. Parents whose record is gone do not.
WITH freed AS (
  UPDATE job_queue q SET dependencies_met = true
  WHERE q.organization_id = :organizationId! AND q.job_id = ANY (:ids!)
    AND are_dependencies_met_v1(q.job_id, (SELECT c.dependency_mode FROM jobs c WHERE c.id = q.job_id))
  RETURNING q.job_id, q.queue_name
), past AS (
  INSERT INTO job_history (organization_id, job_id, at, event, actor, details)
  SELECT :organizationId!, job_id, current_ts(clock_timestamp()), 'dependencies_met', nullif(current_setting('app.actor', true), ''),
    json_build_object('reason', 'parent_deleted')
  FROM freed
)
SELECT queue_name AS queue FROM freed;
